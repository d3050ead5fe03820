//! All orders of all calls, and of each choice of pending ones. It shares no code with the crate.

/// A call: `op` and `argument` mean what `step` says. No result: pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TwinCall {
    pub(crate) op: char,
    pub(crate) argument: u8,
    pub(crate) result: Option<u8>,
    /// Pending ones need not take effect.
    pub(crate) returned: bool,
}

/// Nothing was there, or there is nothing to say.
pub(crate) const NONE: u8 = u8::MAX;

/// What an operation returns, and leaves; nothing if it cannot take effect. `Bag` takes out any value.
pub(crate) fn step(state: &[u8], call: &TwinCall) -> Vec<(u8, Vec<u8>)> {
    let with = |value: u8| [state, &[value]].concat();
    let without = |index: usize| [&state[..index], &state[index + 1..]].concat();
    match call.op {
        // A register: its value, or nothing for 0.
        'r' => vec![(state.last().copied().unwrap_or(0), state.to_vec())],
        'w' => vec![(NONE, vec![call.argument])],
        // A collection.
        'i' => vec![(NONE, with(call.argument))],
        _ if state.is_empty() => vec![(NONE, vec![])],
        'q' => vec![(state[0], without(0))],
        's' => vec![(state[state.len() - 1], without(state.len() - 1))],
        'b' => (0..state.len()).map(|index| (state[index], without(index))).collect(),
        other => panic!("no operation {other}"),
    }
}

/// Whether some order of the calls explains them. `precedes` says which comes before which.
pub(crate) fn is_linearizable(calls: &[TwinCall], precedes: &dyn Fn(usize, usize) -> bool) -> bool {
    goes_on(calls, precedes, &mut Vec::new(), &[])
}

/// Whether the order `taken` can be continued: by any call that is not in it, and that no call precedes which is to come later.
fn goes_on(
    calls: &[TwinCall],
    precedes: &dyn Fn(usize, usize) -> bool,
    taken: &mut Vec<usize>,
    state: &[u8],
) -> bool {
    let left: Vec<usize> = (0..calls.len()).filter(|call| !taken.contains(call)).collect();
    if left.iter().all(|&call| !calls[call].returned) {
        return true;
    }
    for &call in &left {
        if left.iter().any(|&other| precedes(other, call)) {
            continue;
        }
        for (result, state) in step(state, &calls[call]) {
            if calls[call].result.is_none_or(|expected| expected == result) {
                taken.push(call);
                if goes_on(calls, precedes, taken, &state) {
                    return true;
                }
                taken.pop();
            }
        }
    }
    // A pending call that precedes others may be left out with these: no others wait for it.
    false
}
