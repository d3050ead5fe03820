//! What a contract says, as plain data: the macros make it, and reports show it.

use std::fmt;

/// A place in a source file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Source {
    /// The file, as the compiler names it.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl Source {
    /// The place of a caller.
    pub fn of(location: &'static std::panic::Location<'static>) -> Self {
        Self { file: location.file(), line: location.line(), column: location.column() }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// How the objects of a type may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contract {
    /// The type.
    pub name: &'static str,
    /// The attribute.
    pub source: Source,
    /// The predefined contract that it is made of, as `spsc`.
    pub kind: Option<&'static str>,
    /// Its event sets.
    pub sets: &'static [DeclaredSet],
    /// The methods that are events, or have conditions.
    pub methods: &'static [Method],
    /// Whether accesses in its methods are no races: the structure answers for them itself.
    ///
    /// # Paper
    /// CSV, section V.2.1: `[[csv::checked]]`.
    pub is_checked: bool,
}

/// An event set of a contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeclaredSet {
    /// Its name.
    pub name: &'static str,
    /// Which events it keeps.
    pub keep: Keep,
}

/// Which events a set keeps.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Keep {
    /// All of them.
    #[default]
    All,
    /// The last of each thread. It says as much as all of them, where the set is only asked whether it is empty, and compared with the current
    /// event: what happens before the last event of a thread happens before that thread's last one's successors, so if the last one happens
    /// before `now`, they all do; and if an earlier one is concurrent with `now`, so is the last, which cannot return before that. Of a call and
    /// those that it makes, the last is the one that returns last: the outer one, which is kept as long as it runs.
    ///
    /// # Paper
    /// CSV, section IV.2: "events occurring in the same thread are totally ordered, only the last needs to be stored".
    Last,
}

/// What a contract says of a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method {
    /// Its name.
    pub name: &'static str,
    /// Where it is.
    pub source: Source,
    /// The role that it has, as `producer`.
    pub role: Option<&'static str>,
    /// Its conditions: those of its role first, else in the order in which they are written.
    pub conditions: &'static [Condition],
    /// The sets that its events are added to when their `expects` have been looked at: indices into [`Contract::sets`].
    pub adds: &'static [usize],
}

/// A condition of a contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Condition {
    /// When it is looked at.
    pub moment: ConditionMoment,
    /// The condition as it is written.
    pub text: &'static str,
    /// What is wrong where it does not hold, in words: "two producers at once (Req. 4)".
    pub says: Option<&'static str>,
    /// How much it is worth.
    pub level: Level,
    /// Where it is written.
    pub source: Source,
}

/// When a condition is looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ConditionMoment {
    /// `expects`: at the invocation.
    Invocation,
    /// `ensures`: at the return.
    Return,
    /// `expects!`: at a statement.
    Statement,
}

/// How much a condition is worth: which ones are looked at is chosen by the highest level that is.
///
/// # Paper
/// CSV, section III.1: the assertion levels of C++ contracts. There an `axiom` is not looked at while the program runs but by tools; this is one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Level {
    /// Cheap.
    #[default]
    Default,
    /// Not cheap.
    Audit,
    /// For tools.
    Axiom,
}

impl Level {
    /// The level of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        [Self::Default, Self::Audit, Self::Axiom].into_iter().find(|level| level.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Audit => "audit",
            Self::Axiom => "axiom",
        }
    }
}

impl Condition {
    /// The condition as an attribute, or a statement, of the general form.
    fn general(&self) -> String {
        let level = match self.level {
            Level::Default => String::new(),
            other => format!(", level = {}", other.name()),
        };
        let says = self.says.map(|says| format!(", says = {says:?}")).unwrap_or_default();
        let arguments = format!("{}{level}{says}", self.text);
        match self.moment {
            ConditionMoment::Invocation => format!("#[expects({arguments})]"),
            ConditionMoment::Return => format!("#[ensures({arguments})]"),
            ConditionMoment::Statement => format!("expects!({arguments});"),
        }
    }
}

impl Contract {
    /// The contract in its general form: what a predefined one, with its roles, stands for.
    pub fn explain(&self) -> String {
        let sets: Vec<&str> = self.sets.iter().map(|set| set.name).collect();
        let mut text = format!("#[contract(event_sets({}))]\nimpl {} {{\n", sets.join(", "), self.name);
        for method in self.methods {
            if let Some(role) = method.role {
                text += &format!("    // {role}\n");
            }
            let (statements, attributes) = method
                .conditions
                .iter()
                .partition::<Vec<&Condition>, _>(|one| one.moment == ConditionMoment::Statement);
            for condition in attributes {
                text += &format!("    {}\n", condition.general());
            }
            for &set in method.adds {
                text += &format!("    #[add_current({})]\n", self.sets[set].name);
            }
            match statements[..] {
                [] => text += &format!("    fn {} {{ … }}\n", method.name),
                _ => {
                    text += &format!("    fn {} {{\n", method.name);
                    statements.iter().for_each(|one| text += &format!("        {}\n", one.general()));
                    text += "    }\n";
                }
            }
        }
        text + "}\n"
    }
}
