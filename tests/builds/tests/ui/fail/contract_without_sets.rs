struct Queue;

#[cdsspec::contract(event_sets(used))]
impl Queue {
    #[expects(used.is_empty() && item)]
    #[add_current(used)]
    fn push(&self, item: u32) {
        let _ = item;
    }
}

fn outside() {
    cdsspec::expects!(true);
}

fn main() {
    Queue.push(1);
    outside();
}
