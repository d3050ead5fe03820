//! What nobody sees of a stack or a queue.
//!
//! A value is *observed* if a call that returned took it out. All others are one value, [`UNOBSERVED`]: a call that returned asks whether what is next is the one that it returned, which none of them is; a call of which nobody knows what it
//! returned takes whatever is next. So two states that differ in these values alone go on alike.
//!
//! A pending call that puts such a value in, and after which none comes, is left out. Without it, and without the call that took the value out, if one did, a linearization is one as well: what lies below in a stack, or stands
//! behind in a queue, is out of reach while the value is there. The call that took it out is pending, or nobody knows what it returned. If none comes after it, it can be left out, or come last of all, whatever it finds then. Otherwise nothing is left out.

use super::found::{Found, Furthest};
use crate::problem::{Problem, ProblemCall};
use crate::specification::Access;
use std::collections::HashSet;

/// The number of all values that are not observed.
pub(super) const UNOBSERVED: u32 = u32::MAX;

/// The calls that are left, and what they do.
pub(super) struct Observed {
    kept: Vec<u32>,
    accesses: Vec<Access>,
}

impl Observed {
    pub(super) fn new<O, R>(problem: &Problem<'_, O, R>, accesses: &[Access]) -> Self {
        let removed = |access: &Access| if let Access::Remove(value) = access { Some(*value) } else { None };
        let observed: HashSet<u32> = accesses.iter().filter_map(removed).collect();
        let returned = |call: usize| problem.calls[call].has_returned;
        let precedes_others = |(call, access): (usize, &Access)| {
            *access == Access::RemoveAny && !problem.order.is_last(call as u32)
        };
        let may_be_left = |call: usize| !returned(call) && problem.order.is_last(call as u32);
        let can_do_without = !accesses.iter().enumerate().any(precedes_others);
        let (mut kept, mut left) = (Vec::new(), Vec::new());
        for (call, access) in accesses.iter().enumerate() {
            let access = match *access {
                Access::Insert(value) if !observed.contains(&value) => Access::Insert(UNOBSERVED),
                access => access,
            };
            if !may_be_left(call) || access != Access::Insert(UNOBSERVED) || !can_do_without {
                kept.push(call as u32);
                left.push(access);
            }
        }
        Self { kept, accesses: left }
    }

    /// The problem of these calls.
    pub(super) fn problem<'h, O, R>(&'h self, whole: &Problem<'_, O, R>) -> Problem<'h, Access, ()> {
        let call = |(&kept, access): (&u32, &'h Access)| {
            let call = &whole.calls[kept as usize];
            ProblemCall { id: call.id, operation: access, result: None, has_returned: call.has_returned }
        };
        let calls = self.kept.iter().zip(&self.accesses).map(call).collect();
        Problem { calls, order: whole.order.restricted(&self.kept) }
    }

    /// What was found, in the numbers of the whole problem.
    pub(super) fn translate(&self, found: Found) -> Found {
        let translate = |order: Vec<u32>| order.into_iter().map(|call| self.kept[call as usize]).collect();
        let furthest = |furthest: Furthest| Furthest { order: translate(furthest.order), ..furthest };
        match found {
            Found::Witness(order) => Found::Witness(translate(order)),
            Found::Nothing(far) => Found::Nothing(furthest(far)),
            Found::Stopped(limit, far) => Found::Stopped(limit, furthest(far)),
        }
    }
}
