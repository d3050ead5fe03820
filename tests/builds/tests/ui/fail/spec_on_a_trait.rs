#[cdsspec::spec]
#[declare_state(s: u32)]
trait Get {
    #[side_effect(*s)]
    fn get(&self) -> u32;

    #[side_effect(*s)]
    fn twice(&self) -> u32 {
        #[op_define]
        let value = self.get();
        2 * value
    }
}

fn main() {}
