use cdsspec::contract::Sets;

/// What cannot be cloned.
struct Key(u32);

struct Queue {
    contract: Sets,
}

#[cdsspec::contract(event_sets(used))]
impl Queue {
    // Of itself this needs no clone.
    #[expects(key.0 > 0 && used.is_empty())]
    fn right(&self, key: &Key) {
        let _ = key;
    }

    #[expects(is_of(used.len(), key))]
    fn wrong(&self, key: &Key) {
        let _ = key;
    }
}

fn is_of(_: usize, _: &Key) -> bool {
    true
}

/// The field is of another type.
struct Other {
    contract: u32,
}

#[cdsspec::contract(event_sets(used))]
impl Other {
    #[add_current(used)]
    fn right(&self) {}
}

fn main() {
    Queue { contract: Sets::new() }.right(&Key(1));
    Queue { contract: Sets::new() }.wrong(&Key(1));
    Other { contract: 1 }.right();
}
