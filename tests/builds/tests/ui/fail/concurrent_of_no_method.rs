struct Deque;

#[cdsspec::spec]
impl Deque {
    #[post_condition(concurrent.stel().next().is_none() && concurrent.plain().count() == 0)]
    fn take(&self) -> Option<i32> {
        None
    }

    #[post_condition(concurrent.take().count() + concurrent.all().count() == concurrent.len())]
    fn steal(&self) {}

    fn plain(&self) {}
}

fn main() {
    Deque.take();
    Deque.steal();
    Deque.plain();
}
