struct Register<T>(T);

#[cdsspec::spec(instance(T: i32), state, object())]
impl<T: Clone> Register<T> {
    #[side_effect(())]
    fn get(&self) -> T {
        self.0.clone()
    }
}

struct Ring<T, const N: usize>([T; N]);

#[cdsspec::spec(instance(N = 4 +, T = Vec<))]
impl<T: Clone, const N: usize> Ring<T, N> {
    #[side_effect(())]
    fn get(&self) -> T {
        self.0[0].clone()
    }
}

#[cdsspec::spec(instance(T = 4, N =))]
impl<T: Clone, const N: usize> Ring<T, N> {
    #[side_effect(())]
    fn set(&self) {}
}

fn main() {
    let _ = Register(1).get();
    let _ = Ring([1]).get();
    Ring([1]).set();
}
