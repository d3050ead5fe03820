//! The annotated statements that a thread is in: where each began, so that an annotation marks only an operation of its own statement.

use super::{OperationId, SourceLocation};

/// An ordering point annotation that runs.
#[derive(Clone, Copy, Debug)]
pub struct Annotation {
    /// Where it stands.
    pub source: SourceLocation,
    /// The statement that it stands on; `None` of a macro form, which means the call so far.
    pub statement: Option<StatementId>,
}

impl From<SourceLocation> for Annotation {
    /// A macro form at this place.
    fn from(source: SourceLocation) -> Self {
        Self { source, statement: None }
    }
}

/// A statement that a thread is in: the smallest number that none of its other open statements has. The program keeps it on its stack, so
/// it must be the same in each round of a loop; a count of operations would make every round look new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatementId(u32);

/// The annotated statements that a thread is in. Statements nest, but for those of futures that are polled in turns.
#[derive(Default)]
pub(super) struct OpenStatements(Vec<Option<OpenStatement>>);

/// A statement that has begun.
#[derive(Clone, Copy)]
pub(super) struct OpenStatement {
    /// How many operations all threads together had done.
    begin: usize,
    /// Whether a fence of it was left out, under other memory orders than those written: then it need not have an operation.
    is_excused: bool,
}

impl OpenStatement {
    /// Whether an operation of the same thread is one of the statement.
    pub(super) fn has(self, operation: OperationId) -> bool {
        operation.index() >= self.begin
    }

    /// Whether it need not have an operation.
    pub(super) fn is_excused(self) -> bool {
        self.is_excused
    }
}

impl OpenStatements {
    /// A statement begins, after so many operations of all threads; `None` if there are too many for an id.
    pub(super) fn begin(&mut self, operation_count: usize) -> Option<StatementId> {
        let free = self.0.iter().position(Option::is_none);
        let index = free.unwrap_or_else(|| {
            self.0.push(None);
            self.0.len() - 1
        });
        let id = u32::try_from(index).ok()?;
        self.0[index] = Some(OpenStatement { begin: operation_count, is_excused: false });
        Some(StatementId(id))
    }

    /// An open statement; `None` if the id is of another thread.
    pub(super) fn get(&self, id: StatementId) -> Option<OpenStatement> {
        self.0.get(id.0 as usize).copied().flatten()
    }

    /// It ends.
    pub(super) fn end(&mut self, id: StatementId) {
        if let Some(open) = self.0.get_mut(id.0 as usize) {
            *open = None;
        }
    }

    /// A fence in all of them is left out.
    pub(super) fn excuse(&mut self) {
        for open in self.0.iter_mut().flatten() {
            open.is_excused = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_of_a_loop_gets_the_id_of_the_round_before_and_statements_in_turns_keep_theirs() {
        let mut open = OpenStatements::default();
        let outer = open.begin(1).expect("it fits");
        for round in 2..5 {
            let inner = open.begin(round).expect("it fits");
            assert_eq!((outer, inner), (StatementId(0), StatementId(1)));
            open.end(inner);
        }
        let inner = open.begin(5).expect("it fits");
        // The outer one ends first.
        open.end(outer);
        assert_eq!(open.begin(7), Some(outer));
        let begin = |id| open.get(id).map(|statement| statement.begin);
        assert_eq!((begin(outer), begin(inner), begin(StatementId(2))), (Some(7), Some(5), None));
    }

    #[test]
    fn an_operation_is_of_the_statement_if_it_ran_after_its_beginning() {
        let mut open = OpenStatements::default();
        let id = open.begin(2).expect("it fits");
        let statement = open.get(id).expect("it is open");
        let has = |index| statement.has(OperationId::new(index));
        assert_eq!([has(0), has(1), has(2), has(3)], [false, false, true, true]);
    }
}
