//! A barrier.

use super::Monitor;
use cdsspec_runtime::scenario::Scenario;

/// Two participants at first.
pub(in super::super) struct Phase {
    participants: u32,
    arrived: u32,
    number: u32,
    is_cancelled: bool,
}

impl Phase {
    /// The phase is over if all have arrived.
    fn advance(&mut self) {
        if self.participants > 0 && self.arrived >= self.participants {
            (self.arrived, self.number) = (0, self.number + 1);
        }
    }
}

/// A barrier. Root cause L: who arrives waits for the others, which is not equivalent to any serial execution.
pub(in super::super) fn barrier() -> Scenario<Monitor<Phase>> {
    fn signal_and_wait(barrier: &Monitor<Phase>) -> Result<(), &'static str> {
        let number = barrier.change(|phase| {
            let number = phase.number;
            phase.arrived += 1;
            phase.advance();
            number
        });
        barrier.wait(|phase| match phase.number > number {
            true => Some(Ok(())),
            false => phase.is_cancelled.then_some(Err("cancelled")),
        })
    }
    fn remove(barrier: &Monitor<Phase>) -> Result<(), &'static str> {
        barrier.change(|phase| {
            phase.participants = phase.participants.checked_sub(1).ok_or("nobody")?;
            phase.advance();
            Ok(())
        })
    }
    Scenario::new(|| Monitor::new(Phase { participants: 2, arrived: 0, number: 0, is_cancelled: false }))
        .name("Barrier")
        .op("signal_and_wait()", |barrier| signal_and_wait(barrier).into())
        .op("participants_remaining()", |barrier| {
            barrier.look(|phase| phase.participants.saturating_sub(phase.arrived)).into()
        })
        .op("remove_participant()", |barrier| remove(barrier).into())
        .op("cancel_token()", |barrier| barrier.change(|phase| phase.is_cancelled = true).into())
        .op("current_phase_number()", |barrier| barrier.look(|phase| phase.number).into())
        .op("participant_count()", |barrier| barrier.look(|phase| phase.participants).into())
        .op("add_participant()", |barrier| {
            barrier
                .change(|phase| {
                    phase.participants += 1;
                    phase.number
                })
                .into()
        })
}
