//! What a contract means: its sets, its methods with their conditions, and which events each set must keep.

use super::clause::source_text;
use super::free;
use super::name::specification_name;
use crate::diagnostics::{
    CONTRACT_ADDS_UNKNOWN, CONTRACT_ASYNC, CONTRACT_CONST, CONTRACT_CONSTRUCTOR, CONTRACT_LEVEL,
    CONTRACT_ROLE, CONTRACT_ROLE_ALONE, CONTRACT_SAYS, CONTRACT_SELF, CONTRACT_SET_TWICE, CONTRACT_TWO_KINDS,
    CONTRACT_WITHOUT_SETS, DUPLICATE_HELPER, Errors,
};
use crate::parse::contract::{
    ConditionSyntax, ContractArguments, ContractItem, ContractMethodSyntax, ContractSyntax,
};
use cdsspec_vocabulary::{CONTRACTS, PredefinedContract, Role};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprLit, Lit, ReturnType, Type};

/// A contract, with the impl that it stands on.
pub(crate) struct ContractModel {
    /// Where the crate `cdsspec` is.
    pub(crate) krate: TokenStream,
    /// The type's name, for reports.
    pub(crate) name: String,
    /// The predefined contract.
    pub(crate) kind: Option<&'static str>,
    pub(crate) sets: Vec<SetModel>,
    /// Where the object carries its sets; `self.contract`, if nothing is said.
    pub(crate) place: Option<Expr>,
    pub(crate) is_checked: bool,
    /// In the order of the items that are methods.
    pub(crate) methods: Vec<ContractMethod>,
    pub(crate) syntax: ContractSyntax,
}

/// An event set.
pub(crate) struct SetModel {
    pub(crate) name: Ident,
    /// Whether it is only asked whether it is empty, and compared with the current event: then the last event of each thread is enough.
    pub(crate) keeps_last: bool,
}

/// What is said of a method.
pub(crate) struct ContractMethod {
    pub(crate) role: Option<&'static str>,
    pub(crate) conditions: Vec<ConditionModel>,
    /// Indices of sets.
    pub(crate) adds: Vec<usize>,
    /// Whether it makes the object.
    pub(crate) is_constructor: bool,
}

/// A condition.
pub(crate) struct ConditionModel {
    pub(crate) moment: Moment,
    pub(crate) tokens: TokenStream,
    /// The free variables that are no sets, and not `now` or `c_ret`. In macros each word may be one.
    pub(crate) variables: Vec<Ident>,
    /// Those outside of macros, where it is known that they are.
    pub(crate) locals: Vec<Ident>,
    pub(crate) mentions_return: bool,
    pub(crate) text: String,
    pub(crate) says: Option<String>,
    /// The name of a variant of the level.
    pub(crate) level: &'static str,
    pub(crate) span: Span,
    value: Expr,
}

/// When a condition is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Moment {
    Invocation,
    Return,
    Statement,
}

/// The levels, and the variants that they are.
const LEVELS: [(&str, &str); 3] = [("default", "Default"), ("audit", "Audit"), ("axiom", "Axiom")];

/// Names that conditions have from us, beside the sets.
const OURS: [&str; 5] = ["now", "c_ret", "union", "intersection", "add_current"];

/// Finds what a contract means. Notes every mistake.
///
/// # Errors
/// The impl, if there is any mistake.
pub(crate) fn build(
    arguments: ContractArguments,
    syntax: ContractSyntax,
    errors: &mut Errors,
) -> Result<ContractModel, Box<ContractSyntax>> {
    let kind = kind(&arguments, errors);
    let mut sets = sets(kind, &arguments.sets, errors);
    let methods = syntax.items.iter().filter_map(|item| match item {
        ContractItem::Method(method) => Some(build_method(method, kind, &sets, errors)),
        ContractItem::Other(_) => None,
    });
    let methods: Vec<ContractMethod> = methods.collect();
    if !errors.is_empty() {
        return Err(Box::new(syntax));
    }
    for set in &mut sets {
        let conditions = methods.iter().flat_map(|method| &method.conditions);
        set.keeps_last = conditions.into_iter().all(|condition| is_compared_with_now(condition, &set.name));
    }
    Ok(ContractModel {
        krate: arguments.krate,
        name: specification_name(&syntax.header),
        kind: kind.map(|kind| kind.name),
        sets,
        place: arguments.place,
        is_checked: arguments.is_checked,
        methods,
        syntax,
    })
}

fn kind(arguments: &ContractArguments, errors: &mut Errors) -> Option<&'static PredefinedContract> {
    if let [first, second, ..] = arguments.kinds[..] {
        errors.at(Span::call_site(), CONTRACT_TWO_KINDS, &[first, second]);
    }
    if arguments.kinds.is_empty() && arguments.sets.is_empty() {
        errors.at(Span::call_site(), CONTRACT_WITHOUT_SETS, &[]);
    }
    let name = arguments.kinds.first()?;
    CONTRACTS.iter().find(|known| known.name == *name)
}

fn sets(kind: Option<&PredefinedContract>, own: &[Ident], errors: &mut Errors) -> Vec<SetModel> {
    let predefined = kind.map_or(&[][..], |kind| kind.sets);
    let predefined = predefined.iter().map(|name| Ident::new(name, Span::call_site()));
    let mut sets: Vec<SetModel> = Vec::new();
    for name in predefined.chain(own.iter().cloned()) {
        if sets.iter().any(|set| set.name == name) || OURS.iter().any(|ours| name == ours) {
            errors.at(name.span(), CONTRACT_SET_TWICE, &[&name.to_string()]);
        }
        sets.push(SetModel { name, keeps_last: false });
    }
    sets
}

fn build_method(
    method: &ContractMethodSyntax,
    kind: Option<&PredefinedContract>,
    sets: &[SetModel],
    errors: &mut Errors,
) -> ContractMethod {
    let signature = &method.parts.signature;
    if let Some(token) = &signature.asyncness {
        errors.at(token.span(), CONTRACT_ASYNC, &[]);
    }
    if let Some(token) = &signature.constness {
        errors.at(token.span(), CONTRACT_CONST, &[]);
    }
    let is_constructor = signature.receiver().is_none();
    if is_constructor && !may_return_object(&signature.output) {
        errors.at(signature.ident.span(), CONTRACT_CONSTRUCTOR, &[&signature.ident.unraw().to_string()]);
    }
    if let [_, second, ..] = &method.roles[..] {
        errors.at(second.span(), DUPLICATE_HELPER, &["role"]);
    }
    let role = method.roles.first().and_then(|name| role(name, kind, errors));
    let mut conditions = role.map_or_else(Vec::new, |role| role_conditions(role, &method.roles[0], sets));
    let written = method.conditions.iter().chain(&method.statements);
    conditions.extend(written.filter_map(|condition| build_condition(condition, sets, errors)));
    let mut adds: Vec<usize> = Vec::new();
    let role_adds = role.map(|role| Ident::new(role.adds, method.roles[0].span()));
    for name in role_adds.iter().chain(&method.adds) {
        match sets.iter().position(|set| set.name == *name) {
            Some(index) if !adds.contains(&index) => adds.push(index),
            Some(_) => {}
            None => errors.at(name.span(), CONTRACT_ADDS_UNKNOWN, &[&name.to_string()]),
        }
    }
    ContractMethod { role: role.map(|role| role.name), conditions, adds, is_constructor }
}

/// Whether a function without a receiver may return the object: `Self`, or something that leads to it.
fn may_return_object(output: &ReturnType) -> bool {
    match output {
        ReturnType::Default => false,
        ReturnType::Type(_, ty) => matches!(**ty, Type::Path(_)),
    }
}

fn role(name: &Ident, kind: Option<&PredefinedContract>, errors: &mut Errors) -> Option<&'static Role> {
    let Some(kind) = kind.and_then(|kind| CONTRACTS.iter().find(|known| known.name == kind.name)) else {
        errors.at(name.span(), CONTRACT_ROLE_ALONE, &[]);
        return None;
    };
    let role = kind.roles.iter().find(|role| name == role.name);
    if role.is_none() {
        let roles: Vec<String> = kind.roles.iter().map(|role| format!("`{}`", role.name)).collect();
        errors.at(name.span(), CONTRACT_ROLE, &[&name.to_string(), kind.name, &roles.join(", ")]);
    }
    role
}

fn role_conditions(role: &Role, place: &Ident, sets: &[SetModel]) -> Vec<ConditionModel> {
    let condition = |(text, says): &(&str, &str)| {
        let value: Expr = syn::parse_str(text).expect("the conditions of a role are expressions");
        let (variables, mentions_return) = variables_of(&value, sets);
        ConditionModel {
            moment: Moment::Invocation,
            tokens: value.to_token_stream(),
            variables,
            locals: Vec::new(),
            mentions_return,
            text: (*text).to_owned(),
            says: Some((*says).to_owned()),
            level: "Default",
            span: place.span(),
            value,
        }
    };
    role.expects.iter().map(condition).collect()
}

fn build_condition(
    condition: &ConditionSyntax,
    sets: &[SetModel],
    errors: &mut Errors,
) -> Option<ConditionModel> {
    let value = condition.value.clone();
    let (variables, mentions_return) = variables_of(&value, sets);
    if let Some(object) = variables.iter().find(|name| *name == "self") {
        errors.at(object.span(), CONTRACT_SELF, &[]);
    }
    let level = match condition.level.as_ref().map(|level| level.to_token_stream().to_string()) {
        None => "Default",
        Some(name) => match LEVELS.iter().find(|(known, _)| *known == name) {
            Some((_, variant)) => variant,
            None => {
                errors.on(&condition.level.to_token_stream(), CONTRACT_LEVEL, &[&name]);
                return None;
            }
        },
    };
    let says = match &condition.says {
        None => None,
        Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => Some(text.value()),
        Some(other) => {
            errors.on(&other.to_token_stream(), CONTRACT_SAYS, &[]);
            return None;
        }
    };
    let moment = match condition.name.to_string().as_str() {
        "ensures" => Moment::Return,
        _ if condition.is_statement => Moment::Statement,
        _ => Moment::Invocation,
    };
    let span = value.span();
    Some(ConditionModel {
        moment,
        tokens: condition.tokens.clone(),
        variables,
        locals: variables_of(&without_macros(&value), sets).0,
        mentions_return,
        text: match condition.brackets {
            Some(brackets) => source_text(brackets, &condition.tokens),
            // A `!` stands by itself, if nobody has the source.
            None => condition.tokens.to_string().replace("! ", "!"),
        },
        says,
        level,
        span,
        value,
    })
}

/// The variables of its surroundings that a condition has to keep, and whether it mentions what is returned. What is called, or written as a constant
/// or a type is, is no variable.
fn variables_of(value: &Expr, sets: &[SetModel]) -> (Vec<Ident>, bool) {
    let mut called = Called(Vec::new());
    called.visit_expr_mut(&mut value.clone());
    let all = free::variables(value.clone());
    let mentions_return = all.iter().any(|name| name == "c_ret");
    let is_kept = |name: &Ident| {
        let is_variable =
            name.unraw().to_string().starts_with(|letter: char| letter.is_lowercase() || letter == '_');
        let is_set = sets.iter().any(|set| set.name == *name);
        is_variable && !is_set && !OURS.iter().any(|ours| name == ours) && !called.0.contains(name)
    };
    (all.into_iter().filter(is_kept).collect(), mentions_return)
}

/// An expression with nothing in its macros.
fn without_macros(value: &Expr) -> Expr {
    struct Emptied;
    impl VisitMut for Emptied {
        fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
            mac.tokens = TokenStream::new();
        }
    }
    let mut value = value.clone();
    Emptied.visit_expr_mut(&mut value);
    value
}

/// The functions that an expression calls by a name.
struct Called(Vec<Ident>);

impl VisitMut for Called {
    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        if let Expr::Path(path) = &*call.func {
            self.0.extend(path.path.get_ident().cloned());
        }
        visit_mut::visit_expr_call_mut(self, call);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        // `matches!(x, Some(y))`: what stands before parentheses is called.
        let tokens: Vec<_> = mac.tokens.clone().into_iter().collect();
        for pair in tokens.windows(2) {
            if let [proc_macro2::TokenTree::Ident(name), proc_macro2::TokenTree::Group(_)] = pair {
                self.0.push(name.clone());
            }
        }
    }
}

/// Whether a condition only asks a set whether it is empty, and compares it with the current event, alone or in a union with others.
fn is_compared_with_now(condition: &ConditionModel, set: &Ident) -> bool {
    let mut compared = Compared { set, count: 0 };
    compared.visit_expr_mut(&mut condition.value.clone());
    let mentions = crate::parse::mention::words(&condition.tokens);
    mentions.iter().filter(|word| *word == set).count() == compared.count
}

/// Counts the mentions of a set that ask for no more than the last events.
struct Compared<'a> {
    set: &'a Ident,
    count: usize,
}

impl Compared<'_> {
    fn is_set(&self, value: &Expr) -> bool {
        match value {
            Expr::Path(path) => path.path.get_ident() == Some(self.set),
            Expr::Reference(reference) => self.is_set(&reference.expr),
            Expr::Paren(paren) => self.is_set(&paren.expr),
            _ => false,
        }
    }

    /// How often it is a part of what is asked: by itself, or in `union([…])`.
    fn parts(&self, value: &Expr) -> usize {
        match value {
            Expr::Call(call) if is_name(&call.func, "union") => match call.args.first() {
                Some(Expr::Array(array)) => array.elems.iter().filter(|one| self.is_set(one)).count(),
                _ => 0,
            },
            Expr::Paren(paren) => self.parts(&paren.expr),
            other => usize::from(self.is_set(other)),
        }
    }
}

fn is_name(value: &Expr, name: &str) -> bool {
    matches!(value, Expr::Path(path) if path.path.is_ident(name))
}

impl VisitMut for Compared<'_> {
    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        let is_about_now = call.args.len() == 1 && is_name(&call.args[0], "now");
        let is_comparison = call.method == "happens_before" || call.method == "concurrent";
        if (call.method == "is_empty" && call.args.is_empty()) || (is_comparison && is_about_now) {
            self.count += self.parts(&call.receiver);
        } else if is_comparison && call.args.len() == 1 && is_name(&call.receiver, "now") {
            self.count += self.parts(&call.args[0]);
        }
        visit_mut::visit_expr_method_call_mut(self, call);
    }

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        if is_name(&call.func, "add_current") && call.args.len() == 1 {
            self.count += usize::from(self.is_set(&call.args[0]));
        }
        visit_mut::visit_expr_call_mut(self, call);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_that_is_only_compared_with_now_keeps_the_last_events() {
        let rows = [
            ("!init.is_empty() && init.happens_before(now)", true),
            ("!union([init, prod]).concurrent(now) && now.happens_before(&init)", true),
            ("n > 0 || add_current(init)", true),
            ("(init).concurrent(now)", true),
            ("prod.concurrent(now)", true),
            ("init.len() < 2", false),
            ("init.happens_before(prod)", false),
            ("prod.happens_before(init)", false),
            ("intersection([init, prod]).is_empty()", false),
            ("init.union(prod).concurrent(now)", false),
            ("matches!(init.len(), 1)", false),
            ("!init.is_empty() && f(init)", false),
        ];
        let sets = ["init", "prod"]
            .map(|name| SetModel { name: Ident::new(name, Span::call_site()), keeps_last: false });
        for (text, expected) in rows {
            let value: Expr = syn::parse_str(text).expect("it is an expression");
            let condition = ConditionModel {
                moment: Moment::Invocation,
                tokens: value.to_token_stream(),
                variables: Vec::new(),
                locals: Vec::new(),
                mentions_return: false,
                text: String::new(),
                says: None,
                level: "Default",
                span: Span::call_site(),
                value,
            };
            assert_eq!(is_compared_with_now(&condition, &sets[0].name), expected, "{text}");
        }
        assert_eq!(rows.len(), 12);
    }

    #[test]
    fn what_a_condition_has_to_keep_are_variables() {
        let sets = [SetModel { name: Ident::new("init", Span::call_site()), keeps_last: false }];
        let kept = |text: &str| {
            let value: Expr = syn::parse_str(text).expect("it is an expression");
            let locals = variables_of(&without_macros(&value), &sets).0;
            let names: Vec<String> = locals.iter().map(Ident::to_string).collect();
            (names.join(" "), variables_of(&value, &sets).1)
        };
        assert_eq!(kept("n > MAX && f(m) && init.happens_before(now)"), ("n m".to_owned(), false));
        assert_eq!(kept("matches!(n, Some(m) if m > 0) || c_ret || k"), ("k".to_owned(), true));
        assert_eq!(kept("self.len() > 0"), ("self".to_owned(), false));
    }
}
