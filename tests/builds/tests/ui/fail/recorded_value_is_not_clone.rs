struct Token;

struct Register;

#[cdsspec::spec]
impl Register {
    #[pre_condition(matches!(token, Token))]
    #[side_effect(())]
    fn get(&self, token: Token) {
        drop(token);
    }
}

fn main() {
    Register.get(Token);
}
