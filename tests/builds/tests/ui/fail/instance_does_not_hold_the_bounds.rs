struct Register<T>(T);

struct Token;

#[cdsspec::spec(instance(T = Token))]
impl<T: Copy> Register<T> {
    #[side_effect(())]
    fn get(&self) -> T {
        self.0
    }
}

fn main() {
    let _ = Register(1).get();
}
