#[cdsspec::test(verdict = Violated)]
fn inc__inc_inc_get() -> cdsspec::Outcome {
    let scenario = cdsspec::Scenario::new(Counter1::default)
        .op("inc()", |object| object.inc().into())
        .op("get()", |object| object.get().into());
    let matrix = scenario.matrix([vec!["inc()"], vec!["inc()", "inc()", "get()"]]);
    cdsspec::lineup::LineUp::new(scenario).check(&matrix).into()
}
