struct Queue;

#[cdsspec::scenarios(thread = 2, 3)]
impl Queue {
    #[scenario("1", arg(1))]
    fn enq(&self, _value: i32) {}

    #[scenario]
    fn put(&self, _value: i32) {}

    #[scenario(args(1, 2))]
    fn reset(&mut self, _value: i32) {}
}

struct Stack<T>(T);

#[cdsspec::scenarios]
impl<T> Stack<T> {}

#[cdsspec::scenarios]
impl Clone for Queue {
    fn clone(&self) -> Self {
        Self
    }
}

#[cdsspec::scenarios]
struct Ring;

#[cdsspec::scenario(args(1, 2))]
fn alone(_value: i32) {}

fn main() {}
