use cdsspec::contract::Sets;

struct Queue {
    contract: Sets,
}

#[cdsspec::contract(event_sets(used))]
impl Queue {
    #[ensures(self.len() > 0)]
    fn first(self) {}

    #[expects(used.is_empty(), level = high)]
    #[expects(used.is_empty(), says = 3)]
    #[expects(used.is_empty() level = audit)]
    #[ensures(used.is_empty(), lever = audit)]
    fn second(&self) {}

    fn third() -> Self {
        cdsspec::expects!(self.len() > 0);
        Self { contract: Sets::new() }
    }

    #[expects(self.is_of(used))]
    #[expects(used.is_empty() && unsafe { *pointer == 3 })]
    #[expects(dbg!(used.len() + limit) < 3)]
    fn fourth(&self, pointer: *const u32, limit: usize) {
        let _ = (pointer, limit);
    }

    #[ensures(out.len() == 1)]
    fn fifth<'a>(&self, out: &'a mut Vec<u32>) -> &'a u32 {
        &out[0]
    }
}

fn main() {}
