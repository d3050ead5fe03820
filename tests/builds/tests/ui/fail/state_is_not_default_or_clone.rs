struct Token;

struct Register;

#[cdsspec::spec]
#[declare_state(token: Token)]
impl Register {}

fn main() {
    let _ = (Token, Register);
}
