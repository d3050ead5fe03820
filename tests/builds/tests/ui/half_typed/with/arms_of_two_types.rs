struct Register {
    value: i32,
}

#[cdsspec::spec]
impl Register {
    #[side_effect(())]
    #[post_condition(c_ret == 0)]
    fn get(&self) -> i32 {
        match self.value {
            0 => "a",
            _ => 1,
        }
    }
}

fn main() {
    Register { value: 0 }.get();
}
