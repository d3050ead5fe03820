//! A structure, its objects and operations, and the questions that are asked about it.

use super::call::{Call, Given};
use super::outcome::Outcome;
use super::source::{Function, Source};
use crate::explore::{Exploration, GaveUp, Settings, Verdict};
use crate::lsl::parse;
use crate::lsl::syntax::{Argument, ProcedureName, Program};
use crate::lsl::value::Value;
use crate::memory_model::MemoryModel;
use crate::notation::{DataType, Letter};
use crate::observation::ObservationSet;
use crate::solver::Limits;
use std::collections::BTreeMap;

/// An operation that tests can name.
#[derive(Clone, Debug)]
pub(super) struct Named {
    letter: String,
    pub(super) call: Call,
    pub(super) function: Function,
    /// What its arguments are; those that are open are open over [`Check::arguments`].
    pub(super) arguments: Vec<Given>,
}

/// A structure, and how it is tested.
#[derive(Clone, Debug)]
pub struct Check {
    pub(super) source: Source,
    functions: BTreeMap<String, Function>,
    constructors: BTreeMap<String, Function>,
    /// Names, and the type and the call that makes each.
    pub(super) objects: Vec<(String, String, Call)>,
    pub(super) operations: Vec<Named>,
    arguments: Vec<i64>,
    pub(super) settings: Settings,
}

/// A check of a structure that the attribute `fence` translated: `queue::FENCE`, for a module `queue` under it.
///
/// ```
/// use cdsspec_fence::memory_model::MemoryModel;
/// use cdsspec_fence::structure::{Source, check};
///
/// // What the attribute makes of a register with `read` and `write`, in short.
/// let source = Source::new(
///     "register.rs",
///     "proc Register.new.at(place)() { // Register::new() Register
///        zero = 0
///        field = offset(place, zero)
///        *field = zero na
///      }
///      proc Register.read(self)(result) { // Register::read(p) n
///        zero = 0
///        field = offset(self, zero)
///        result = *field rlx
///      }
///      proc Register.write(self, value)() { // Register::write(p,n) ()
///        zero = 0
///        field = offset(self, zero)
///        *field = value rlx
///      }",
/// );
/// let outcome = check(source.clone())
///     .object("register", "Register::new()")
///     .operation("r", "register.read()")
///     .operation("w", "register.write(_)")
///     .memory_model(MemoryModel::Rc11)
///     .test("w ( rr | w )");
/// assert_eq!(outcome.verdict.name(), "holds");
/// ```
pub fn check(source: Source) -> Check {
    let (functions, constructors) = source.functions();
    Check {
        source,
        functions,
        constructors,
        objects: Vec::new(),
        operations: Vec::new(),
        arguments: vec![0, 1],
        settings: Settings::new(MemoryModel::Rc11),
    }
}

impl Check {
    /// An object of this name, which this call makes before all else: `object("queue", "Queue::new()")`.
    ///
    /// # Panics
    /// If there is no such function in the module, without a receiver, that returns a struct.
    #[must_use]
    #[track_caller]
    pub fn object(mut self, name: &str, made_by: &str) -> Self {
        let call = Call::parse(made_by).unwrap_or_else(|mistake| panic!("`{made_by}`: {mistake}"));
        let Some(function) = self.constructors.get(&call.path) else {
            panic!(
                "`{made_by}`: the module has no function `{}` that makes an object; {}",
                call.path,
                listed(&self.constructors)
            );
        };
        assert_eq!(
            function.parameters.len(),
            call.arguments.len(),
            "`{made_by}`: `{}` takes another number of arguments",
            call.path
        );
        self.objects.push((name.to_owned(), function.returned.clone(), call));
        self
    }

    /// What this letter, or word, is in tests: `operation("e", "queue.enqueue(_)")`. An argument is a number, `true`, `false`, the name of an object
    /// (`&node` as well), or `_`, which is any of [`arguments`](Self::arguments).
    ///
    /// # Panics
    /// If there is no such object, or its type has no such method in the module.
    #[must_use]
    #[track_caller]
    pub fn operation(mut self, letter: &str, called: &str) -> Self {
        let call = Call::parse(called).unwrap_or_else(|mistake| panic!("`{called}`: {mistake}"));
        let (path, mut arguments) = match call.path.split_once('.') {
            Some((object, method)) => {
                let Some((_, ty, _)) = self.objects.iter().find(|(name, ..)| name == object) else {
                    panic!(
                        "`{called}`: there is no object `{object}`: say `object(\"{object}\", \"Type::new()\")` before"
                    );
                };
                (format!("{ty}::{method}"), vec![Given::Object(object.to_owned())])
            }
            None => (call.path.clone(), Vec::new()),
        };
        arguments.extend(call.arguments.iter().cloned());
        let Some(function) = self.functions.get(&path).cloned() else {
            panic!("`{called}`: the module has no function `{path}`; {}", listed(&self.functions));
        };
        assert_eq!(
            function.parameters.len(),
            arguments.len(),
            "`{called}`: `{path}` takes another number of arguments"
        );
        for argument in &arguments {
            if let Given::Object(name) = argument {
                assert!(
                    self.objects.iter().any(|(known, ..)| known == name),
                    "`{called}`: there is no object `{name}`"
                );
            }
        }
        self.operations.push(Named { letter: letter.to_owned(), call, function, arguments });
        self
    }

    /// What an argument `_` may be: 0 and 1 if nothing is said.
    #[must_use]
    pub fn arguments(mut self, values: impl IntoIterator<Item = i64>) -> Self {
        self.arguments = values.into_iter().collect();
        self
    }

    /// Which executions there are: those of [`MemoryModel::Rc11`] if nothing is said.
    #[must_use]
    pub fn memory_model(mut self, memory_model: MemoryModel) -> Self {
        self.settings.memory_model = memory_model;
        self
    }

    /// How many rounds of a loop are looked at, 16 if nothing is said. A loop that may have more comes to `holds_within`.
    #[must_use]
    pub fn rounds(mut self, rounds_max: usize) -> Self {
        self.settings.rounds_max = rounds_max;
        self
    }

    /// How far the solver goes in one question.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// Looks at all executions of a test, as `"e ( ed | de )"`: whether each shows what some order of its operations, one after the other, shows too.
    ///
    /// An execution that shows what no serial one of up to so many [`rounds`](Self::rounds) shows is `inconclusive` if there may be serial ones with more: the report has the
    /// execution.
    ///
    /// # Panics
    /// If the test is not in the notation, or names an operation that there is not.
    #[must_use]
    #[track_caller]
    pub fn test(&self, test: &str) -> Outcome {
        let program = self.program(test);
        let serial = Settings { memory_model: MemoryModel::Serial, ..self.settings.clone() };
        let mined = match Exploration::new(&program, serial).observations() {
            Ok(mined) => mined,
            Err(GaveUp) => {
                return self.outcome(test, &program, Verdict::Inconclusive, None, Default::default());
            }
        };
        let serial = (mined.set.observations.len(), mined.is_bounded);
        if serial.0 == 0 && !mined.set.has_error {
            return self.outcome(test, &program, Verdict::NoExecution, Some(serial), Default::default());
        }
        let mut exploration = Exploration::new(&program, self.settings.clone());
        let verdict = match exploration.check_inclusion(&mined.set) {
            Verdict::Holds if mined.is_bounded => Verdict::HoldsWithin,
            // With more rounds a serial execution may show it, too.
            Verdict::Violated(trace) if mined.is_bounded && !trace.is_error() => {
                return self.doubtful(test, &program, serial, exploration.statistics(), &trace);
            }
            verdict => verdict,
        };
        self.outcome(test, &program, verdict, Some(serial), exploration.statistics())
    }

    /// Panics with the report unless the test holds, or holds within the bounds that are set.
    ///
    /// # Panics
    /// If it does not hold, and as [`test`](Self::test).
    #[track_caller]
    pub fn assert_holds(&self, test: &str) {
        let outcome = self.test(test);
        assert!(matches!(outcome.verdict, Verdict::Holds | Verdict::HoldsWithin), "{outcome}");
    }

    /// What all executions of a test show, and whether loops were cut.
    ///
    /// # Errors
    /// That the solver gave up.
    ///
    /// # Panics
    /// As [`test`](Self::test).
    #[track_caller]
    pub fn observations(&self, test: &str) -> Result<(ObservationSet, bool), GaveUp> {
        let program = self.program(test);
        let mined = Exploration::new(&program, self.settings.clone()).observations()?;
        Ok((mined.set, mined.is_bounded))
    }

    /// The test in LSL.
    ///
    /// # Panics
    /// As [`test`](Self::test).
    #[track_caller]
    pub fn program(&self, test: &str) -> Program {
        let implementation = parse(&self.text()).unwrap_or_else(|mistake| panic!("cdsspec bug: {mistake}"));
        let letters = self.operations.iter().map(|operation| Letter {
            name: operation.letter.clone(),
            procedure: ProcedureName(operation.function.procedure.clone()),
            arguments: Some(operation.given(self)),
        });
        let data_type = DataType {
            implementation,
            prepare: ProcedureName::from(PREPARE),
            letters: letters.collect(),
            arguments: Vec::new(),
        };
        data_type.test(test).unwrap_or_else(|mistake| panic!("`{test}`: {mistake}"))
    }

    /// The module, the objects, and the procedure that makes them.
    fn text(&self) -> String {
        let mut text = String::new();
        for (name, ..) in &self.objects {
            text += &format!("global object.{name}\n");
        }
        text += self.source.text();
        text += &format!("\nproc {PREPARE}()() {{\n");
        for (index, (name, _, call)) in self.objects.iter().enumerate() {
            let mut registers = vec![format!("object{index}")];
            text += &format!("object{index} = &object.{name}\n");
            for (place, argument) in call.arguments.iter().enumerate() {
                let register = format!("argument{index}.{place}");
                text += &format!("{register} = {}\n", argument.value(&self.objects));
                registers.push(register);
            }
            let procedure = &self.constructors[&call.path].procedure;
            text += &format!("{procedure}({})()\n", registers.join(", "));
        }
        text + "}\n"
    }
}

const PREPARE: &str = "prepare.objects";

fn listed(functions: &BTreeMap<String, Function>) -> String {
    let names: Vec<&str> = functions.keys().map(String::as_str).collect();
    if names.is_empty() { "it has none".to_owned() } else { format!("it has {}", names.join(", ")) }
}

impl Named {
    /// Its arguments in a test.
    pub(super) fn given(&self, check: &Check) -> Vec<Argument> {
        let open = |shape: &str| -> Argument {
            let values = if shape == "b" { vec![0, 1] } else { check.arguments.clone() };
            Argument::Open(values.into_iter().map(Value::Number).collect())
        };
        let pairs = self.arguments.iter().zip(&self.function.parameters);
        pairs
            .map(|(given, shape)| match given {
                Given::Open => open(shape),
                given => Argument::Fixed(given.fixed(&check.objects)),
            })
            .collect()
    }
}
