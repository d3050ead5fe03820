#[cdsspec::test(verdict = Violated, duration_max = std::time::Duration::from_millis(60000), loop_rounds_max = 3, leaks = true)]
fn set__set() {
    let object = Flag::new();
    cdsspec::thread::scope(|scope| {
        scope.spawn(|| {
            let _ = object.set();
        });
        scope.spawn(|| {
            let _ = object.set();
        });
    });
}
