struct Register<T>(T);

struct Token;

#[cdsspec::spec(instance(T = Token))]
impl<T> Register<T> {
    #[pre_condition({
        let _ = value;
        true
    })]
    fn set(&mut self, value: T) {
        self.0 = value;
    }
}

fn main() {
    Register(Token).set(Token);
}
