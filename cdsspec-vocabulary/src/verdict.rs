//! What a run comes to.

/// What kind of result a verdict is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// Something is wrong with the specification, the program, or the implementation.
    Fault,
    /// Nothing can be said.
    Unfinished,
    /// Nothing is wrong.
    Pass,
}

/// What a run comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The word that reports and JSON use.
    pub word: &'static str,
    /// What kind of result it is.
    pub class: Class,
    /// What it means.
    pub text: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
}

/// The verdicts, worst first: hands `docs Variant "word" Class "remedy"` to the macro of this name.
#[macro_export]
macro_rules! verdicts {
    ($callback:path) => {
        $callback! {
            /// The specification is wrong in itself: a clause panicked, an ordering point has no operation.
            SpecError "spec_error" Fault
                "mend the specification: a clause panicked, or an ordering point annotation has no operation to mark";
            /// On replay the program left its path.
            Nondeterministic "nondeterministic" Fault
                "the program did something else on a replay: take out time, randomness and threads of std";
            /// Two conflicting accesses are not ordered.
            Race "race" Fault "a fault that needs no specification: the report says where";
            /// The allocation or initialisation of memory does not happen before a use of it.
            Uninitialised "uninitialised" Fault "a fault that needs no specification: the report says where";
            /// A use of memory does not happen before its free, in whichever order the two ran; or it was freed twice.
            Freed "freed" Fault
                "the row `what helps` says whether stronger orders do, or only a longer lifetime: by a second run, with every order `SeqCst`";
            /// A panic that nobody joined.
            Panic "panic" Fault "a fault that needs no specification: the report says where";
            /// A contract is broken: an object is used in a way that its contract rules out.
            Misused "misused" Fault
                "the report says which two calls nothing orders, and what would; the rule is the contract's, which is for the users of the structure to keep";
            /// Threads wait for each other, for ever.
            Deadlock "deadlock" Fault "the report says where each thread stands, and who holds a lock since which line";
            /// A thread spins, and nobody can ever end it.
            Livelock "livelock" Fault "the report says where each thread stands, and who holds a lock since which line";
            /// A call waits for others that was declared to wait for nobody.
            Stuck "stuck" Fault
                "the report says which thread it waits for, and where that stands still: help it, or let the call fail; or take the declaration away";
            /// The order of the calls has a cycle.
            Cyclic "cyclic" Fault
                "ordering points order two calls both ways: one of them is not where the call takes effect. Where each call has one point it is the memory model itself: in RC11 happens-before and the order of `SeqCst` operations may contradict each other (Z6.U), and the report says so";
            /// A sequential history breaks a condition.
            Violated "violated" Fault
                "an order is too weak, an ordering point is elsewhere, or the clause is too strict: look at `rule`, at `concurrent with`, at `hint`, and at the lines `#0*`; `cdsspec::advise` looks for missing orders";
            /// A call has no justifying subhistory.
            Unjustified "unjustified" Fault "as for `violated`; or nothing that came before justifies what the call did";
            /// Memory was never freed, and nothing leads to it any more. Looked for only where that is switched on.
            Leak "leak" Fault "nothing leads to the memory any more: free it; looked for on demand";
            /// A limit was reached before anything was found.
            Inconclusive "inconclusive" Unfinished
                "a limit was reached before anything was found: the row `do` says which to raise; or a strict run checked less than it seems: the rows `note` say why";
            /// Every execution was inadmissible: nothing was checked.
            Inadmissible "inadmissible" Unfinished
                "every execution breaks a rule of `admit`, under every order of its `SeqCst` operations: nothing was checked";
            /// No fault within bounds that the user set, or that the engine has.
            HoldsWithin "holds_within" Pass "no fault within the bounds that the row `bounds` names";
            /// No fault in any behaviour that the memory model allows.
            Holds "holds" Pass
                "no fault in any execution of the program under the memory model, but for what the row `not modelled` names";
        }
    };
}

macro_rules! rows {
    ($($(#[doc = $text:literal])* $variant:ident $word:literal $class:ident $remedy:literal;)*) => {
        /// The verdicts, worst first.
        pub const VERDICTS: &[Verdict] = &[$(Verdict {
            word: $word,
            class: Class::$class,
            text: concat!($($text),*),
            remedy: $remedy,
        }),*];
    };
}

verdicts!(rows);
