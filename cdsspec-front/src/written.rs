//! Types as they are written.

use crate::message::{self, Fail, fail};
use crate::module::Module;
use crate::types::{Integer, Names, Type, UNIT, boxed};
use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments};

impl Module {
    /// Reads a type.
    pub(crate) fn read(&self, ty: &syn::Type, names: &Names) -> Result<Type, Fail> {
        let inner = |ty: &syn::Type| self.read(ty, names).map(boxed);
        Ok(match ty {
            syn::Type::Paren(ty) => self.read(&ty.elem, names)?,
            syn::Type::Group(ty) => self.read(&ty.elem, names)?,
            syn::Type::Never(_) => Type::Never,
            syn::Type::Infer(_) => Type::Unknown,
            syn::Type::Reference(ty) => Type::Reference(inner(&ty.elem)?),
            syn::Type::Ptr(ty) => Type::Raw(inner(&ty.elem)?),
            syn::Type::Tuple(ty) => {
                Type::Tuple(ty.elems.iter().map(|ty| self.read(ty, names)).collect::<Result<_, _>>()?)
            }
            syn::Type::Array(ty) => Type::Array(inner(&ty.elem)?, self.length(&ty.len)?),
            syn::Type::Path(path) if path.qself.is_none() => self.named(&path.path, names)?,
            other => return fail(other, message::TYPE),
        })
    }

    /// Reads a path that names a type.
    pub(crate) fn named(&self, path: &syn::Path, names: &Names) -> Result<Type, Fail> {
        let Some(last) = path.segments.last() else { return fail(path, message::TYPE) };
        let name = last.ident.to_string();
        let arguments = self.arguments(&last.arguments, names)?;
        let first = || arguments.first().cloned().unwrap_or(Type::Unknown);
        if let Some(own) = names.own.as_ref().filter(|_| name == "Self") {
            return Ok(own.replaced(&names.bound));
        }
        if names.elements.contains(&name) {
            return Ok(names.bound.get(&name).cloned().unwrap_or(Type::Element(name)));
        }
        if let Some(structure) = self.structs.get(&name) {
            let mut arguments = arguments;
            arguments.resize(structure.parameters.len(), Type::Unknown);
            return Ok(Type::Struct(name, arguments));
        }
        if let Some(integer) = Integer::named(&name) {
            return Ok(Type::Integer(integer));
        }
        Ok(match name.as_str() {
            "bool" => Type::Bool,
            "Option" => Type::Option(boxed(first())),
            "Result" => {
                Type::Result(boxed(first()), boxed(arguments.get(1).cloned().unwrap_or(Type::Unknown)))
            }
            "Box" => Type::Box(boxed(first())),
            "UnsafeCell" => Type::Cell(boxed(first())),
            "PhantomData" => UNIT,
            "AtomicPtr" => Type::Atomic(boxed(Type::Raw(boxed(first())))),
            "AtomicBool" => Type::Atomic(boxed(Type::Bool)),
            "Ordering" => Type::Order(""),
            _ => {
                let integer = name.strip_prefix("Atomic").map(str::to_lowercase);
                match integer.as_deref().and_then(Integer::named) {
                    Some(integer) => Type::Atomic(boxed(Type::Integer(integer))),
                    None => return Fail::at(path.span(), message::UNKNOWN_TYPE, &[&name]),
                }
            }
        })
    }

    /// The types among generic arguments; lifetimes and constants are left out.
    fn arguments(&self, arguments: &PathArguments, names: &Names) -> Result<Vec<Type>, Fail> {
        let PathArguments::AngleBracketed(arguments) = arguments else { return Ok(Vec::new()) };
        let mut types = Vec::new();
        for argument in &arguments.args {
            match argument {
                GenericArgument::Type(syn::Type::Path(path)) if self.is_constant(&path.path) => {}
                GenericArgument::Type(ty) => types.push(self.read(ty, names)?),
                _ => {}
            }
        }
        Ok(types)
    }
}
