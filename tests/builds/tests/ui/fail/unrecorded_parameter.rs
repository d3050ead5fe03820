struct Register;

#[cdsspec::spec]
impl Register {
    #[pre_condition(val.is_some())]
    #[side_effect(())]
    fn get(&self, val: Option<&i32>) {
        let _ = val;
    }

    #[pre_condition(any.clone().next().is_some())]
    #[side_effect(())]
    fn each(&self, any: impl Iterator<Item = i32> + Clone) {
        drop(any);
    }
}

struct Cursor<'a>(Option<&'a i32>);

#[cdsspec::spec]
impl<'a> Iterator for Cursor<'a> {
    type Item = &'a i32;

    #[post_condition(c_ret.is_none())]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.take()
    }

    #[post_condition(index == 0)]
    #[side_effect(())]
    fn nth(&mut self, index: usize) -> Option<<Self as Iterator>::Item> {
        self.0.take().filter(|_| index == 0)
    }
}

#[cdsspec::spec]
impl Cursor<'_> {
    #[pre_condition(other.0.is_some())]
    fn is_like(&self, other: Self) -> bool {
        self.0 == other.0
    }

    #[post_condition(c_ret.is_some())]
    fn again(&self) -> Option<Self> {
        Some(Self(self.0))
    }
}

fn main() {
    let mut cursor = Cursor(Some(&1));
    let _ = (cursor.again().is_some(), cursor.is_like(Cursor(None)), cursor.next(), cursor.nth(0));
    Register.get(None);
    Register.each([1].into_iter());
}
