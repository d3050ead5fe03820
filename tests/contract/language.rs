//! What conditions can say, and what is done about them.

use cdsspec::Verdict::{Holds, Misused, SpecError, Violated};
use cdsspec::contract::Sets;
use cdsspec::model::ContractLevel;
use cdsspec::sync::Mutex;
use cdsspec::{Builder, Outcome};

struct Stack {
    items: Mutex<Vec<u32>>,
    contract: Sets,
}

/// A contract and a specification on one impl, which repeat nothing.
#[cdsspec::contract(event_sets(pushes, small))]
#[cdsspec::spec]
#[declare_state(items: Vec<u32>)]
impl Stack {
    fn new() -> Self {
        Self { items: Mutex::new(Vec::new()), contract: Sets::new() }
    }

    #[expects(item != 7, says = "seven")]
    #[expects(item > 9 || add_current(small))]
    #[ensures(pushes.len() < 4, level = audit, says = "too many")]
    #[ensures(name != "bad" && c_ret == (item > 9), says = "another return")]
    #[add_current(pushes)]
    #[side_effect(items.push(item))]
    fn push(&self, item: u32, name: &str) -> bool {
        let doubled = item * 2;
        cdsspec::expects!(doubled < 100 && pushes.intersection(small).len() < 2, says = "too large");
        #[op_define]
        let mut items = self.items.lock().expect("nobody panics with it");
        items.push(if item == 8 { 9 } else { item });
        item > 9
    }

    #[expects(!pushes.is_empty() || panic!("no push"), level = axiom)]
    #[side_effect(items.pop())]
    fn pop(&self) -> Option<u32> {
        #[op_define]
        let mut items = self.items.lock().expect("nobody panics with it");
        items.pop()
    }
}

/// The same, the other way round.
struct Register {
    word: Mutex<u32>,
    contract: Sets,
}

#[cdsspec::spec]
#[declare_state(word: u32)]
#[cdsspec::contract(single_owner)]
impl Register {
    #[role(init)]
    fn new() -> Self {
        Self { word: Mutex::new(0), contract: Sets::new() }
    }

    #[role(exclusive)]
    #[side_effect(*word = value)]
    fn set(&self, value: u32) {
        #[op_define]
        let mut word = self.word.lock().expect("nobody panics with it");
        *word = if value == 3 { 4 } else { value };
    }

    #[role(exclusive)]
    #[side_effect(*word)]
    fn get(&self) -> u32 {
        #[op_define]
        let word = self.word.lock().expect("nobody panics with it");
        *word
    }
}

fn check(program: fn(&Stack)) -> Outcome {
    Builder::new().check(move || program(&Stack::new()))
}

fn says(outcome: &Outcome) -> &str {
    outcome.report().lines().next().map_or("", |line| line)
}

#[test]
fn conditions_see_parameters_returns_locals_and_sets() {
    assert_eq!(check(|stack| assert!(stack.push(10, "good") && stack.pop() == Some(10))).verdict, Holds);
    type Row = (fn(&Stack), &'static str);
    let rows: [Row; 6] = [
        (|stack| _ = stack.push(7, "good"), "misused: seven: e0 push"),
        (|stack| _ = stack.push(1, "bad"), "misused: another return: e0 push"),
        (|stack| _ = stack.push(50, "good"), "misused: too large: e0 push"),
        (|stack| _ = [1, 2].map(|item| stack.push(item, "good")), "misused: too large: e1 push"),
        (
            |stack| {
                for item in [11, 12, 13, 14] {
                    stack.push(item, "good");
                }
            },
            "misused: too many: e3 push",
        ),
        (
            |stack| _ = stack.pop(),
            "spec_error: the clause `!pushes.is_empty() || panic!(\"no push\")` panicked: no push: make it",
        ),
    ];
    for (program, expected) in rows {
        let outcome = check(program);
        assert!(says(&outcome).starts_with(expected), "{expected}: {outcome}");
    }
}

#[test]
fn a_contract_and_a_specification_stand_on_one_impl() {
    assert_eq!(
        check(|stack| {
            stack.push(8, "good");
            stack.pop();
        })
        .verdict,
        Violated
    );
    let register = |value: u32| {
        Builder::new()
            .check(move || {
                let register = Register::new();
                register.set(value);
                register.get();
            })
            .verdict
    };
    assert_eq!([register(2), register(3)], [Holds, Violated]);
    let shared = Builder::new().check(|| {
        let register = cdsspec::sync::Arc::new(Register::new());
        let other = register.clone();
        let child = cdsspec::thread::spawn(move || other.set(1));
        register.get();
        child.join().expect("it does not panic");
    });
    assert_eq!(shared.verdict, Misused);
    assert!(says(&shared).starts_with("misused: two owners at once (single_owner): "), "{shared}");
}

#[test]
fn levels_choose_what_is_looked_at_and_that_is_said() {
    let check = |level, program: fn(&Stack)| {
        Builder::new().contract_level(level).check(move || program(&Stack::new()))
    };
    let four: fn(&Stack) = |stack| {
        for item in [11, 12, 13, 14] {
            stack.push(item, "good");
        }
    };
    let verdicts = |program| {
        [ContractLevel::Default, ContractLevel::Audit, ContractLevel::Axiom]
            .map(|level| check(level, program).verdict)
    };
    assert_eq!(verdicts(four), [Holds, Misused, Misused]);
    assert_eq!(verdicts(|stack| _ = stack.pop()), [Holds, Holds, SpecError]);
    let left_out = "conditions of contracts above the level `audit` (left out)";
    assert!(check(ContractLevel::Audit, |_| ()).not_modelled.iter().any(|phrase| *phrase == left_out));
}

#[test]
fn all_violations_of_an_execution_are_found_if_that_is_asked_for() {
    let check = |is_all| {
        let program = || {
            let stack = Stack::new();
            _ = [7, 7, 60].map(|item| stack.push(item, "bad"));
        };
        let outcome = Builder::new().contract_continue(is_all).check(program);
        let execution = outcome.details().execution.as_ref().map(|execution| execution.also.len());
        execution.map(|others| 1 + others)
    };
    // Seven twice, another return three times, too large for the second seven and for the last.
    assert_eq!([check(false), check(true)], [Some(1), Some(7)]);
}

#[test]
fn contracts_are_listed_and_explain_themselves() {
    let contracts = cdsspec::contract::contracts();
    let register = contracts.iter().find(|contract| contract.name == "Register");
    let text = register.expect("it is listed").explain();
    let expected = "\
#[contract(event_sets(init, owner))]
impl Register {
    // init
    #[expects(!union([init, owner]).concurrent(now), says = \"an init beside another call (single_owner)\")]
    #[add_current(init)]
    fn new { … }
    // exclusive
    #[expects(!init.is_empty() && init.happens_before(now), says = \"a use that no init happens before (single_owner)\")]
    #[expects(!owner.concurrent(now), says = \"two owners at once (single_owner)\")]
    #[add_current(owner)]
    fn set { … }
";
    assert!(text.starts_with(expected), "{text}");
}
