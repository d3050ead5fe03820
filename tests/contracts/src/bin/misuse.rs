//! Misuses a queue, as its argument says, and says what comes of it.

use cdsspec::contract::HandOver;
use cdsspec::thread;
use cdsspec_contract_tests::ours::Ring;
use std::sync::Mutex;

/// In turns, of which nothing is seen.
static TURN: Mutex<()> = Mutex::new(());
static SEEN: HandOver = HandOver::new();

fn push_in_turn(ring: &Ring) -> bool {
    let _turn = TURN.lock().expect("nobody panics in the other's turn");
    ring.push(1)
}

fn push_in_turn_that_is_seen(ring: &Ring) -> bool {
    let _turn = TURN.lock().expect("nobody panics");
    SEEN.acquire();
    let is_pushed = ring.push(1);
    SEEN.release();
    is_pushed
}

fn main() {
    let ring = Ring::new();
    let ring = &ring;
    let outcome = match std::env::args().nth(1).as_deref() {
        Some("two-producers") => thread::scope(|scope| {
            let first = scope.spawn(|| push_in_turn(ring));
            let second = scope.spawn(|| push_in_turn(ring));
            [first.join(), second.join()].map(|result| result.is_ok())
        }),
        Some("hand-over") => thread::scope(|scope| {
            let first = scope.spawn(|| push_in_turn_that_is_seen(ring));
            let second = scope.spawn(|| push_in_turn_that_is_seen(ring));
            [first.join(), second.join()].map(|result| result.is_ok())
        }),
        Some("foreign") => std::thread::scope(|scope| {
            let first = scope.spawn(|| push_in_turn(ring)).join();
            let second = scope.spawn(|| ring.pop()).join();
            [first.is_ok(), second.is_ok()]
        }),
        _ => [false; 2],
    };
    println!("{}", outcome.into_iter().filter(|is_ok| *is_ok).count());
}
