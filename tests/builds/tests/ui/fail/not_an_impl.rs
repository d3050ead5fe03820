#[cdsspec::spec]
#[declare_state(n: i32)]
struct Register;

fn main() {
    let _ = Register;
}
