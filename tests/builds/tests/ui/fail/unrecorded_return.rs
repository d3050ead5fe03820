struct Register(i32);

#[cdsspec::spec]
impl Register {
    #[post_condition(c_ret.is_some())]
    fn get(&self) -> Option<&i32> {
        Some(&self.0)
    }
}

fn main() {
    Register(1).get();
}
