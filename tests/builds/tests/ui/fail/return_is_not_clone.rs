struct Token;

struct Register;

#[cdsspec::spec]
#[declare_state(s: u32)]
impl Register {
    #[side_effect(*s)]
    fn compared(&self) -> Token {
        Token
    }

    #[post_condition(matches!(c_ret, Token))]
    fn mentioned(&self) -> Token {
        Token
    }
}

fn main() {
    let _: [Token; 2] = [Register.compared(), Register.mentioned()];
}
