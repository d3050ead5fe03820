use cdsspec::{Builder, Outcome};

#[cdsspec::test]
#[rustfmt::test]
fn something_else() -> i32 {
    1
}

#[cdsspec::test(executions_max = 100)]
#[rustfmt::test]
fn limits_of_a_check() -> Outcome {
    Builder::new().check(|| {})
}

#[cdsspec::test(verdict = Holds)]
#[rustfmt::test]
fn what_is_right() -> Result<Outcome, String> {
    Ok(Builder::new().check(|| {}))
}

fn main() {
    something_else();
    limits_of_a_check();
    what_is_right();
}
