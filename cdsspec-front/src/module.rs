//! What a module defines: structs, constants, functions, and which types have a `Drop`.

use crate::code::RESERVED;
use crate::message::{self, Fail, fail};
use crate::types::{Names, Type};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit_mut::VisitMut;
use syn::{
    Attribute, Expr, FnArg, GenericParam, Generics, ImplItem, Item, ItemConst, ItemFn, ItemImpl, Lit,
    TypeParamBound,
};

/// A struct.
pub(crate) struct Struct {
    /// Its generic types.
    pub(crate) parameters: Vec<String>,
    /// Names, or numbers, and types as written.
    pub(crate) fields: Vec<(String, syn::Type)>,
    pub(crate) has_default: bool,
}

/// A function, by its type and its name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct FunctionId {
    pub(crate) own: Option<String>,
    pub(crate) name: String,
}

impl FunctionId {
    /// As users write it.
    pub(crate) fn path(&self) -> String {
        self.own.iter().chain([&self.name]).cloned().collect::<Vec<_>>().join("::")
    }

    /// As LSL has it.
    pub(crate) fn procedure(&self) -> String {
        let name = self.path().replace("::", ".");
        if RESERVED.contains(&name.as_str()) { format!("{name}.function") } else { name }
    }
}

/// A function, with the impl that it stands in.
pub(crate) struct Function {
    pub(crate) signature: syn::Signature,
    pub(crate) block: syn::Block,
    pub(crate) names: Names,
    /// Generic parameters that are functions.
    pub(crate) closures: Vec<String>,
}

/// The first attribute that may take something out of the program.
#[derive(Default)]
struct Configured(Option<Attribute>);

impl VisitMut for Configured {
    fn visit_attribute_mut(&mut self, attribute: &mut Attribute) {
        if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
            self.0.get_or_insert_with(|| attribute.clone());
        }
    }
}

/// What `cfg` says somewhere in an item is not known when it is translated.
fn refuse_configured(item: &Item, errors: &mut Vec<syn::Error>) {
    let is_looked_at = match item {
        Item::Struct(_) | Item::Const(_) | Item::Fn(_) => true,
        Item::Impl(item) => item.trait_.as_ref().is_none_or(|of| of.0.is_ident("Default")),
        _ => false,
    };
    if is_looked_at {
        let mut configured = Configured::default();
        configured.visit_item_mut(&mut item.clone());
        errors.extend(configured.0.map(|attribute| syn::Error::new_spanned(attribute, message::CONFIGURED)));
    }
}

/// All of a module.
#[derive(Default)]
pub(crate) struct Module {
    pub(crate) structs: BTreeMap<String, Struct>,
    pub(crate) functions: BTreeMap<FunctionId, Function>,
    /// In the order of the source.
    pub(crate) order: Vec<FunctionId>,
    pub(crate) constants: BTreeMap<String, ItemConst>,
    /// Constants that are generic, and their values.
    pub(crate) instance: BTreeMap<String, Expr>,
    pub(crate) dropped: BTreeSet<String>,
    /// What is wrong with it.
    pub(crate) errors: Vec<syn::Error>,
}

impl Module {
    /// Collects what stands in a module.
    pub(crate) fn new(items: &[Item], instance: &[(syn::Ident, Expr)]) -> Self {
        let mut module = Self::default();
        module.instance.extend(instance.iter().map(|(name, value)| (name.to_string(), value.clone())));
        items.iter().for_each(|item| refuse_configured(item, &mut module.errors));
        for item in items {
            match item {
                Item::Struct(item) => module.add_struct(item),
                Item::Const(item) => {
                    module.constants.insert(item.ident.to_string(), item.clone());
                }
                _ => {}
            }
        }
        for item in items {
            match item {
                Item::Fn(item) => module.add_free(item),
                Item::Impl(item) => module.add_impl(item),
                _ => {}
            }
        }
        module
    }

    fn add_struct(&mut self, item: &syn::ItemStruct) {
        let fields = item.fields.iter().enumerate().map(|(index, field)| {
            let name = field.ident.as_ref().map_or_else(|| index.to_string(), ToString::to_string);
            (name, field.ty.clone())
        });
        let derives_default = item.attrs.iter().any(|attribute| {
            attribute.path().is_ident("derive")
                && quote::ToTokens::to_token_stream(attribute).to_string().contains("Default")
        });
        let structure = Struct {
            parameters: types_of(&item.generics),
            fields: fields.collect(),
            has_default: derives_default,
        };
        self.structs.insert(item.ident.to_string(), structure);
    }

    fn add_free(&mut self, item: &ItemFn) {
        self.add(None, None, &[], item.sig.clone(), (*item.block).clone());
    }

    fn add_impl(&mut self, item: &ItemImpl) {
        let elements = types_of(&item.generics);
        let names = Names { own: None, elements: elements.clone(), ..Names::default() };
        let Ok(own @ Type::Struct(..)) = self.read(&item.self_ty, &names) else { return };
        let Type::Struct(name, _) = &own else { return };
        let name = name.clone();
        let of_trait = item.trait_.as_ref().and_then(|of| of.0.segments.last());
        match of_trait.map(|last| last.ident.to_string()).as_deref() {
            Some("Drop") => {
                self.dropped.insert(name);
                return;
            }
            None | Some("Default") => {}
            Some(_) => return,
        }
        for item in &item.items {
            match item {
                ImplItem::Fn(item) => {
                    self.add(
                        Some(name.clone()),
                        Some(own.clone()),
                        &elements,
                        item.sig.clone(),
                        item.block.clone(),
                    );
                }
                ImplItem::Const(item) => {
                    // The same as one of the module, whose name has the type in front.
                    let (vis, ident, ty, expr) = (&item.vis, &item.ident, &item.ty, &item.expr);
                    let constant = syn::parse_quote!(#vis const #ident: #ty = #expr;);
                    self.constants.insert(format!("{name}::{ident}"), constant);
                }
                _ => {}
            }
        }
    }

    fn add(
        &mut self,
        own: Option<String>,
        own_type: Option<Type>,
        outer: &[String],
        signature: syn::Signature,
        block: syn::Block,
    ) {
        let closures = closures_of(&signature.generics);
        let mut elements = outer.to_vec();
        elements.extend(types_of(&signature.generics));
        let id = FunctionId { own, name: signature.ident.to_string() };
        if self.functions.contains_key(&id) {
            self.errors.push(syn::Error::new_spanned(&signature.ident, message::DUPLICATE));
        }
        self.order.push(id.clone());
        let names = Names { own: own_type, elements, ..Names::default() };
        self.functions.insert(id, Function { signature, block, names, closures });
    }

    /// The types of a struct's fields, with its arguments in place.
    pub(crate) fn field_types(&self, ty: &Type) -> Option<Vec<Type>> {
        let Type::Struct(name, arguments) = ty else { return None };
        let structure = self.structs.get(name)?;
        let own =
            Type::Struct(name.clone(), structure.parameters.iter().cloned().map(Type::Element).collect());
        let names = Names { own: Some(own), elements: structure.parameters.clone(), ..Names::default() };
        let by = structure.parameters.iter().cloned().zip(arguments.iter().cloned()).collect();
        let fields = structure.fields.iter();
        fields.map(|(_, ty)| Some(self.read(ty, &names).ok()?.replaced(&by))).collect()
    }

    /// The index and the type of a field.
    pub(crate) fn field(&self, ty: &Type, name: &str) -> Option<(u32, Type)> {
        if let Type::Tuple(items) = ty {
            let index: u32 = name.parse().ok()?;
            return Some((index, items.get(index as usize)?.clone()));
        }
        let Type::Struct(structure, _) = ty else { return None };
        let index = self.structs.get(structure)?.fields.iter().position(|(field, _)| field == name)?;
        Some((u32::try_from(index).ok()?, self.field_types(ty)?[index].clone()))
    }

    /// Whether a value of this type runs code of the user's when it is dropped.
    pub(crate) fn is_dropped(&self, ty: &Type) -> bool {
        match ty {
            Type::Struct(name, _) => {
                self.dropped.contains(name)
                    || self.field_types(ty).is_some_and(|fields| fields.iter().any(|ty| self.is_dropped(ty)))
            }
            Type::Box(ty) | Type::Option(ty) | Type::Cell(ty) | Type::Array(ty, _) => self.is_dropped(ty),
            Type::Result(right, wrong) => self.is_dropped(right) || self.is_dropped(wrong),
            Type::Tuple(items) => items.iter().any(|ty| self.is_dropped(ty)),
            _ => false,
        }
    }

    /// Whether its derived default has only zeros: no number but 0, `false`, null pointers, `None`.
    pub(crate) fn is_zero_at_first(&self, ty: &Type) -> bool {
        match ty {
            Type::Bool | Type::Integer(_) | Type::Raw(_) | Type::Option(_) => true,
            Type::Atomic(ty) | Type::Cell(ty) | Type::Array(ty, _) => self.is_zero_at_first(ty),
            Type::Tuple(items) => items.iter().all(|ty| self.is_zero_at_first(ty)),
            Type::Struct(name, _) => {
                self.structs.get(name).is_some_and(|structure| structure.has_default)
                    && self
                        .field_types(ty)
                        .is_some_and(|fields| fields.iter().all(|ty| self.is_zero_at_first(ty)))
            }
            _ => false,
        }
    }

    /// Whether it holds an atomic or a cell by value.
    pub(crate) fn is_shared(&self, ty: &Type) -> bool {
        match ty {
            Type::Atomic(_) => true,
            Type::Struct(..) => {
                self.field_types(ty).is_some_and(|fields| fields.iter().any(|ty| self.is_shared(ty)))
            }
            Type::Option(ty) | Type::Cell(ty) | Type::Array(ty, _) => self.is_shared(ty),
            Type::Result(right, wrong) => self.is_shared(right) || self.is_shared(wrong),
            Type::Tuple(items) => items.iter().any(|ty| self.is_shared(ty)),
            _ => false,
        }
    }

    /// Whether a path names a constant.
    pub(crate) fn is_constant(&self, path: &syn::Path) -> bool {
        path.get_ident()
            .map(ToString::to_string)
            .is_some_and(|name| self.constants.contains_key(&name) || self.instance.contains_key(&name))
    }

    /// The length of an array.
    pub(crate) fn length(&self, length: &Expr) -> Result<usize, Fail> {
        match length {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(number) => number.base10_parse().or_else(|_| fail(length, message::LENGTH)),
                _ => fail(length, message::LENGTH),
            },
            Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
                let constant = self.constants.get(&name).map(|constant| &*constant.expr);
                match constant.or_else(|| self.instance.get(&name)) {
                    Some(value) => self.length(value),
                    None => fail(length, message::LENGTH),
                }
            }
            _ => fail(length, message::LENGTH),
        }
    }
}

/// The generic types that are no functions.
fn types_of(generics: &Generics) -> Vec<String> {
    let closures = closures_of(generics);
    let types = generics.type_params().map(|parameter| parameter.ident.to_string());
    types.filter(|name| !closures.contains(name)).collect()
}

fn is_function(bounds: impl IntoIterator<Item = TypeParamBound>) -> bool {
    bounds.into_iter().any(|bound| match bound {
        TypeParamBound::Trait(bound) => {
            bound.path.segments.last().is_some_and(|last| last.ident.to_string().starts_with("Fn"))
        }
        _ => false,
    })
}

/// The generic types that are functions.
fn closures_of(generics: &Generics) -> Vec<String> {
    let mut closures = Vec::new();
    for parameter in &generics.params {
        let GenericParam::Type(parameter) = parameter else { continue };
        if is_function(parameter.bounds.clone()) {
            closures.push(parameter.ident.to_string());
        }
    }
    for predicate in generics.where_clause.iter().flat_map(|clause| &clause.predicates) {
        if let syn::WherePredicate::Type(predicate) = predicate
            && let syn::Type::Path(path) = &predicate.bounded_ty
            && let Some(name) = path.path.get_ident()
            && is_function(predicate.bounds.clone())
        {
            closures.push(name.to_string());
        }
    }
    closures
}

impl Function {
    /// Whether a parameter is a function, or a memory order: then calls are written out in place.
    pub(crate) fn is_closure(&self, argument: &FnArg) -> bool {
        let FnArg::Typed(argument) = argument else { return false };
        match &*argument.ty {
            syn::Type::ImplTrait(ty) => is_function(ty.bounds.clone()),
            syn::Type::Path(path) => path.path.segments.last().is_some_and(|last| {
                last.ident == "Ordering" || self.closures.contains(&last.ident.to_string())
            }),
            _ => false,
        }
    }

    /// Whether some parameter is one.
    pub(crate) fn has_closures(&self) -> bool {
        self.signature.inputs.iter().any(|argument| self.is_closure(argument))
    }
}
