#[cdsspec::test]
struct Register;

fn main() {
    let _ = Register;
}
