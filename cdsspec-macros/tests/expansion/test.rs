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
            &::cdsspec::__private::TestSource {
                arguments: "executions_max = 100",
                name: "enq__deq",
                body: "",
                begin: ::cdsspec::__private::SourceLocation {
                    file: ::core::file!(),
                    line: ::core::line!(),
                    column: ::core::column!(),
                },
                statements: &[],
                threads: &[],
                numbers: &[],
            },
            &[],
            move || -> Result<(), Error> { body() },
        )
        .assert_holds();
}
