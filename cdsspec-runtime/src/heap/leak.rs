//! Which blocks nobody can free any more.

use super::fault::Residents;
use super::log::{Block, Log};
use crate::record::LocationId;

/// The blocks that are left and that nobody has: those in which an instrumented object was used, or that one pointed to at some time; less
/// those to which a pointer leads
/// - from the newest value of an object that outlives the execution: one that is neither in such a block nor on a stack of the program,
/// - from another block that is left, as that of a `Vec`;
/// - and from there on. Whatever word could be a pointer into a block is taken for one.
///
/// What only memory from before the execution holds, such as a plain static, is not seen to be held. Cost: O(bytes left · log blocks).
pub(super) fn leaked(
    log: &Log,
    is_left: &dyn Fn(&Block) -> bool,
    newest: &dyn Fn(LocationId) -> u64,
    stored: &mut dyn Iterator<Item = u64>,
) -> Vec<usize> {
    let residents = Residents::new(log);
    let mut is_shared = vec![false; log.blocks.len()];
    let mut inhabitants = vec![Vec::new(); log.blocks.len()];
    let mut queue = Vec::new();
    let mut is_owned = vec![false; log.blocks.len()];
    let pointed = |word: usize| residents.block(word, u32::MAX);
    for (home, is_last) in log.homes.iter().map(|home| (home, residents.is_last(home))) {
        match residents.block(home.address, u32::MAX) {
            Some(block) => {
                is_shared[block] = true;
                if is_last {
                    inhabitants[block].push(home.location);
                }
            }
            None if is_last && !home.is_on_stack => queue.extend(pointed(newest(home.location) as usize)),
            None => {}
        }
    }
    for block in stored.filter_map(|value| pointed(value as usize)) {
        is_shared[block] = true;
    }
    let is_root = |index: usize| is_left(&log.blocks[index]) && !is_shared[index];
    queue.extend((0..log.blocks.len()).filter(|&index| is_root(index)));
    while let Some(index) = queue.pop() {
        let block = &log.blocks[index];
        if std::mem::replace(&mut is_owned[index], true) || !is_left(block) {
            continue;
        }
        queue.extend(block.all_words().filter_map(pointed));
        queue.extend(inhabitants[index].iter().filter_map(|&location| pointed(newest(location) as usize)));
    }
    let is_leaked = |&index: &usize| is_shared[index] && !is_owned[index] && is_left(&log.blocks[index]);
    (0..log.blocks.len()).filter(is_leaked).collect()
}
