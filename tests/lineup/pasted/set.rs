#[cdsspec::test(verdict = Violated)]
fn inc__inc_inc_get() -> cdsspec::Outcome {
    let scenario = cdsspec::Scenario::new(Counter1::default)
        .op("inc()", |object| object.inc().into())
        .op("get()", |object| object.get().into())
        .exempt_result("get()", cdsspec::scenario::Value::Inside("Ok", Box::new(cdsspec::scenario::Value::Inside("Some", Box::new(cdsspec::scenario::Value::Number(7))))));
    let matrix = scenario.matrix([vec!["inc()"], vec!["inc()", "inc()", "get()"]]);
    cdsspec::lineup::LineUp::new(scenario)
        .set_up(|builder| builder.duration_max(std::time::Duration::from_millis(60000)).loop_rounds_max(3).leaks(true))
        .precedence(cdsspec::lineup::Precedence::RealTime)
        .check(&matrix)
        .into()
}
