struct Register<T>(T);

#[cdsspec::spec]
#[declare_state(value: T)]
impl<T: Clone> Register<T> {
    #[side_effect(value.clone())]
    fn get(&self) -> T {
        self.0.clone()
    }
}

fn main() {
    let _ = Register(1).get();
}
