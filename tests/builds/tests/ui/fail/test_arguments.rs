#[cdsspec::test(execution_max = 100, seed = 1, seed = 2)]
fn unknown_and_twice() {}

#[cdsspec::test(verdict = 3, crate = 1 + 1, branches_max)]
fn malformed() {}

#[cdsspec::test(verdict = Violate, executions_max = "many")]
#[rustfmt::test]
fn what_the_compiler_says() {}

fn main() {}
