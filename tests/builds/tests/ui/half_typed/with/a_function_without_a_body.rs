struct Register {
    value: i32,
}

#[cdsspec::spec]
impl Register {
    #[side_effect(())]
    #[post_condition(c_ret == 0)]
    fn other(&self) ->
}

fn main() {
    let register = Register { value: 0 };
    drop(register);
}
