//! The arguments of `test`, and the function that it stands on. Its body stays tokens, as those of methods do.

use super::fragment::opened_item;
use super::item::{FunctionParts, function};
use super::meta::{self, Attribute, PathValue, crate_or_default, path_of, value_of};
use crate::diagnostics::{Errors, TEST_ARGUMENT, TEST_NOT_A_FN, TEST_VERDICT};
use darling::FromMeta;
use proc_macro2::{Ident, TokenStream};
use syn::parse::Parser;
use syn::{BinOp, Expr, Meta, Path};

/// What derives from the names of the arguments that are methods of the builder.
macro_rules! settings {
    ($($setting:ident)*) => {
        /// Those names.
        const SETTINGS: &[&str] = &[$(stringify!($setting)),*];

        /// The arguments, each of which may be there.
        #[derive(FromMeta)]
        struct Arguments {
            #[darling(rename = "crate")]
            krate: Option<PathValue>,
            verdict: Option<Verdicts>,
            $($setting: Option<Setting>,)*
        }

        impl Arguments {
            fn settings(self) -> Vec<(Ident, Expr)> {
                let all = [$(self.$setting),*];
                all.into_iter().flatten().map(|Setting(name, value)| (name, value)).collect()
            }
        }
    };
}

settings! {
    name engine memory_model executions_max duration_max watchdog watchdog_exit preemptions_max branches_max recording_max histories_max histories sc_order seed
    call_clock strict stop_at_first spurious_failures spurious_wakeups loop_rounds_max uninitialised freed leaks stack_bytes
}

/// An argument that is handed on to the builder: its name, with its place, and its value.
struct Setting(Ident, Expr);

impl FromMeta for Setting {
    fn from_meta(meta: &Meta) -> darling::Result<Self> {
        let value = value_of(meta)?.clone();
        let name = meta.path().require_ident()?.clone();
        Ok(Self(name, value))
    }
}

/// `Violated`, `cdsspec::Verdict::Violated`, or several with `|` between them.
struct Verdicts(Vec<Path>);

impl FromMeta for Verdicts {
    fn from_meta(meta: &Meta) -> darling::Result<Self> {
        let value = value_of(meta)?;
        let mut verdicts = Vec::new();
        if !collect_verdicts(value, &mut verdicts) {
            return Err(darling::Error::custom(TEST_VERDICT).with_span(value));
        }
        Ok(Self(verdicts))
    }
}

fn collect_verdicts(value: &Expr, verdicts: &mut Vec<Path>) -> bool {
    match value {
        Expr::Binary(binary) if matches!(binary.op, BinOp::BitOr(_)) => {
            collect_verdicts(&binary.left, verdicts) && collect_verdicts(&binary.right, verdicts)
        }
        Expr::Group(group) => collect_verdicts(&group.expr, verdicts),
        other => {
            verdicts.extend(path_of(other).cloned());
            path_of(other).is_some()
        }
    }
}

/// The arguments of `test`.
pub(crate) struct TestArguments {
    /// Where the crate `cdsspec` is.
    pub(crate) krate: TokenStream,
    /// What the builder is told.
    pub(crate) settings: Vec<(Ident, Expr)>,
    /// The verdicts that are expected; none: that the program holds.
    pub(crate) verdicts: Vec<Path>,
}

/// Reads the arguments; `None` if there is a mistake.
pub(crate) fn parse_arguments(arguments: TokenStream, errors: &mut Errors) -> Option<TestArguments> {
    let settings: Vec<String> = SETTINGS.iter().map(|name| format!("`{name}`")).collect();
    let takes = format!("`crate`, `verdict`, and {}", settings.join(", "));
    let attribute = Attribute { name: "test", takes: &takes, malformed: TEST_ARGUMENT.to_owned() };
    let mut given: Arguments = meta::read(arguments, &attribute, errors)?;
    Some(TestArguments {
        krate: crate_or_default(given.krate.take()),
        verdicts: given.verdict.take().map(|verdicts| verdicts.0).unwrap_or_default(),
        settings: given.settings(),
    })
}

/// Reads the function, whatever its body is; `None` if it is not one.
pub(crate) fn parse_function(item: &TokenStream, errors: &mut Errors) -> Option<FunctionParts> {
    match function.parse2(opened_item(item.clone())) {
        Ok((parts, rest)) if rest.is_empty() => Some(parts),
        _ => {
            errors.on(item, TEST_NOT_A_FN, &[]);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The macro cannot ask the builder, which is in another crate.
    #[test]
    fn every_setting_of_the_builder_is_an_argument() {
        let builder = include_str!("../../../cdsspec-runtime/src/model/builder.rs");
        // They are for programs that try out other memory orders.
        let is_argument = |name: &&str| !["order_overrides", "place_log"].contains(name);
        let settings: Vec<&str> = builder
            .split("pub fn ")
            .filter_map(|part| part.split_once("(mut self, ").map(|(name, _)| name))
            .filter(is_argument)
            .collect();
        assert_eq!(settings, SETTINGS);
    }
}
