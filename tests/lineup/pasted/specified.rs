#[cdsspec::test(verdict = Violated)]
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
