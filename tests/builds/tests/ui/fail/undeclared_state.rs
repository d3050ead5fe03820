struct Queue;

#[cdsspec::spec]
impl Queue {
    #[side_effect(q.push(val))]
    fn push(&self, val: u32) {
        drop(val);
    }

    #[side_effect(q.pop())]
    fn pop(&self) -> Option<u32> {
        None
    }
}

struct Register;

#[cdsspec::spec]
impl Register {
    #[side_effect(*value)]
    #[post_condition({ let copy = c_ret; copy.eq(&s_ret) })]
    fn get(&self) -> u32 {
        0
    }
}

fn main() {
    Queue.push(1);
    Queue.pop();
    Register.get();
}
