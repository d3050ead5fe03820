struct Register<T>(T);

#[cdsspec::spec(instance(T = &'static str))]
impl<T: Clone> Register<T> {
    #[side_effect(())]
    fn get(&self) -> T {
        self.0.clone()
    }
}

fn main() {
    let _ = Register(1).get();
}
