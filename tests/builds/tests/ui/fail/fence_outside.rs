#[cdsspec::fence]
mod queue {
    use cdsspec::sync::atomic::AtomicU32;
    use cdsspec::sync::atomic::Ordering::{Acquire, Release};

    pub struct Queue {
        count: AtomicU32,
    }

    impl Queue {
        pub fn wrong_order(&self) -> u32 {
            self.count.load(Release)
        }

        pub fn without_width(&self) -> bool {
            let sum = 1 + 2;
            sum > 1
        }

        pub fn calls_a_wrong_one(&self) -> u32 {
            // What is wrong there is said once.
            self.wrong_order()
        }

        pub fn prints(&self) {
            println!("{}", self.count.load(Acquire));
        }

        pub fn right(&self) -> u32 {
            self.count.load(Acquire)
        }
    }
}

fn main() {}
