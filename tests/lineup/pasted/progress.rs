#[cdsspec::test(verdict = Stuck)]
fn inc__inc() -> cdsspec::Outcome {
    let scenario = cdsspec::Scenario::new(Spinning::default)
        .op("inc()", |object| object.inc().into())
        .nonblocking("inc()");
    let matrix = scenario.matrix([vec!["inc()"], vec!["inc()"]]);
    cdsspec::lineup::LineUp::new(scenario).check_progress(&matrix).into()
}
