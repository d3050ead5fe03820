//! What a structure can be asked to do.

use super::constraint::Constraint;
use super::kept::Kept;
use super::matrix::{Entry, InvocationId, Matrix};
use super::value::Value;
use std::fmt;
use std::sync::Arc;

/// How a call is made.
type Call<T> = Arc<dyn for<'a> Fn(&'a T, &mut Kept<'a>) -> Value + Send + Sync>;

/// Something that a scenario invokes.
pub(super) struct Invocation<T> {
    pub(super) name: Arc<str>,
    pub(super) call: Call<T>,
    pub(super) exemption: Exemption,
    pub(super) progress: Guarantee,
    /// Whether the thread may keep something of it.
    pub(super) is_keeping: bool,
}

/// What a call needs of others to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Guarantee {
    /// Nothing is said.
    Unknown,
    /// None of them, for a while: where all others stand still, it ends within so many steps.
    Nonblocking(u64),
    /// None of them, ever: it ends within so many steps of its own.
    WaitFree(u64),
}

/// What of a call's result does not count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Exemption {
    /// All of it counts.
    None,
    /// What it returns does not.
    Result,
    /// A call that returns this counts as not made.
    Returned(Value),
    /// Histories with such a call are not judged.
    Call,
}

/// What a structure can be asked to do: how it is made, the calls of which finite tests are built, and which tests make sense.
///
/// ```
/// # use cdsspec_runtime::scenario::Scenario;
/// # use cdsspec_runtime::sync::Mutex;
/// # #[derive(Default)]
/// # struct Stack(Mutex<Vec<i32>>);
/// # impl Stack {
/// #     fn push(&self, value: i32) { self.0.lock().unwrap().push(value); }
/// #     fn pop(&self) -> Option<i32> { self.0.lock().unwrap().pop() }
/// # }
/// let scenario = Scenario::new(Stack::default)
///     .op("push(1)", |stack| stack.push(1).into())
///     .op("push(2)", |stack| stack.push(2).into())
///     .op("pop()", |stack| stack.pop().into());
/// let matrix = scenario.matrix([["push(1)", "pop()"], ["push(2)", "pop()"]]);
/// assert_eq!(matrix.to_string(), "\
/// | thread 1 | thread 2 |
/// | -------- | -------- |
/// | push(1)  | push(2)  |
/// | pop()    | pop()    |
/// ");
/// ```
///
/// # Paper
/// The invocations `I` of Line-Up (PLDI 2010), sections 3.1 and 4.3.
#[must_use = "a scenario does nothing until it is checked"]
pub struct Scenario<T> {
    pub(super) name: String,
    pub(super) constructor: String,
    pub(super) make: Arc<dyn Fn() -> T + Send + Sync>,
    pub(super) invocations: Vec<Invocation<T>>,
    /// Whole sequences that may stand where a call does.
    pub(super) sequences: Vec<Vec<InvocationId>>,
    pub(super) initial: Vec<InvocationId>,
    pub(super) last: Vec<InvocationId>,
    pub(super) constraints: Vec<Constraint>,
    /// Calls that differ in their argument, by the arguments: those with the same may be renamed together.
    pub(super) domains: Vec<Domain>,
    /// Whether nothing but equality tells arguments from each other.
    pub(super) has_alike_arguments: bool,
    pub(super) own: Vec<Matrix>,
}

/// Arguments that the structure does not tell from each other, and the calls that have them.
#[derive(Clone, Debug)]
pub(super) struct Domain {
    arguments: Vec<String>,
    /// One entry a method: its calls in the order of the arguments.
    pub(super) calls: Vec<Vec<InvocationId>>,
}

impl<T> Clone for Scenario<T> {
    fn clone(&self) -> Self {
        let copy = |one: &Invocation<T>| Invocation {
            name: one.name.clone(),
            call: one.call.clone(),
            exemption: one.exemption.clone(),
            progress: one.progress,
            is_keeping: one.is_keeping,
        };
        Self {
            name: self.name.clone(),
            constructor: self.constructor.clone(),
            make: self.make.clone(),
            invocations: self.invocations.iter().map(copy).collect(),
            sequences: self.sequences.clone(),
            initial: self.initial.clone(),
            last: self.last.clone(),
            constraints: self.constraints.clone(),
            domains: self.domains.clone(),
            has_alike_arguments: self.has_alike_arguments,
            own: self.own.clone(),
        }
    }
}

impl<T> fmt::Debug for Scenario<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.invocations.iter().map(|one| &one.name).collect();
        f.debug_struct("Scenario")
            .field("name", &self.name)
            .field("invocations", &names)
            .finish_non_exhaustive()
    }
}

/// A nonblocking call that takes more steps does not end. A loop without end has more before the engine gives it up.
pub(crate) const STEPS_MAX: u64 = 100;

impl<T: Send + Sync + 'static> Scenario<T> {
    /// Nothing to invoke yet, of objects that are made so. The constructor runs once in every execution.
    pub fn new<F: Fn() -> T + Send + Sync + 'static>(make: F) -> Self {
        let name = last_segments(std::any::type_name::<T>(), 1);
        let constructor = std::any::type_name::<F>();
        let path = last_segments(constructor, 2);
        let constructor = if constructor.contains("{{closure}}") {
            // A guess could name one that makes another object: then the test that is printed would pass.
            "|| todo!(\"make it as the scenario does\")".to_owned()
        } else if !constructor.contains("::") {
            format!("{name}::new")
        } else if path.starts_with('<') {
            // `<Queue as Default>::default`, `<impl Queue>::new`
            format!("{name}::{}", last_segments(constructor, 1))
        } else {
            path
        };
        // `Stack<i32>::new` as an expression.
        let constructor = constructor.replacen('<', "::<", 1);
        Self {
            name,
            constructor,
            make: Arc::new(make),
            invocations: Vec::new(),
            sequences: Vec::new(),
            initial: Vec::new(),
            last: Vec::new(),
            constraints: Vec::new(),
            domains: Vec::new(),
            has_alike_arguments: false,
            own: Vec::new(),
        }
    }

    /// What the structure is called in reports; by default the name of its type.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// How the constructor is written in a test that is printed; by default as its path says; of a closure it is left open.
    pub fn constructor(mut self, text: impl Into<String>) -> Self {
        self.constructor = text.into();
        self
    }

    /// Adds a call. Its name is the call as it is written behind the object and a dot, `enq(1)`: so it stands in a test that is printed.
    ///
    /// # Panics
    /// If there is a call of this name.
    #[track_caller]
    pub fn op(self, name: impl Into<String>, call: impl Fn(&T) -> Value + Send + Sync + 'static) -> Self {
        self.add(name.into(), Arc::new(move |object: &T, _: &mut Kept<'_>| call(object)))
    }

    /// Adds a call that may keep something for its thread, or release it: a guard, say.
    ///
    /// # Panics
    /// If there is a call of this name.
    #[track_caller]
    pub fn op_keeping(
        self,
        name: impl Into<String>,
        call: impl for<'a> Fn(&'a T, &mut Kept<'a>) -> Value + Send + Sync + 'static,
    ) -> Self {
        let mut scenario = self.add(name.into(), Arc::new(call));
        scenario.invocations.iter_mut().last().into_iter().for_each(|one| one.is_keeping = true);
        scenario
    }

    /// Adds a call of a method for each of these arguments: `op_for("enq", [1, 2], …)` adds `enq(1)` and `enq(2)`,
    /// and a tuple stands for several arguments. See [`alike_arguments`](Self::alike_arguments) for those that a structure only stores.
    ///
    /// # Panics
    /// If there is a call of one of these names.
    #[track_caller]
    pub fn op_for<V: Clone + fmt::Debug + Send + Sync + 'static>(
        mut self,
        method: &str,
        arguments: impl IntoIterator<Item = V>,
        call: impl Fn(&T, V) -> Value + Send + Sync + 'static,
    ) -> Self {
        let call = Arc::new(call);
        let (mut texts, mut calls) = (Vec::new(), Vec::new());
        for argument in arguments {
            calls.push(InvocationId::new(self.invocations.len()));
            let text = format!("{argument:?}");
            // A tuple stands for several arguments.
            let name =
                if text.starts_with('(') { format!("{method}{text}") } else { format!("{method}({text})") };
            texts.push(text);
            let call = call.clone();
            self = self.op(name, move |object| call(object, argument.clone()));
        }
        match self.domains.iter_mut().find(|domain| domain.arguments == texts) {
            Some(domain) => domain.calls.push(calls),
            None => self.domains.push(Domain { arguments: texts, calls: vec![calls] }),
        }
        self
    }

    #[track_caller]
    fn add(mut self, name: String, call: Call<T>) -> Self {
        assert!(
            self.find(&name).is_none(),
            "the scenario has two calls `{name}`: give each a name of its own"
        );
        self.invocations.push(Invocation {
            name: name.into(),
            call,
            exemption: Exemption::None,
            progress: Guarantee::Unknown,
            is_keeping: false,
        });
        self
    }

    /// The structure tells the arguments of [`op_for`](Self::op_for) from each other by equality alone, as a queue does that only stores them: of
    /// tests that differ in how arguments are named, one is made. It applies where all calls with arguments have the same list of them.
    ///
    /// Not so where arguments are ordered, are numbers to count with, or say what is done.
    pub fn alike_arguments(mut self) -> Self {
        self.has_alike_arguments = true;
        self
    }

    /// A whole sequence of calls that one thread makes may stand where a call does.
    ///
    /// # Panics
    /// If there is no call of one of these names.
    #[track_caller]
    pub fn sequence<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        let sequence = self.ids(names);
        self.sequences.push(sequence);
        self
    }

    /// The main thread makes these calls before the threads start.
    ///
    /// # Panics
    /// If there is no call of one of these names.
    #[track_caller]
    pub fn initial<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.initial = self.ids(names);
        self
    }

    /// The main thread makes these calls when all threads have ended.
    ///
    /// # Panics
    /// If there is no call of one of these names.
    #[track_caller]
    pub fn last<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.last = self.ids(names);
        self
    }

    /// The call is made at most once in a test; of a method, `enq`, that is named, one of its calls is.
    ///
    /// # Panics
    /// If there is no call and no method of this name.
    #[track_caller]
    pub fn once(mut self, name: &str) -> Self {
        let constraint = Constraint::Once(self.ids_of_method(name));
        self.constraints.push(constraint);
        self
    }

    /// One thread at most makes these calls, or calls of these methods: a single producer, say. The main thread may make them, too.
    ///
    /// # Panics
    /// If there is no call and no method of one of these names.
    #[track_caller]
    pub fn one_thread<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        let mut ids = Vec::new();
        for name in names {
            ids.extend(self.ids_of_method(name.as_ref()));
        }
        self.constraints.push(Constraint::OneThread(ids));
        self
    }

    /// No thread makes the first call where another one makes the second.
    ///
    /// # Panics
    /// If there is no call of one of these names.
    #[track_caller]
    pub fn never_parallel(mut self, first: &str, second: &str) -> Self {
        let constraint = Constraint::NeverParallel(self.id(first), self.id(second));
        self.constraints.push(constraint);
        self
    }

    /// A thread makes the call only after `earlier`, which it, or the main thread initially, has made.
    ///
    /// # Panics
    /// If there is no call of one of these names.
    #[track_caller]
    pub fn only_after(mut self, name: &str, earlier: &str) -> Self {
        let constraint = Constraint::OnlyAfter(self.id(name), self.id(earlier));
        self.constraints.push(constraint);
        self
    }

    /// What the call, or any call of the method, returns does not count: it is not compared. For a look at something that is only roughly right, as a
    /// number of elements.
    ///
    /// # Panics
    /// If there is no call and no method of this name.
    #[track_caller]
    pub fn exempt(self, name: &str) -> Self {
        self.exempt_as(name, Exemption::Result)
    }

    /// The call, or any call of the method, may return this at any time without having done anything: one that did counts as not made. For a call that may fail
    /// for no reason that its caller sees.
    ///
    /// # Panics
    /// If there is no call of this name.
    #[track_caller]
    pub fn exempt_result(self, name: &str, value: impl Into<Value>) -> Self {
        self.exempt_as(name, Exemption::Returned(value.into()))
    }

    /// The call, or any call of the method, is not meant to take effect at one moment, as that of a barrier: executions of tests with it are looked at for faults of the
    /// program alone, and their histories are not judged.
    ///
    /// # Panics
    /// If there is no call of this name.
    #[track_caller]
    pub fn not_linearizable(self, name: &str) -> Self {
        self.exempt_as(name, Exemption::Call)
    }

    /// The call, or any call of the method, waits for nobody: wherever other threads are, if they stand still there it ends, within a hundred
    /// operations. Each test is explored with the other threads standing still before each of their operations; a call that does not end is the
    /// verdict `stuck`. So locks are found, also hidden ones, as where a thread waits that another one finishes what it began. Lock-free calls are nonblocking, and more.
    ///
    /// # Panics
    /// If there is no call and no method of this name.
    #[track_caller]
    pub fn nonblocking(self, name: &str) -> Self {
        self.progress_as(name, Guarantee::Nonblocking(STEPS_MAX))
    }

    /// The same within so many operations: for calls that are long. A loop is explored for 128 rounds by default ([`loop_rounds_max`](crate::model::Builder::loop_rounds_max)); one that
    /// would need more before it is known to be too long is a bound.
    ///
    /// # Panics
    /// If there is no call and no method of this name.
    #[track_caller]
    pub fn nonblocking_within(self, name: &str, steps: u64) -> Self {
        self.progress_as(name, Guarantee::Nonblocking(steps))
    }

    /// The call, or any call of the method, is [nonblocking](Self::nonblocking), and ends within so many operations of its own, whatever other threads do meanwhile, in
    /// every execution of a test.
    ///
    /// # Panics
    /// If there is no call and no method of this name.
    #[track_caller]
    pub fn wait_free(self, name: &str, steps: u64) -> Self {
        self.progress_as(name, Guarantee::WaitFree(steps))
    }

    #[track_caller]
    fn progress_as(mut self, name: &str, progress: Guarantee) -> Self {
        for id in self.ids_of_method(name) {
            self.invocations[id.index()].progress = progress;
        }
        self
    }

    #[track_caller]
    fn exempt_as(mut self, name: &str, exemption: Exemption) -> Self {
        for id in self.ids_of_method(name) {
            self.invocations[id.index()].exemption = exemption.clone();
        }
        self
    }

    /// Adds a test of one's own: it is tried before those that are made.
    ///
    /// # Panics
    /// If there is no call of one of these names.
    #[track_caller]
    pub fn test<C, S>(mut self, columns: impl IntoIterator<Item = C>) -> Self
    where
        C: IntoIterator<Item = S>,
        S: AsRef<str>,
    {
        let matrix = self.matrix(columns);
        self.own.push(matrix);
        self
    }

    /// A finite test: which calls each thread makes, by their names; with the initial and the last calls of the scenario.
    ///
    /// # Panics
    /// If there is no call of one of these names.
    #[track_caller]
    pub fn matrix<C, S>(&self, columns: impl IntoIterator<Item = C>) -> Matrix
    where
        C: IntoIterator<Item = S>,
        S: AsRef<str>,
    {
        let mut ids = Vec::new();
        for column in columns {
            ids.push(self.ids(column));
        }
        self.matrix_of(&ids)
    }

    pub(super) fn matrix_of(&self, columns: &[Vec<InvocationId>]) -> Matrix {
        Matrix {
            initial: self.entries(&self.initial),
            columns: columns.iter().map(|column| self.entries(column)).collect(),
            last: self.entries(&self.last),
        }
    }

    fn entries(&self, ids: &[InvocationId]) -> Vec<Entry> {
        ids.iter().map(|&id| self.entry(id)).collect()
    }

    pub(super) fn entry(&self, invocation: InvocationId) -> Entry {
        Entry { invocation, name: self.invocations[invocation.index()].name.clone() }
    }

    /// What stands before a call in the order in which it was added.
    pub(crate) fn entries_before(&self, entry: &Entry) -> impl Iterator<Item = Entry> {
        (0..entry.invocation.index()).map(|index| self.entry(InvocationId::new(index)))
    }

    /// The names of what can be called, in the order in which it was added.
    pub fn invocations(&self) -> impl Iterator<Item = &str> {
        self.invocations.iter().map(|one| &*one.name)
    }

    /// The tests of one's own.
    pub fn tests(&self) -> &[Matrix] {
        &self.own
    }

    /// What the structure is called.
    pub fn title(&self) -> &str {
        &self.name
    }

    /// How the constructor is written.
    pub(crate) fn constructor_text(&self) -> &str {
        &self.constructor
    }

    /// All that decides which tests there are and what they do, as far as it can be said, a phrase each.
    pub(crate) fn words(&self) -> Vec<String> {
        let names =
            |ids: &[InvocationId]| ids.iter().map(|id| self.entry(*id).name).collect::<Vec<_>>().join(", ");
        let exempt = |one: &Invocation<T>| match &one.exemption {
            Exemption::None => String::new(),
            exemption => format!(" ({exemption:?})"),
        };
        let progress = |one: &Invocation<T>| match one.progress {
            Guarantee::Unknown => String::new(),
            progress => format!(" ({progress:?})"),
        };
        let calls =
            self.invocations.iter().map(|one| format!("call {}{}{}", one.name, exempt(one), progress(one)));
        let mut words = vec![format!("made by {}", self.constructor)];
        words.extend(calls);
        words.extend(self.sequences.iter().map(|sequence| format!("sequence {}", names(sequence))));
        words.push(format!("initial {}; last {}", names(&self.initial), names(&self.last)));
        words.extend(self.constraints.iter().map(|constraint| format!("{constraint:?}")));
        if self.has_alike_arguments {
            words.extend(self.domains.iter().map(|domain| format!("alike {}", domain.arguments.join(", "))));
        }
        words.extend(self.own.iter().map(ToString::to_string));
        words
    }

    /// What of a call's result does not count.
    pub(crate) fn exemption(&self, invocation: InvocationId) -> &Exemption {
        &self.invocations[invocation.index()].exemption
    }

    /// Whether a call may keep something for its thread.
    pub(crate) fn is_keeping(&self, invocation: InvocationId) -> bool {
        self.invocations[invocation.index()].is_keeping
    }

    /// What a call needs of others to end.
    pub(crate) fn progress(&self, invocation: InvocationId) -> Guarantee {
        self.invocations[invocation.index()].progress
    }

    /// Whether a matrix keeps to all that was said of them.
    pub fn allows(&self, matrix: &Matrix) -> bool {
        self.constraints.iter().all(|constraint| constraint.allows(matrix))
    }

    fn find(&self, name: &str) -> Option<InvocationId> {
        self.invocations.iter().position(|one| &*one.name == name).map(InvocationId::new)
    }

    #[track_caller]
    fn id(&self, name: &str) -> InvocationId {
        self.find(name).unwrap_or_else(|| {
            let known: Vec<_> = self.invocations().map(|known| format!("`{known}`")).collect();
            panic!("the scenario has no call `{name}`: it has {}", known.join(", "))
        })
    }

    /// The call of this name, or all calls of the method of this name.
    #[track_caller]
    fn ids_of_method(&self, name: &str) -> Vec<InvocationId> {
        let is_of_method = |known: &str| known.strip_prefix(name).is_some_and(|rest| rest.starts_with('('));
        let names = self.invocations().enumerate();
        let ids: Vec<_> = names
            .filter(|(_, known)| is_of_method(known))
            .map(|(index, _)| InvocationId::new(index))
            .collect();
        if ids.is_empty() { vec![self.id(name)] } else { ids }
    }

    #[track_caller]
    fn ids<S: AsRef<str>>(&self, names: impl IntoIterator<Item = S>) -> Vec<InvocationId> {
        let mut ids = Vec::new();
        for name in names {
            ids.push(self.id(name.as_ref()));
        }
        ids
    }
}

/// The last segments of a path, without those of its generic arguments.
fn last_segments(path: &str, count: usize) -> String {
    let mut depth = 0_usize;
    let mut starts = vec![0];
    let bytes = path.as_bytes();
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth = depth.saturating_sub(1),
            b':' if depth == 0 && index > 0 && bytes[index - 1] == b':' => starts.push(index + 1),
            _ => {}
        }
    }
    let start = starts.iter().rev().nth(count.saturating_sub(1)).or(starts.first()).copied().unwrap_or(0);
    path[start..].to_owned()
}

#[cfg(test)]
mod tests {
    use super::last_segments;

    #[test]
    fn a_path_is_cut_to_its_last_segments() {
        assert_eq!(last_segments("a::b::Queue", 1), "Queue");
        assert_eq!(last_segments("a::Queue<b::Item>::new", 2), "Queue<b::Item>::new");
        assert_eq!(last_segments("Queue", 2), "Queue");
    }
}
