struct Register<T>(T);

#[cdsspec::spec(instance(T = i32, U = i32, T = u8))]
impl<T: Clone> Register<T> {
    #[side_effect(())]
    fn get(&self) -> T {
        self.0.clone()
    }
}

fn main() {
    let _ = Register(1).get();
}
