//! What a thread keeps from one call to the next.

/// What a thread has taken in one call and gives back in a later one, such as a guard: [`Scenario::op_keeping`](super::Scenario::op_keeping).
///
/// What is still kept when the thread has made its calls is dropped then, from the last that was taken.
#[derive(Default)]
pub struct Kept<'a>(Vec<Box<dyn Held + 'a>>);

trait Held {}

impl<T> Held for T {}

impl<'a> Kept<'a> {
    /// Keeps a value.
    pub fn hold<T: 'a>(&mut self, value: T) {
        self.0.push(Box::new(value));
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
