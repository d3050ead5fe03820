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
    ($(
        $(#[$text:meta])*
        $setting:ident: $kind:ident $variable:literal $(loom $loom:literal)? $default:literal;
    )*) => {
        /// Those names.
        const SETTINGS: &[&str] = &["name", $(stringify!($setting)),*];

        /// The arguments, each of which may be there.
        #[derive(FromMeta)]
        struct Arguments {
            #[darling(rename = "crate")]
            krate: Option<PathValue>,
            verdict: Option<Verdicts>,
            name: Option<Setting>,
            $($setting: Option<Setting>,)*
        }

        impl Arguments {
            fn settings(self) -> Vec<(Ident, Expr)> {
                let all = [self.name, $(self.$setting),*];
                all.into_iter().flatten().map(|Setting(name, value)| (name, value)).collect()
            }
        }
    };
}

cdsspec_vocabulary::settings!(settings);

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
    /// The arguments as written.
    pub(crate) text: String,
}

/// Reads the arguments; `None` if there is a mistake.
pub(crate) fn parse_arguments(arguments: TokenStream, errors: &mut Errors) -> Option<TestArguments> {
    let settings: Vec<String> = SETTINGS.iter().map(|name| format!("`{name}`")).collect();
    let takes = format!("`crate`, `verdict`, and {}", settings.join(", "));
    let attribute = Attribute { name: "test", takes: &takes, malformed: TEST_ARGUMENT.to_owned() };
    let text = arguments.to_string();
    let mut given: Arguments = meta::read(arguments, &attribute, errors)?;
    Some(TestArguments {
        text,
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
