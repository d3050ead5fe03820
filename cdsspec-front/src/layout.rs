//! Where the words of a value are.

use crate::module::Module;
use crate::types::Type;

impl Type {
    /// How a result is printed: `n` a number, `b` a truth value, `p` a pointer, `(…)`, `?` an option, `!` a result.
    pub(crate) fn shape(&self, module: &Module) -> String {
        let all = |types: &[Self]| types.iter().map(|ty| ty.shape(module)).collect::<String>();
        match self {
            Self::Bool => "b".to_owned(),
            Self::Literal | Self::Integer(_) | Self::Element(_) => "n".to_owned(),
            Self::Reference(_) | Self::Raw(_) | Self::Box(_) => "p".to_owned(),
            Self::Option(item) => format!("?{}", item.shape(module)),
            Self::Result(right, wrong) => format!("!{}{}", right.shape(module), wrong.shape(module)),
            Self::Atomic(inner) | Self::Cell(inner) => inner.shape(module),
            Self::Tuple(items) => format!("({})", all(items)),
            Self::Array(item, length) => format!("({})", item.shape(module).repeat(*length)),
            Self::Struct(..) => format!("({})", all(&module.field_types(self).unwrap_or_default())),
            Self::Unknown | Self::Never | Self::Order(_) | Self::Closure(_) => "()".to_owned(),
        }
    }

    /// The paths to its words, in order: of a struct, tuple or array the index of the item, of an option whether it is some and then the item, of a
    /// result whether it is right and then both.
    pub(crate) fn words(&self, module: &Module) -> Vec<Vec<u32>> {
        let below = |items: &[Self]| {
            let mut words = Vec::new();
            for (index, item) in (0..).zip(items) {
                words.extend(item.words(module).into_iter().map(|path| [vec![index], path].concat()));
            }
            words
        };
        match self {
            _ if self.is_word() => vec![Vec::new()],
            Self::Atomic(inner) | Self::Cell(inner) => inner.words(module),
            Self::Option(item) => below(&[Self::Bool, (**item).clone()]),
            Self::Result(right, wrong) => below(&[Self::Bool, (**right).clone(), (**wrong).clone()]),
            Self::Tuple(items) => below(items),
            Self::Array(item, length) => below(&vec![(**item).clone(); *length]),
            Self::Struct(..) => below(&module.field_types(self).unwrap_or_default()),
            _ => Vec::new(),
        }
    }

    /// How many words it has.
    pub(crate) fn size(&self, module: &Module) -> usize {
        self.words(module).len()
    }
}
