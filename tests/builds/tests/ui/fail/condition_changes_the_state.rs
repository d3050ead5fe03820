struct Stack;

#[cdsspec::spec]
#[declare_state(q: Vec<u32>, n: u32)]
impl Stack {
    #[pre_condition(q.pop().is_some())]
    #[justifying_pre_condition({ *n += 1; true })]
    #[side_effect({ *n += 1; q.pop() })]
    #[justifying_post_condition(q.pop() == s_ret)]
    #[post_condition({ q.clear(); *n == 0 })]
    fn pop(&self) -> Option<u32> {
        None
    }
}

#[derive(Clone, Default)]
struct Own {
    sum: i32,
}

#[cdsspec::spec(state = Own)]
impl Own {
    #[post_condition({ state.sum = 1; c_ret == 0 })]
    fn get(&self) -> i32 {
        self.sum
    }
}

fn main() {
    let _ = (Stack.pop(), Own::default().get());
}
