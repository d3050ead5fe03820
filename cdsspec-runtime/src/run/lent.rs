//! What threads have used on the stacks of others.

use crate::graph::ThreadIndex;
use crate::port::LocationHint;

/// What threads have used on stacks of others in this run.
#[derive(Default)]
pub(crate) struct Lent {
    pub(super) objects: Vec<LentObject>,
    pub(super) uses: Vec<LentUse>,
}

/// An object on a stack.
pub(super) struct LentObject {
    address: usize,
    /// Its hint, when another thread used it.
    hint: u64,
    pub(super) owner: ThreadIndex,
    /// How many events its thread had when it was found to have ended.
    pub(super) ended: Option<usize>,
}

/// A use by another thread than the stack's.
pub(super) struct LentUse {
    pub(super) object: usize,
    pub(super) user: ThreadIndex,
    /// How many events the user had before.
    pub(super) position: usize,
}

impl Lent {
    /// One without entries, with the memory of this one.
    pub(crate) fn emptied(mut self) -> Self {
        self.objects.clear();
        self.uses.clear();
        self
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// A thread that has had `position` events is about to use an object on the stack of `owner`.
    pub(super) fn note(
        &mut self,
        hint: &LocationHint,
        owner: ThreadIndex,
        user: ThreadIndex,
        position: usize,
    ) {
        let (address, hint) = (std::ptr::from_ref(hint).addr(), hint.bits());
        let is_it = |object: &LentObject| (object.address, object.hint) == (address, hint);
        let known = self.objects.iter().rposition(|object| is_it(object) && object.ended.is_none());
        let object = known.unwrap_or_else(|| {
            self.objects.push(LentObject { address, hint, owner, ended: None });
            self.objects.len() - 1
        });
        self.uses.push(LentUse { object, user, position });
    }

    /// A thread that has had `position` events is about to go on, with its stack pointer at `top`: whichever of its objects have ended.
    pub(super) fn look(&mut self, owner: ThreadIndex, position: usize, top: usize) {
        let mine = self.objects.iter_mut().filter(|object| object.owner == owner && object.ended.is_none());
        for object in mine {
            // SAFETY: the stack is mapped as long as its coroutine is there, and its thread is the one that runs. What is there now is only
            // compared.
            let hint = || unsafe { std::ptr::with_exposed_provenance::<u64>(object.address).read_volatile() };
            if object.address < top || hint() != object.hint {
                object.ended = Some(position);
            }
        }
    }

    /// A thread has run to its end, after so many events.
    pub(crate) fn end(&mut self, owner: ThreadIndex, position: usize) {
        for object in self.objects.iter_mut().filter(|object| object.owner == owner) {
            object.ended.get_or_insert(position);
        }
    }
}
