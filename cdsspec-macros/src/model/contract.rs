//! What a contract means: its sets, its methods with their conditions, and which events each set must keep.

use super::clause::source_text;
use super::name::specification_name;
use super::part::{Cut, PartModel, split};
use super::pattern::names_in;
use crate::diagnostics::{
    CONTRACT_ADDS_UNKNOWN, CONTRACT_ASYNC, CONTRACT_CONST, CONTRACT_CONSTRUCTOR, CONTRACT_LENT,
    CONTRACT_LEVEL, CONTRACT_ROLE, CONTRACT_ROLE_ALONE, CONTRACT_SAYS, CONTRACT_SELF, CONTRACT_SET_TWICE,
    CONTRACT_TWO_KINDS, CONTRACT_WITHOUT_SETS, DUPLICATE_HELPER, Errors,
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
use syn::{Expr, ExprLit, FnArg, Lit, ReceiverKind, ReturnType, Signature, Type};

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
    /// If it makes the object: in what it returns it.
    pub(crate) maker: Option<Maker>,
    /// Parameters by `&mut` that are looked at when the call returns.
    pub(crate) lent: Vec<Ident>,
}

/// What a constructor returns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Maker {
    /// The object, or what leads to it.
    Always,
    /// A `Result` of that.
    Result,
    /// An `Option` of that.
    Option,
}

/// A condition.
pub(crate) struct ConditionModel {
    pub(crate) moment: Moment,
    pub(crate) tokens: TokenStream,
    /// What of an `ensures` is evaluated when the call begins: what is about parameters that it may consume.
    pub(crate) early: Vec<PartModel>,
    /// What is evaluated where the condition is looked at.
    pub(crate) parts: Vec<PartModel>,
    /// The condition over these.
    pub(crate) rest: Expr,
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
    let maker = signature.receiver().is_none().then(|| maker(&signature.output));
    if maker == Some(None) {
        errors.at(signature.ident.span(), CONTRACT_CONSTRUCTOR, &[&signature.ident.unraw().to_string()]);
    }
    if let [_, second, ..] = &method.roles[..] {
        errors.at(second.span(), DUPLICATE_HELPER, &["role"]);
    }
    let role = method.roles.first().and_then(|name| role(name, kind, errors));
    let mut conditions = role.map_or_else(Vec::new, |role| role_conditions(role, &method.roles[0]));
    let surroundings = Surroundings::of(signature, sets);
    for condition in method.conditions.iter().chain(&method.statements) {
        let number = conditions.len();
        conditions.extend(build_condition(condition, &surroundings, number, errors));
    }
    let lent = surroundings.lent(signature, &conditions, errors);
    let mut adds: Vec<usize> = Vec::new();
    let role_adds = role.map(|role| Ident::new(role.adds, method.roles[0].span()));
    for name in role_adds.iter().chain(&method.adds) {
        match sets.iter().position(|set| set.name == *name) {
            Some(index) if !adds.contains(&index) => adds.push(index),
            Some(_) => {}
            None => errors.at(name.span(), CONTRACT_ADDS_UNKNOWN, &[&name.to_string()]),
        }
    }
    let maker = maker.flatten();
    ContractMethod { role: role.map(|role| role.name), conditions, adds, maker, lent }
}

/// In what a function without a receiver may return the object: `Self`, something that leads to it, or a `Result` or an `Option` of that.
fn maker(output: &ReturnType) -> Option<Maker> {
    let ReturnType::Type(_, ty) = output else { return None };
    let Type::Path(path) = &**ty else { return None };
    let last = path.path.segments.last()?;
    Some(match last.ident.to_string().as_str() {
        "Result" => Maker::Result,
        "Option" => Maker::Option,
        _ => Maker::Always,
    })
}

/// What the conditions of a method may mention.
struct Surroundings<'a> {
    sets: &'a [SetModel],
    /// Parameters by value, which the call may consume.
    owned: Vec<Ident>,
    /// Parameters by `&`.
    shared: Vec<Ident>,
    /// Parameters by `&mut`.
    unique: Vec<Ident>,
    has_receiver: bool,
    /// Whether the receiver is still there when the call returns: it is one by `&`.
    keeps_receiver: bool,
}

impl<'a> Surroundings<'a> {
    fn of(signature: &Signature, sets: &'a [SetModel]) -> Self {
        let (mut owned, mut shared, mut unique) = (Vec::new(), Vec::new(), Vec::new());
        for input in &signature.inputs {
            if let FnArg::Typed(typed) = input {
                let names = names_in(&typed.pat);
                match &*typed.ty {
                    Type::Reference(reference) if reference.mutability.is_some() => unique.extend(names),
                    Type::Reference(_) => shared.extend(names),
                    _ => owned.extend(names),
                }
            }
        }
        let keeps = |kind: &ReceiverKind| match kind {
            ReceiverKind::Reference(_, _, mutability) => mutability.is_none(),
            ReceiverKind::Typed(_, ty) => {
                matches!(&**ty, Type::Reference(reference) if reference.mutability.is_none())
            }
            _ => false,
        };
        let receiver = signature.receiver();
        Self {
            sets,
            owned,
            shared,
            unique,
            has_receiver: receiver.is_some(),
            keeps_receiver: receiver.is_some_and(|receiver| keeps(&receiver.kind)),
        }
    }

    /// Takes a condition apart: what of it is evaluated when the call begins, what where it is looked at, and the rest.
    fn split(
        &self,
        value: &Expr,
        (moment, number): (Moment, usize),
        errors: &mut Errors,
    ) -> (Vec<PartModel>, Vec<PartModel>, Expr) {
        let is_here = match moment {
            Moment::Return => self.keeps_receiver,
            Moment::Invocation | Moment::Statement => self.has_receiver,
        };
        if !is_here && let Some(object) = crate::parse::mention::find_value(&value.to_token_stream(), "self")
        {
            errors.at(object.span(), CONTRACT_SELF, &[]);
        }
        let mut rest = value.clone();
        let is_of_order = |name: &Ident| {
            self.sets.iter().any(|set| set.name == *name)
                || OURS.iter().any(|ours| *ours != "c_ret" && name == ours)
        };
        let is_later = |name: &Ident| {
            let is_kept = self.shared.contains(name) || self.unique.contains(name);
            is_of_order(name) || is_kept || name == "self" || name == "c_ret"
        };
        let references: Vec<Ident> = self.shared.iter().chain(&self.unique).cloned().collect();
        let mut early = Vec::new();
        if moment == Moment::Return {
            let prefix = format!("__cdsspec_early_{number}");
            let cut = Cut { late: &is_later, wanted: Some(&self.owned), references: &[], prefix };
            early = split(&mut rest, &cut, errors);
        }
        let prefix = format!("__cdsspec_part_{number}");
        let cut = Cut { late: &is_of_order, wanted: None, references: &references, prefix };
        let parts = split(&mut rest, &cut, errors);
        (early, parts, rest)
    }

    /// The parameters by `&mut` that an `ensures` mentions.
    fn lent(&self, signature: &Signature, conditions: &[ConditionModel], errors: &mut Errors) -> Vec<Ident> {
        let ensures = conditions.iter().filter(|condition| condition.moment == Moment::Return);
        let words: Vec<Ident> =
            ensures.flat_map(|condition| crate::parse::mention::words(&condition.tokens)).collect();
        let lent: Vec<Ident> = self.unique.iter().filter(|name| words.contains(name)).cloned().collect();
        if may_borrow(signature.output.to_token_stream()) {
            for name in &lent {
                let word = words.iter().find(|word| *word == name).unwrap_or(name);
                errors.at(word.span(), CONTRACT_LENT, &[&name.unraw().to_string()]);
            }
        }
        lent
    }
}

/// Whether a type says that it holds a reference, or may.
fn may_borrow(ty: TokenStream) -> bool {
    ty.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Punct(punct) => matches!(punct.as_char(), '&' | '\''),
        proc_macro2::TokenTree::Ident(name) => name == "impl",
        proc_macro2::TokenTree::Group(group) => may_borrow(group.stream()),
        proc_macro2::TokenTree::Literal(_) => false,
    })
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

/// They are over sets alone: all of each is the rest.
fn role_conditions(role: &Role, place: &Ident) -> Vec<ConditionModel> {
    let condition = |(text, says): &(&str, &str)| {
        let value: Expr = syn::parse_str(text).expect("the conditions of a role are expressions");
        ConditionModel {
            moment: Moment::Invocation,
            tokens: value.to_token_stream(),
            early: Vec::new(),
            parts: Vec::new(),
            rest: value.clone(),
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
    surroundings: &Surroundings<'_>,
    number: usize,
    errors: &mut Errors,
) -> Option<ConditionModel> {
    let value = condition.value.clone();
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
    let (early, parts, rest) = surroundings.split(&value, (moment, number), errors);
    Some(ConditionModel {
        moment,
        tokens: condition.tokens.clone(),
        early,
        parts,
        rest,
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
                early: Vec::new(),
                parts: Vec::new(),
                rest: value.clone(),
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
}
