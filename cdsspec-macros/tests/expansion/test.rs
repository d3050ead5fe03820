// plain
#[::core::prelude::v1::test]
#[ignore = "not instrumented: enable the feature `check` of cdsspec under [dev-dependencies]"]
#[allow(non_snake_case, reason = "the name of a program spells what its threads do")]
/// Documented.
fn enq__deq() -> Result<(), Error> {
    body()
}

// recorded
#[::core::prelude::v1::test]
#[allow(non_snake_case, reason = "the name of a program spells what its threads do")]
/// Documented.
fn enq__deq() {
    ::cdsspec::__private::run_program::<
        Result<(), Error>,
    >(
            ::cdsspec::__private::Builder::new().executions_max(100),
            move || -> Result<(), Error> { body() },
        )
        .assert_holds();
}
