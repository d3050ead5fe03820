struct Ring<T, const N: usize>([T; N]);

#[cdsspec::spec(instance(T = 2, N = std::vec::Vec<u8>))]
impl<T: Clone, const N: usize> Ring<T, N> {
    #[side_effect(())]
    fn get(&self) {}
}

fn main() {
    Ring([1]).get();
}
