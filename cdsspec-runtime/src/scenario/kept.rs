//! What a thread keeps from one call to the next.

/// What a thread has taken in one call and gives back in a later one, such as a guard: [`Scenario::op_keeping`](super::Scenario::op_keeping).
///
/// What is still kept when the thread has made its calls is dropped then, from the last that was taken; in Line-Up it stays kept to the end of
/// the execution, as if the thread went on for ever: that it is given back is a call, or it is not.
#[derive(Default)]
pub struct Kept<'a>(Vec<Box<dyn Held + 'a>>);

trait Held {}

impl<T> Held for T {}

impl<'a> Kept<'a> {
    /// Keeps a value.
    pub fn hold<T: 'a>(&mut self, value: T) {
        self.0.push(Box::new(value));
    }

    /// Everything stays kept for ever.
    pub(super) fn keep(mut self) {
        std::mem::take(&mut self.0).into_iter().for_each(std::mem::forget);
    }

    /// Drops the value that was kept last; whether there was one.
    pub fn release(&mut self) -> bool {
        self.0.pop().is_some()
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        while self.release() {}
    }
}
