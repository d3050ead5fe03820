//! Syntax → meaning. If a model exists, it is valid.

mod clause;
mod contract;
mod free;
mod index;
mod instance;
mod method;
mod name;
mod part;
mod pattern;
mod rule;
mod scenario;
mod state;
mod test;
mod undeclared;
mod value;

pub(crate) use clause::{ClauseKind, ClauseModel};
pub(crate) use contract::{
    ConditionModel, ContractMethod, ContractModel, Maker, Moment, build as build_contract,
};
pub(crate) use instance::{InstanceArgument, ParameterKind};
pub(crate) use method::{MarkerModel, MethodModel, attribute_markers};
pub(crate) use part::{PartKind, PartModel};
pub(crate) use pattern::names_in;
pub(crate) use rule::{RuleModel, RuledMethod};
pub(crate) use scenario::{InvocationModel, ScenariosModel, ValuesModel};
pub(crate) use state::StateModel;
pub(crate) use test::TestModel;
pub(crate) use value::{Kept, Returned, closed, with_lifetime, without_self};

use crate::diagnostics::{
    DECLARED_ON_STRUCT, Errors, GENERIC_SPECIFICATION, HELPER_ON_OTHER_ITEM, LONE_FUNCTION, LONE_METHOD,
    MARKER_ON_ITEM, METHOD_HELPER_ON_STRUCT, ON_IMPL_NOT_METHOD, ON_METHOD_NOT_IMPL, STATE_ELSEWHERE,
};
use crate::parse::arguments::SpecArguments;
use crate::parse::helper::{Helper, IMPL_HELPERS, MARKERS, METHOD_HELPERS, conditions};
use crate::parse::item::{FunctionSyntax, ImplSyntax, ItemSyntax};
use crate::parse::structure::{Unit, structure};
use name::{specification_name, trait_name, type_texts};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::HashSet;
use syn::Type;
use syn::ext::IdentExt;
use syn::visit_mut::VisitMut;
use value::SelfTypes;

/// A specification.
pub(crate) struct SpecModel {
    /// Where the crate `cdsspec` is.
    pub(crate) krate: TokenStream,
    /// How much of a specification the item is.
    pub(crate) part: Part,
    /// The `#[cfg]`s that the item stands under, below the outer attribute.
    pub(crate) conditions: TokenStream,
    /// The specified type, where it is named outside of the impl.
    pub(crate) self_type: TokenStream,
    /// What stands before `::` for `Self` outside of the impl.
    pub(crate) self_path: TokenStream,
    /// What stands for each generic parameter; nothing, if there is none.
    pub(crate) instance: Vec<InstanceArgument>,
    /// The generic parameters of the impl.
    pub(crate) generics: syn::Generics,
    /// The object, where it is not `self`.
    pub(crate) object: Option<syn::Expr>,
    /// Its name, for reports.
    pub(crate) name: String,
    /// The texts by which a rule can name the type; of a function there are none.
    type_texts: Vec<String>,
    /// The trait that the impl is of, in a word.
    trait_name: Option<String>,
    /// The sequential state.
    pub(crate) state: StateModel,
    /// The methods that have clauses.
    pub(crate) methods: Vec<MethodModel>,
    /// The admissibility rules.
    pub(crate) rules: Vec<RuleModel>,
    /// The functions of the item that do operations, as far as their source tells.
    pub(crate) structures: Vec<StructureModel>,
}

/// A function with its structure tree.
pub(crate) struct StructureModel {
    /// Its name.
    pub(crate) name: String,
    /// The `#[cfg]`s that it stands under.
    pub(crate) conditions: TokenStream,
    /// What it does.
    pub(crate) units: Vec<Unit>,
}

/// An impl, or a function outside of one, with its specification.
pub(crate) struct ImplModel {
    /// What is specified.
    pub(crate) specification: SpecModel,
    /// The item, whose functions the methods are of.
    pub(crate) item: ImplSyntax,
}

/// The struct of a shared specification.
pub(crate) struct SharedModel {
    /// What is specified.
    pub(crate) specification: SpecModel,
    /// The struct, without helpers.
    pub(crate) item: syn::ItemStruct,
}

/// How much of a specification an item is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// All of it.
    Whole,
    /// Some of its methods: the item is `for` a specification.
    Methods,
    /// The state and the rules.
    Shared,
}

/// Finds what the struct of a shared specification means. Notes every mistake.
///
/// # Errors
/// The struct, if there is any mistake.
pub(crate) fn build_shared(
    krate: TokenStream,
    item: syn::ItemStruct,
    helpers: &[Helper],
    errors: &mut Errors,
) -> Result<SharedModel, Box<syn::ItemStruct>> {
    refuse(helpers, &METHOD_HELPERS, METHOD_HELPER_ON_STRUCT, errors);
    refuse(helpers, &MARKERS, MARKER_ON_ITEM, errors);
    refuse(helpers, &["declare_state"], DECLARED_ON_STRUCT, errors);
    if !item.generics.params.is_empty() {
        errors.on(&item.generics.to_token_stream(), GENERIC_SPECIFICATION, &[]);
    }
    let name = &item.ident;
    let others: Vec<&Helper> = helpers.iter().filter(|helper| helper.name != "declare_state").collect();
    let ty = Type::Path(syn::TypePath { attrs: Vec::new(), qself: None, path: name.clone().into() });
    let state = state::build(Some(ty), &others, errors);
    let rules = rule::build(helpers, None, errors);
    if !errors.is_empty() {
        return Err(Box::new(item));
    }
    let specification = SpecModel {
        krate,
        part: Part::Shared,
        conditions: conditions(&item.attrs),
        self_type: name.to_token_stream(),
        self_path: name.to_token_stream(),
        instance: Vec::new(),
        generics: syn::Generics::default(),
        object: None,
        name: name.to_string(),
        type_texts: Vec::new(),
        trait_name: None,
        state,
        methods: Vec::new(),
        rules,
        structures: Vec::new(),
    };
    Ok(SharedModel { specification, item })
}

/// What is known of an impl with a mistake.
pub(crate) struct Unspecified {
    /// The impl.
    pub(crate) item: ImplSyntax,
    /// Its state.
    pub(crate) state: StateModel,
}

/// Finds what an impl means. Notes every mistake.
///
/// # Errors
/// The impl and its state, if there is any mistake.
pub(crate) fn build(
    arguments: SpecArguments,
    item: ImplSyntax,
    errors: &mut Errors,
) -> Result<ImplModel, Box<Unspecified>> {
    let syntax = &item;
    let header = &syntax.header;
    let instance = instance::build(&arguments.instance, header, errors);
    if syntax.is_function && (arguments.shared.is_none() || arguments.object.is_none()) {
        refuse_alone(syntax, errors);
    }
    check_places(syntax, errors);
    let (part, state) = build_state(arguments.shared, arguments.state, syntax, errors);
    let functions: Vec<&FunctionSyntax> = functions(syntax).collect();
    let rules = match part {
        Part::Methods => Vec::new(),
        _ => rule::build(&syntax.helpers, Some(&functions), errors),
    };
    let other_items = syntax.items.iter().filter_map(|item| match item {
        ItemSyntax::Other(tokens, _) => Some(tokens),
        ItemSyntax::Function(_) => None,
    });
    let self_types = SelfTypes::new(&header.self_ty, other_items);
    let subject = method::Subject {
        state: &state,
        rules: &rules,
        self_types: &self_types,
        has_object: arguments.object.is_some() || syntax.is_function,
        is_shared: part == Part::Methods,
    };
    let methods = method::build(&functions, &subject, errors);
    if part == Part::Whole && state.fields.is_empty() && errors.is_empty() {
        undeclared::check(&methods, errors);
    }
    if !errors.is_empty() {
        return Err(Box::new(Unspecified { item, state }));
    }
    let (self_type, self_path) = self_outside(header);
    let structures = structures(&functions);
    let specification = SpecModel {
        krate: arguments.krate,
        part,
        conditions: conditions_of(syntax),
        self_type,
        self_path,
        instance,
        generics: header.generics.clone(),
        object: arguments.object,
        name: specification_name(header),
        type_texts: if syntax.is_function { Vec::new() } else { type_texts(header) },
        trait_name: trait_name(header),
        state,
        methods,
        rules,
        structures,
    };
    Ok(ImplModel { specification, item })
}

/// The structure trees of those functions that do something.
fn structures(functions: &[&FunctionSyntax]) -> Vec<StructureModel> {
    let name = |function: &FunctionSyntax| function.signature.ident.unraw().to_string();
    let own: HashSet<String> = functions.iter().map(|function| name(function)).collect();
    let structure = |function: &&FunctionSyntax| StructureModel {
        name: name(function),
        conditions: conditions(&function.attributes),
        units: structure(function.braces.stream(), &own),
    };
    functions.iter().map(structure).filter(|structure| !structure.units.is_empty()).collect()
}

/// What the impl is of its specification, and the state: its own, or that of the specification that it names.
fn build_state(
    shared: Option<syn::Type>,
    own: Option<syn::Type>,
    syntax: &ImplSyntax,
    errors: &mut Errors,
) -> (Part, StateModel) {
    let Some(shared) = shared else {
        let helpers: Vec<&Helper> = syntax.helpers.iter().collect();
        return (Part::Whole, state::build(own, &helpers, errors));
    };
    refuse(&syntax.helpers, &IMPL_HELPERS, STATE_ELSEWHERE, errors);
    if let Some(ty) = own {
        errors.on(&ty.to_token_stream(), STATE_ELSEWHERE, &[]);
    }
    (Part::Methods, state::build(Some(shared), &[], errors))
}

/// The specified type where it is named outside of the impl, and what stands before `::` for `Self` there.
fn self_outside(header: &syn::ItemImpl) -> (TokenStream, TokenStream) {
    let outside = |tokens| with_lifetime(tokens, &quote::quote!('static));
    let mut header = header.clone();
    value::AllStatic.visit_type_mut(&mut header.self_ty);
    let self_type = outside(closed(&header.self_ty));
    let self_path = match &mut header.trait_ {
        Some((path, _)) => {
            value::AllStatic.visit_path_mut(path);
            let path = outside(path.to_token_stream());
            quote::quote!(<#self_type as #path>)
        }
        None => quote::quote!(<#self_type>),
    };
    (self_type, self_path)
}

/// A function that does not say of what it is a part; a method stands in what it is a part of.
fn refuse_alone(syntax: &ImplSyntax, errors: &mut Errors) {
    let signature = functions(syntax).next().map(|function| &function.signature);
    let is_method = signature.is_some_and(|signature| signature.receiver().is_some());
    let message = if is_method { LONE_METHOD } else { LONE_FUNCTION };
    errors.on(&signature.map(|signature| &signature.ident).to_token_stream(), message, &[]);
}

fn conditions_of(syntax: &ImplSyntax) -> TokenStream {
    match functions(syntax).next() {
        Some(function) if syntax.is_function => conditions(&function.attributes),
        _ => conditions(&syntax.header.attrs),
    }
}

/// The functions of an impl.
pub(crate) fn functions(syntax: &ImplSyntax) -> impl Iterator<Item = &FunctionSyntax> {
    syntax.items.iter().filter_map(|item| match item {
        ItemSyntax::Function(function) => Some(&**function),
        ItemSyntax::Other(..) => None,
    })
}

/// Looks for helpers that stand in the wrong place.
fn check_places(syntax: &ImplSyntax, errors: &mut Errors) {
    refuse(&syntax.helpers, &METHOD_HELPERS, ON_IMPL_NOT_METHOD, errors);
    refuse(&syntax.helpers, &MARKERS, MARKER_ON_ITEM, errors);
    for item in &syntax.items {
        match item {
            ItemSyntax::Function(function) => {
                refuse(&function.helpers, &IMPL_HELPERS, ON_METHOD_NOT_IMPL, errors);
                refuse(&function.helpers, &MARKERS, MARKER_ON_ITEM, errors);
            }
            ItemSyntax::Other(_, helpers) => {
                refuse(helpers, &IMPL_HELPERS, ON_METHOD_NOT_IMPL, errors);
                refuse(helpers, &METHOD_HELPERS, HELPER_ON_OTHER_ITEM, errors);
                refuse(helpers, &MARKERS, MARKER_ON_ITEM, errors);
            }
        }
    }
}

fn refuse(helpers: &[Helper], names: &[&str], message: &str, errors: &mut Errors) {
    for helper in helpers.iter().filter(|helper| names.iter().any(|name| helper.name == name)) {
        errors.at(helper.name.span(), message, &[&helper.name.to_string()]);
    }
}

impl SpecModel {
    /// What a rule of a shared specification can call a method, the shortest name first: `drop`, `Sender::drop`, `Sender<i32>::drop`,
    /// `<Sender<i32> as Drop>::drop`.
    pub(crate) fn names(&self, method: &MethodModel) -> Vec<String> {
        let name = method.name.unraw().to_string();
        let mut names: Vec<String> = self.type_texts.iter().map(|ty| format!("{ty}::{name}")).collect();
        if let Some(name_of_trait) = &self.trait_name {
            names.extend(self.type_texts.iter().map(|ty| format!("<{ty} as {name_of_trait}>::{name}")));
        }
        names.insert(0, name);
        names
    }
}
