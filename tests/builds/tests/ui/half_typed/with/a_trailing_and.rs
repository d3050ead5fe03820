struct Register {
    value: i32,
}

#[cdsspec::spec]
impl Register {
    #[side_effect(())]
    #[post_condition(c_ret == 0)]
    fn get(&self) -> i32 {
        let is_small = self.value < 10 && ;
        i32::from(is_small)
    }
}

fn main() {
    let register = Register { value: 0 };
    register.get();
}
