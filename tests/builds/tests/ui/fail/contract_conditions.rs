use cdsspec::contract::Sets;

struct Queue {
    contract: Sets,
}

#[cdsspec::contract(event_sets(used))]
impl Queue {
    #[expects(self.len() > 0)]
    fn first(&self) {}

    #[expects(used.is_empty(), level = high)]
    #[expects(used.is_empty(), says = 3)]
    #[expects(used.is_empty() level = audit)]
    #[ensures(used.is_empty(), lever = audit)]
    fn second(&self) {}

    fn third(&self) {
        cdsspec::expects!(self.len() > 0);
    }
}

fn main() {}
