struct Register<T>(T);

#[cdsspec::spec(instance(T = i32))]
#[declare_state(value: T)]
impl<T: Clone> Register<T> {
    #[pre_condition(value.is_empty())]
    fn get(&self) -> T {
        self.0.clone()
    }
}

fn main() {
    let _ = Register("a").get();
}
