//! The instrumented fields of the object of a call, as they are found in its memory when the call begins.

use super::hint::HintWord;
use super::{Execution, LocationHint};
use crate::record::SeenField;
use crate::specification::ObjectExtent;

/// How many fields are looked for. Which object it is, a few of them tell; what else a call touches, its operations tell.
const FIELDS_MAX: usize = 8;

/// How many bytes of an object are looked at.
const BYTES_MAX: usize = 1 << 16;

const WORD_BYTES: usize = size_of::<LocationHint>();

/// The first instrumented fields of an object, by address. The execution meets those that were constructed and not used since: so they
/// tell the object in its later calls, wherever it is then. Nothing of an object that only a pointer leads to.
///
/// Cost: O(bytes of the object), at most `BYTES_MAX`.
pub(super) fn seen_fields(execution: &Execution, object: ObjectExtent) -> Vec<SeenField> {
    let mut seen = Vec::new();
    if !object.is_referenced {
        return seen;
    }
    let skipped = object.address.addr().next_multiple_of(WORD_BYTES) - object.address.addr();
    let end = object.size.min(BYTES_MAX);
    let offsets = (skipped..end).step_by(WORD_BYTES).take_while(|offset| offset + WORD_BYTES <= end);
    for offset in offsets {
        seen.extend(seen_field(execution, object.address.wrapping_byte_add(offset).cast()));
        if seen.len() == FIELDS_MAX {
            break;
        }
    }
    seen
}

/// What the word at this address is, if it is a hint.
fn seen_field(execution: &Execution, word: *const u64) -> Option<SeenField> {
    // SAFETY: the word lies in an object that a reference led to just now, and is aligned. Other threads of the program do not run
    // meanwhile. It may be padding or of any type: the read is volatile, so that the compiler takes it for what memory holds.
    let bits = unsafe { word.read_volatile() };
    let address = word.addr();
    match HintWord::of(bits, execution.number()) {
        HintWord::Other => None,
        HintWord::MetElsewhere => Some(SeenField { address, field: None, is_new: false }),
        // A hint that is not `CONSTRUCTED` is not written to: only an operation tells which field it is.
        HintWord::UsedOutside => Some(SeenField { address, field: None, is_new: true }),
        HintWord::Met(field) => Some(SeenField { address, field: Some(field), is_new: false }),
        HintWord::Constructed => {
            // SAFETY: only the constructor of a hint writes this word. So here is one, or what is left of one that was moved away, in
            // memory that nobody reads; a hint may be written through a shared reference.
            let hint = unsafe { &*word.cast::<LocationHint>() };
            Some(SeenField { address, field: Some(execution.meet(hint)), is_new: true })
        }
    }
}
