//! Every message of the macros, and the errors of one item, collected.
//!
//! A message is lower case without a full stop: what is wrong at these tokens, a colon, what to do. `{}` stands for a name.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};

macro_rules! messages {
    ($($name:ident = $text:literal;)*) => { $(pub(crate) const $name: &str = $text;)* };
}

// Where helpers belong.
messages! {
    ON_THE_IMPL = "put it on the impl, below `#[cdsspec::spec]`";
    ON_A_METHOD = "put it on a method inside a `#[cdsspec::spec]` impl";
    ON_AN_INVOKED_METHOD = "put it on a method inside a `#[cdsspec::scenarios]` impl";
    MISPLACED_HELPER = "`{}` has no meaning here: {}";
    HELPER_ABOVE_SPEC = "`{}` stands above `#[cdsspec::spec]`: {}";
    ON_IMPL_NOT_METHOD = "`{}` says something about a method: put it on a method of this impl";
    ON_METHOD_NOT_IMPL = "`{}` says something about the whole specification: put it on the impl";
    MARKER_ON_ITEM = "`{}` marks an operation: put it on a statement in the body of a method";
    HELPER_ON_OTHER_ITEM = "`{}` says something about a method: this item is not one";
    UNKNOWN_HELPER = "there is no attribute `{}`: did you mean `{}`?";
    DUPLICATE_HELPER = "`{}` is given twice: join the two into one";
}

// The outer attribute and the impl.
messages! {
    UNKNOWN_ARGUMENT = "`{}` is not an argument of `spec`: it takes `state = Type`, `instance(T = Type)`, `for = Specification`, `object = expression` and `crate = path`";
    MALFORMED_ARGUMENT = "this is not an argument of `spec`: write `state = Type`, `instance(T = Type)`, `for = Specification`, `object = expression` or `crate = path`";
    DUPLICATE_ARGUMENT = "`{}` is given twice: keep one";
    TOO_DEEP = "this is nested deeper than {} brackets and operators: give a part of it a name";
    NOT_AN_IMPL = "`spec` stands on an `impl` block, or on a function: put it on the impl that has the methods to specify";
    LONE_METHOD = "`spec` stands on a whole impl: put it above the impl that this method is in";
    LONE_FUNCTION = "a function outside of an impl is a part of a specification: say of which and of what object, `#[cdsspec::spec(for = Specification, object = expression)]`";
    NO_INSTANCE = "`{}` is generic, and no instance of it is named: write `#[cdsspec::spec(instance({} = …))]`, with the one that is specified";
    INSTANCE_OF_NOTHING = "`{}` is not a generic parameter of this impl: `instance` gives each of them a type or a constant";
    INSTANCE_LIFETIME = "an instance cannot hold a reference, which does not live as long as what is recorded: choose a type without lifetimes";
    INSTANCE_NOT_A_TYPE = "this is not a type: write `instance({} = Type)`";
    INSTANCE_NOT_A_CONSTANT = "this is not a constant: write `instance({} = 4)`";
    STATE_TWICE = "the state is given by `state = …` and by `declare_state`: keep one of them";
    STATE_ELSEWHERE = "the state and the rules are those of the specification that this impl is for: say this there, on its struct";
    DECLARED_ON_STRUCT = "the fields of this struct are the state: declare it there";
    METHOD_HELPER_ON_STRUCT = "`{}` says something about a method: put it on one in an impl under `#[cdsspec::spec(for = Specification)]`";
    NOT_A_STRUCT = "`specification` stands on a struct: put it on the struct that is the state";
    GENERIC_SPECIFICATION = "a shared specification is of one type: take the generic parameters away";
    CRATE_ARGUMENT = "this is not an argument of `{}`: it takes `crate = path`";
    STATE_SUPPORT_WITHOUT_STATE = "`{}` is about a state, and there is none: add `#[declare_state(name: Type)]`";
}

// CheckFence. What is outside of the subset of Rust, the front end says.
#[cfg(feature = "fence")]
messages! {
    FENCE_ARGUMENT = "this is not an argument of `fence`: write `instance(N = 2)` or `crate = path`";
    FENCE_INSTANCE = "this is no value of a generic constant: write `instance(N = 2)`";
    FENCE_NOT_A_MODULE = "`fence` stands on a module with its body, `mod queue { … }`: put the structure and what it calls into one";
}

// Scenarios.
messages! {
    SCENARIOS_ARGUMENT = "this is not an argument of `scenarios`: write `threads = 2`, `calls = 2`, `sample = 100`, `seed = 1`, `jobs = 2`, `new = Type::new` or `crate = path`";
    SCENARIO_ARGUMENT = "this is not an argument of `scenario`: write `args(1, 2)`, `range = 1..=3`, `shown`, `once`, `one_thread`, `exempt`, `not_linearizable`, `nonblocking` or `wait_free(steps = 3)`";
    SCENARIOS_NOT_AN_IMPL = "`scenarios` stands on an `impl` block: put it on the impl that has the methods to invoke";
    SCENARIOS_GENERIC = "an object of a generic type cannot be made: put `scenarios` on an impl of one instance";
    SCENARIOS_TRAIT = "`scenarios` stands on an inherent impl: invoke the methods of a trait with `cdsspec::Scenario`";
    SCENARIO_NOT_INVOKABLE = "`{}` cannot be invoked by several threads: it must take `&self`, and be neither async, unsafe nor generic";
    SCENARIO_WITHOUT_VALUES = "`{}` is not invoked with as many values as it has parameters: write `args(1, 2)` or `range = 1..=3` for one, `args((1, 10), (2, 20))` for several";
}

// Contracts.
messages! {
    ON_A_CONTRACT_METHOD = "put it on a method inside a `#[cdsspec::contract(…)]` impl";
    CONTRACT_ARGUMENT = "this is not an argument of `contract`: write `event_sets(name, …)`, `spsc`, `mpsc`, `mpmc`, `single_owner`, `init_once`, `sets = self.place`, `checked` or `crate = path`";
    CONTRACT_NOT_AN_IMPL = "`contract` stands on an `impl` block: put it on the impl that has the methods to be used with care";
    CONTRACT_TWO_KINDS = "`{}` and `{}` are two contracts: choose one, and say the rest by `expects`";
    CONTRACT_WITHOUT_SETS = "a contract is about sets of events, and there are none: write `event_sets(name, …)`, or one of `spsc`, `mpsc`, `mpmc`, `single_owner` and `init_once`";
    CONTRACT_SET_TWICE = "`{}` has a meaning already: choose another name for this set";
    CONTRACT_ADDS_UNKNOWN = "`{}` is not a set of this contract: add it to `event_sets(…)`";
    CONTRACT_ROLE = "`{}` is not a role of `{}`, which has {}: choose one of them, or write `expects` and `add_current`";
    CONTRACT_ROLE_ALONE = "roles are those of a predefined contract, and this one is none: write `#[cdsspec::contract(spsc)]` or another, or `expects` and `add_current`";
    CONTRACT_CONSTRUCTOR = "`{}` has neither a receiver nor returns an object: an event is a call of a method, or makes the object";
    CONTRACT_ASYNC = "an async fn has no one moment in which it runs: take the contract to the functions that it calls and that do not wait";
    CONTRACT_CONST = "a const fn cannot be an event: take `const` away, or say this of a function that calls it";
    CONTRACT_SELF = "`self` is not there when this is looked at: use the event sets, `now`, the parameters by name, and `c_ret` in `ensures`";
    CONTRACT_LENT = "what is returned may hold what `{}` leads to, so that nobody can look at it then: say this of `c_ret`";
    CONTRACT_PART_OBJECT = "a method of the object that is given event sets or `now` would have to be called when the execution is over: give it none, and combine what it returns with the sets here";
    CONTRACT_PART_MACRO = "what `{}!` does with event sets and `{}` cannot be told apart: write this without the macro, or with one of the two";
    CONTRACT_PART_UNSAFE = "this is evaluated also where what stands before it says otherwise, since that is known only later: write an expression without `unsafe`, or put this condition first";
    CONTRACT_LEVEL = "`{}` is not a level: it is `default`, `audit` or `axiom`";
    CONTRACT_SAYS = "this is not a text: write what is wrong between double quotes";
    CONDITION_ARGUMENT = "this is not what `{}` takes: write `#[expects(condition, level = audit, says = text)]`, `#[ensures(…)]` alike, `#[add_current(set)]` or `#[role(name)]`";
}

// Arguments that darling reads.
messages! {
    NOT_AN_ARGUMENT = "`{}` is not an argument of `{}`: it takes {}";
    DID_YOU_MEAN = "`{}` is not an argument of `{}`: did you mean `{}`?";
}

// The arguments of helpers on the impl.
messages! {
    MALFORMED_STATE = "this is not a state: write `#[declare_state(name: Type, …)]`";
    EMPTY_STATE = "`declare_state` declares nothing: write `#[declare_state(name: Type, …)]`";
    UNDECLARED_STATE = "`{}` is no parameter, and there is no state: did you mean to declare it, `#[declare_state({}: Type)]` on the impl?";
    DUPLICATE_STATE = "`{}` is declared twice: rename one of the two";
    RESERVED_STATE = "`{}` has a meaning of its own in clauses: choose another name for this part of the state";
    MALFORMED_ADMIT = "this is not an admissibility rule: write `#[admit(method <-> method, condition)]`";
    ADMIT_UNKNOWN_METHOD = "`{}` is not a method of this impl: a rule names two of its annotated methods";
    ADMIT_PLAIN_METHOD = "`{}` has no specification: give it a clause, such as `#[side_effect(())]`";
    ADMIT_UNKNOWN_VALUE = "`{}` is not a value of `{}`: a rule sees the parameters by name, and `c_ret`";
}

// Methods and clauses.
messages! {
    EMPTY_CLAUSE = "`{}` is empty: write an expression, `#[{}(expression)]`";
    NOT_AN_EXPRESSION = "this is not a Rust expression ({}): write one, or a block";
    ASYNC_METHOD = "an async fn has no one moment in which it runs: specify the functions that it calls and that do not wait";
    CONST_METHOD = "a const fn cannot be recorded: take `const` away, or specify a function that calls it";
    NO_RECEIVER = "`{}` has no receiver, so that it is not known which object it is about: say it, `#[cdsspec::spec(object = expression)]`";
    CONDITIONAL_METHOD = "this `cfg_attr` decides whether the method is there: write the condition as `#[cfg(…)]`";
    CONDITIONAL_HELPER = "`{}` cannot stand in a `cfg_attr`: write it by itself, since a build without checking leaves it out anyway";
    CONDITIONAL_PARAMETER = "`{}` is a parameter under a condition, which is not recorded: do not mention it in the specification";
    RESERVED_PARAMETER = "`{}` has a meaning of its own in clauses: choose another name for this parameter";
    STATE_IS_PARAMETER = "`{}` is a part of the state and a parameter of `{}`: rename one of the two";
    PATTERN_PARAMETER = "`{}` is a part of a pattern, which is not recorded: give the parameter a name, and take it apart in the body";
    UNRECORDED_LIFETIME = "`{}` holds a reference, which cannot be kept after the call: take it by reference or by value, or do not mention it in the specification";
    UNRECORDED_GENERIC = "`{}` has a type that differs from call to call, which cannot be recorded: do not mention it in the specification";
    UNRECORDED_RETURN = "the return value cannot be kept after the call: say what to keep of it, `#[returns(|value| -> Type { … })]`";
    SPECIFIED_TOO_EARLY = "`s_ret` is the value of the side effect, which has not run yet: move this into a post_condition";
    SPECIFIED_WITHOUT_EFFECT = "`s_ret` is the value of the side effect, and there is none: add `#[side_effect(expression)]`";
    OBJECT_IN_CLAUSE = "`self` is gone when clauses run, which is after the execution: use the state, the parameters by name and `c_ret`";
    RECORD_OUTSIDE_RULE = "`{}` is a call of an `admit` rule, and there is none here: use the parameters by name and `c_ret`";
    CONCURRENT_UNKNOWN_METHOD = "`{}` is not a specified method of this impl: `concurrent` has those by name, and `is_empty`, `len` and `all`";
    MALFORMED_RETURNS = "this does not say what to keep of the return value: write `#[returns(|value| -> Type { … })]`";
    RETURNS_UNUSED = "nothing mentions the return value: mention `c_ret` in a clause, or take this away";
}

// Ordering points.
messages! {
    MALFORMED_MARKER = "this is not a condition ({}): write `#[{}]` or `#[{}({})]`";
    MARKER_LABEL = "`{}` has no label: write `#[{}(label)]` or `#[{}(label, condition)]`";
    MARKER_ON_EXPRESSION = "`{}` marks the operation of a statement, and this is only a part of one: put it on the whole statement, or use the macro form, `cdsspec::{}!(…)`";
    MARKER_ON_ARM = "`{}` cannot stand on a match arm: put the macro form, `cdsspec::{}!(…)`, inside the arm";
    MARKER_UNREADABLE = "`{}` cannot read this statement: put the macro form, `cdsspec::{}!(…)`, after the operation";
    MARKER_ON_DECLARATION = "`{}` has nothing to mark, since this does not run: put it on the statement of the operation";
    MARKER_ON_VALUELESS = "`{}` has nothing to mark in a statement without a value: put the macro form, `cdsspec::{}!(…)`, after the operation";
    MARKER_ON_LOOP = "`{}` cannot tell which operation of a loop is meant: put it on a statement inside the loop";
    MARKER_ON_EXIT = "this statement may leave before `{}` runs: put the macro form, `cdsspec::{}!(…)`, after the operation";
    MARKER_ON_LET_ELSE = "`{}` would not run when this `let` takes its `else`: put the macro form, `cdsspec::{}!(…)`, after the operation";
    MARKER_ON_LET_CHAIN = "`{}` cannot tell which part of this condition is meant: put the macro form, `cdsspec::{}!(…)`, after the operation";
    MARKER_ON_NAME = "`{}` has nothing to mark, since no operation runs here: put it on the statement of the operation";
    MARKER_ON_CLOSURE = "a closure runs later: put `{}` on a statement inside it";
    MARKER_ON_ASYNC = "an async block runs later: put `{}` on a statement inside it";
    CONDITION_NOT_YET_BOUND = "`{}` is not there yet when `?` leaves: use the macro form, `cdsspec::{}!(…)`, after the statement";
    HEAD_NOT_YET_BOUND = "`{}` is not there yet when the operation of this head is marked: use the macro form, `cdsspec::{}!(…)`, inside the branch";
}

// The test attribute.
messages! {
    TEST_NOT_A_FN = "`test` stands on a function: put it on the function that is the program to check";
    TEST_ASYNC = "an async fn cannot be checked: take `async` away, and use threads of `cdsspec::thread`";
    TEST_PARAMETERS = "a test takes no parameters: make the values inside its body";
    TEST_GENERIC = "a test cannot be generic: choose the types inside its body";
    TEST_CONST = "a const fn cannot be checked: take `const` away";
    TEST_ARGUMENT = "this is not an argument of `test`: write `name = value`, such as `executions_max = 1000`";
    TEST_VERDICT = "this is not a verdict: write one, such as `verdict = Violated`, or several, `verdict = Violated | Unjustified`";
}

/// Reads tokens to their end. A mistake at the end is at the last of them, and at `place` if there are none: syn by itself would
/// point at the whole attribute.
///
/// # Errors
/// What syn finds.
pub(crate) fn read<T>(
    parser: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
    tokens: &TokenStream,
    place: Span,
) -> syn::Result<T> {
    let last = tokens.clone().into_iter().last();
    let mut group = Group::new(Delimiter::Parenthesis, tokens.clone());
    // The end of what stands between brackets is the closing one.
    group.set_span(last.map_or(place, |token| token.span()));
    let content = |input: ParseStream<'_>| {
        let content;
        syn::parenthesized!(content in input);
        parser(&content)
    };
    content.parse2(TokenTree::from(group).into())
}

/// Puts names in the places of a message.
pub(crate) fn fill(message: &str, names: &[&str]) -> String {
    let mut parts = message.split("{}");
    let mut text = parts.next().unwrap_or_default().to_owned();
    let mut names = names.iter();
    for part in parts {
        text.push_str(names.next().expect("a message has as many names as places"));
        text.push_str(part);
    }
    text
}

/// The mistakes found in one item, in order. Panics if dropped before [`finish`](Self::finish), so that none is lost.
#[derive(Default)]
pub(crate) struct Errors {
    errors: Vec<syn::Error>,
    is_left_to_compiler: bool,
    is_finished: bool,
}

impl Errors {
    /// Notes a mistake at a span.
    pub(crate) fn at(&mut self, span: Span, message: &str, names: &[&str]) {
        self.errors.push(syn::Error::new(span, fill(message, names)));
    }

    /// Notes a mistake at the whole of some tokens.
    pub(crate) fn on(&mut self, tokens: &TokenStream, message: &str, names: &[&str]) {
        self.errors.push(syn::Error::new_spanned(tokens, fill(message, names)));
    }

    /// Notes a mistake that the compiler finds by itself, and that nothing is to be said of.
    pub(crate) fn leave_to_compiler(&mut self) {
        self.is_left_to_compiler = true;
    }

    /// Notes a mistake that has its words already.
    #[cfg(feature = "fence")]
    pub(crate) fn note(&mut self, error: syn::Error) {
        self.errors.push(error);
    }

    /// Notes the mistakes that were found elsewhere.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.is_left_to_compiler |= other.is_left_to_compiler;
        self.errors.append(&mut other.errors);
        other.is_finished = true;
    }

    /// Whether nothing was found.
    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty() && !self.is_left_to_compiler
    }

    /// All of them, as `compile_error!`s; nothing if there are none.
    pub(crate) fn finish(mut self) -> TokenStream {
        self.is_finished = true;
        self.errors.iter().map(syn::Error::to_compile_error).collect()
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        assert!(
            self.is_finished || std::thread::panicking(),
            "cdsspec bug: the errors of an item were dropped unfinished"
        );
    }
}
