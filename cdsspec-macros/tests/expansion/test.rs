// plain
#[::core::prelude::v1::test]
#[ignore = "not instrumented: enable the feature `check` of cdsspec under [dev-dependencies]"]
/// Documented.
fn enq__deq() -> Result<(), Error> {
    body()
}

// recorded
#[::core::prelude::v1::test]
/// Documented.
fn enq__deq() {
    ::cdsspec::__private::Builder::new()
        .executions_max(100)
        .model(move || ::cdsspec::__private::expect_ok(
            (move || -> Result<(), Error> { body() })(),
        ));
}
