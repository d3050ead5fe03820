struct Register<T>(T);

#[cdsspec::spec(instance(T: i32), state, object())]
impl<T: Clone> Register<T> {
    #[side_effect(())]
    fn get(&self) -> T {
        self.0.clone()
    }
}

fn main() {
    let _ = Register(1).get();
}
