#[cdsspec::test(100)]
async fn waits() {}

#[cdsspec::test]
fn takes(value: i32) {
    let _ = value;
}

#[cdsspec::test]
fn generic<T>() {}

#[cdsspec::test]
const fn constant() {}

fn main() {
    constant();
    drop(waits());
    takes(1);
    generic::<i32>();
}
