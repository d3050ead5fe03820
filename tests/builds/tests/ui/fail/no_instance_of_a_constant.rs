struct Row<const N: usize>;

#[cdsspec::spec]
impl<'a, const N: usize> Row<N> {
    #[side_effect(N)]
    fn len(&self) -> usize {
        N
    }
}

fn main() {
    let _ = Row::<2>.len();
}
