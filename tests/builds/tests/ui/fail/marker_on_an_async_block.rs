struct Register;

#[cdsspec::spec]
impl Register {
    #[side_effect(())]
    fn get(&self) -> impl Future<Output = i32> {
        #[op_define]
        let first = async { 1 };
        #[op_define]
        async move { first.await }
    }
}

fn main() {
    drop(Register.get());
}
