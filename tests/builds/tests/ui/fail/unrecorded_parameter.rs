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

fn main() {
    Register.get(None);
    Register.each([1].into_iter());
}
