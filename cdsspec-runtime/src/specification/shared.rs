//! One specification for several impl blocks: a struct that is its state, and the blocks that say they are `for` it.

use super::expansion::{Record, returned};
use super::{Concurrent, Method, Specification};
use crate::record::{MethodId, SourceLocation};
use std::any::{Any, TypeId};
use std::marker::PhantomData;

/// The struct of a shared specification.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a specification",
    label = "put `#[cdsspec::specification]` on this struct"
)]
pub trait SharedSpecification: 'static {
    /// The specification, with the methods of all its blocks.
    fn specification() -> &'static Specification;
}

/// A method of a shared specification, told by [`name_of`] one of its names; with the `R` that is recorded of its calls.
///
/// `R` is a parameter, so that it may hold private types where the specification is public, and that several types may have a method of
/// one name: which of them is meant, must then be said by a longer name.
#[diagnostic::on_unimplemented(
    message = "no method of this name is specified for `{Self}`",
    label = "no impl under `#[cdsspec::spec(for = {Self})]` has a method of this name with clauses"
)]
pub trait SpecifiedMethod<const NAME: u64, R: Record>: 'static {
    /// Its number in the specification.
    fn id() -> MethodId;
}

/// The number of a method of a shared specification.
pub fn method_id<S: SpecifiedMethod<NAME, R>, const NAME: u64, R: Record>() -> MethodId {
    S::id()
}

/// A method of a shared specification that clauses of another block ask for.
pub struct OtherMethod<R> {
    id: MethodId,
    record: PhantomData<fn() -> R>,
}

impl<R> Clone for OtherMethod<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for OtherMethod<R> {}

impl<R: Record> OtherMethod<R> {
    /// The values of its calls among those concurrent with a call; those that are pending have none.
    ///
    /// # Panics
    /// If `R` is not the record of the method: a bug of the macro.
    pub fn calls<'a>(self, concurrent: Concurrent<'a>) -> impl Iterator<Item = &'a R::Returned> + use<'a, R> {
        concurrent.of::<R>(self.id).filter_map(|record| returned::<R>(record))
    }
}

/// The method of this name.
pub fn other_method<S: SpecifiedMethod<NAME, R>, const NAME: u64, R: Record>() -> OtherMethod<R> {
    OtherMethod { id: S::id(), record: PhantomData }
}

/// The values of a call of a method of a shared specification; `None` of one that is pending.
///
/// # Panics
/// If the call is of another method: a bug of the macro.
pub fn returned_of<S: SpecifiedMethod<NAME, R>, const NAME: u64, R: Record>(
    values: &dyn Any,
) -> Option<&R::Returned> {
    returned::<R>(values)
}

/// The methods of one impl that is `for` a shared specification.
pub struct SpecificationBlock {
    /// The type of the struct.
    pub owner: fn() -> TypeId,
    /// Where the impl is.
    pub source: SourceLocation,
    /// Makes the methods.
    pub methods: fn() -> Vec<BlockMethod>,
}

/// A method of a block.
pub struct BlockMethod {
    /// The method.
    pub method: Method,
    /// What it is called, and where another one is called so too, what then: `drop`, `Sender::drop`, `<Sender as Drop>::drop`.
    pub names: &'static [&'static str],
}

/// What the macros submit of a block.
pub struct RegisteredBlock(pub &'static SpecificationBlock);

inventory::collect!(RegisteredBlock);

/// The blocks of a shared specification, in the order of their places, which is that of their methods.
fn blocks(owner: TypeId) -> Vec<&'static SpecificationBlock> {
    let all = inventory::iter::<RegisteredBlock>.into_iter().map(|entry| entry.0);
    let mut blocks: Vec<_> = all.filter(|block| (block.owner)() == owner).collect();
    blocks.sort_by_key(|block| block.source);
    blocks
}

/// The methods of a shared specification, each with the first of its names that no other one has.
pub fn shared_methods<S: SharedSpecification>() -> Vec<Method> {
    let mut all: Vec<BlockMethod> =
        blocks(TypeId::of::<S>()).into_iter().flat_map(|block| (block.methods)()).collect();
    for index in 0..all.len() {
        let is_taken = |name: &str| {
            let others = all.iter().enumerate().filter(|(other, _)| *other != index);
            others.into_iter().any(|(_, other)| other.names.contains(&name))
        };
        let own = all[index].names.iter().find(|name| !is_taken(name)).or(all[index].names.last());
        all[index].method.name = own.copied().unwrap_or(all[index].method.name);
    }
    all.into_iter().map(|one| one.method).collect()
}

/// The number of the first method of a block, in the specification that it is for.
///
/// # Panics
/// If the block is not registered: a bug of the macro.
pub fn first_method(block: &'static SpecificationBlock) -> usize {
    let blocks = blocks((block.owner)());
    let position = blocks.iter().position(|known| std::ptr::eq(*known, block));
    let position = position.expect("cdsspec bug: every block is registered");
    blocks[..position].iter().map(|before| (before.methods)().len()).sum()
}

/// The number by which a method is told in types: FNV-1a of its name.
pub const fn name_of(name: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let mut index = 0;
    while index < name.len() {
        hash = (hash ^ name.as_bytes()[index] as u64).wrapping_mul(0x0100_0000_01b3);
        index += 1;
    }
    hash
}
