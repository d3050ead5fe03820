//! Which object a call is about: histories are of one object each (CDSSpec, theorem 1).
//!
//! An object is its specification and its instrumented fields, which move with it. So a call is about the object whose fields are
//! found in its memory when it begins. Where nothing is found, the address tells, until the call touches a field.
//!
//! Objects of one specification that lie in each other have different sizes: they have the same fields, and are two. So fields
//! are looked up among objects of one specification and size; a newtype, of the same size, is the same object.
//!
//! A field that is found again is a proof that the object is the same one, but for a field that left its object for another of
//! the same kind: the object most of whose fields are there is meant, and of two with as many the one that was there before.
//! That no field is found again, where some were, is a proof that it is another one, but for an object whose fields were all replaced: that
//! counts as a new object.

use super::{FieldId, ObjectId};
use crate::specification::Specification;

/// An instrumented field that was found in the memory of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeenField {
    /// Where it is.
    pub address: usize,
    /// Which one; `None` of one that another execution met last: a static; or that was used outside of any program, and is not met here.
    pub field: Option<FieldId>,
    /// Whether no execution had met it before.
    pub is_new: bool,
}

/// Among which objects a field is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Kind {
    /// Told by where it is.
    pub(super) specification: *const Specification,
    /// In bytes.
    pub(super) size: usize,
}

/// What is known of each object, in step with `Recording::objects`.
#[derive(Default)]
pub(super) struct ObjectTable(Vec<KnownObject>);

struct KnownObject {
    kind: Kind,
    /// Where it was last; `None` if another one was seen there since.
    address: Option<usize>,
    /// Its fields, each where it was last seen; at one address, one.
    fields: Vec<(usize, Option<FieldId>)>,
}

impl KnownObject {
    fn is_of(&self, kind: Kind) -> bool {
        self.kind == kind
    }

    fn at(&self, address: usize) -> Option<Option<FieldId>> {
        self.fields.iter().find(|(known, _)| *known == address).map(|(_, field)| *field)
    }

    fn has(&self, field: FieldId) -> bool {
        self.fields.iter().any(|(_, known)| *known == Some(field))
    }

    /// Whether all that it had is gone, and other fields are in its place.
    fn is_replaced_by(&self, seen: &[SeenField]) -> bool {
        // One that is new in two calls, since it is not met, is the same one.
        let is_new_there = |seen: &SeenField| {
            seen.is_new && self.at(seen.address).is_some_and(|known| known.is_some() || seen.field.is_some())
        };
        // What another execution has met meanwhile, is a static: it is still there.
        let is_still_there = |seen: &SeenField| seen.field.is_none() && self.at(seen.address).is_some();
        let has_fields = self.fields.iter().any(|(_, field)| field.is_some());
        seen.iter().any(is_new_there)
            || has_fields && seen.iter().any(|seen| seen.field.is_some()) && !seen.iter().any(is_still_there)
    }
}

impl ObjectTable {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// How many objects there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The object of a call that begins, with its address and the fields that were found in it; and whether they told it. Cost:
    /// O(all fields · fields found).
    pub(super) fn resolve(&mut self, kind: Kind, address: usize, seen: &[SeenField]) -> (ObjectId, bool) {
        let is_told = seen.iter().any(|seen| seen.field.is_some());
        let here = self.at(kind, address);
        let object = self
            .owner_of_most(kind, seen, here)
            .or_else(|| here.filter(|&here| !self.0[here].is_replaced_by(seen)))
            .unwrap_or_else(|| self.add(kind));
        self.place(object, address);
        for seen in seen {
            self.give(object, seen.address, seen.field);
        }
        (ObjectId::new(object), is_told)
    }

    /// The object of a running call that touches a field, where it lies at the address `begin`. `is_told`: whether fields have told the
    /// object of the call; else this one does.
    pub(super) fn touch(
        &mut self,
        object: ObjectId,
        (begin, address): (usize, usize),
        field: FieldId,
        is_told: bool,
    ) -> ObjectId {
        let known = &self.0[object.index()];
        if known.at(address) == Some(Some(field)) {
            return object;
        }
        let kind = known.kind;
        let touched = match self.owner(kind, field) {
            // Another one's field, which the call has moved here: what the call is about stays.
            Some(_) if is_told => return object,
            None if is_told => object.index(),
            Some(owner) => owner,
            // Another field was there.
            None if known.at(address).flatten().is_some() => self.add(kind),
            None => object.index(),
        };
        self.place(touched, begin);
        self.give(touched, address, Some(field));
        ObjectId::new(touched)
    }

    /// Whether nothing is known of an object but where it was.
    pub(super) fn is_without_fields(&self, object: ObjectId) -> bool {
        self.0[object.index()].fields.is_empty()
    }

    fn of_kind(&self, kind: Kind) -> impl Iterator<Item = usize> {
        (0..self.0.len()).filter(move |&index| self.0[index].is_of(kind))
    }

    fn at(&self, kind: Kind, address: usize) -> Option<usize> {
        self.of_kind(kind).find(|&index| self.0[index].address == Some(address))
    }

    fn owner(&self, kind: Kind, field: FieldId) -> Option<usize> {
        self.of_kind(kind).find(|&index| self.0[index].has(field))
    }

    /// The object most of whose fields were found; of those with as many the one that was here, else the one of the first field.
    fn owner_of_most(&self, kind: Kind, seen: &[SeenField], here: Option<usize>) -> Option<usize> {
        let fields = seen.iter().filter_map(|seen| seen.field);
        let owners: Vec<usize> = fields.filter_map(|field| self.owner(kind, field)).collect();
        let count = |object: usize| owners.iter().filter(|&&owner| owner == object).count();
        // Of the greatest, the last one is taken.
        owners.iter().rev().copied().max_by_key(|&owner| (count(owner), Some(owner) == here))
    }

    fn add(&mut self, kind: Kind) -> usize {
        self.0.push(KnownObject { kind, address: None, fields: Vec::new() });
        self.0.len() - 1
    }

    /// The object is here, and no other one of its kind.
    fn place(&mut self, object: usize, address: usize) {
        let kind = self.0[object].kind;
        if let Some(other) = self.at(kind, address) {
            self.0[other].address = None;
        }
        self.0[object].address = Some(address);
    }

    /// The object has this field here, and no other one of its kind has it.
    fn give(&mut self, object: usize, address: usize, field: Option<FieldId>) {
        if let Some(field) = field
            && let Some(owner) = self.owner(self.0[object].kind, field)
        {
            self.0[owner].fields.retain(|(_, known)| *known != Some(field));
        }
        let fields = &mut self.0[object].fields;
        match fields.iter_mut().find(|(known, _)| *known == address) {
            Some((_, known)) if field.is_some() => *known = field,
            Some(_) => (),
            None => fields.push((address, field)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind { specification: std::ptr::null(), size: 24 };

    fn field(address: usize, index: usize) -> SeenField {
        SeenField { address, field: Some(FieldId::new(index)), is_new: false }
    }

    fn new_field(address: usize, index: usize) -> SeenField {
        SeenField { is_new: true, ..field(address, index) }
    }

    /// A field that another execution has met.
    fn elsewhere(address: usize) -> SeenField {
        SeenField { address, field: None, is_new: false }
    }

    /// A field that was used outside of any program, and no execution has met.
    fn outside(address: usize) -> SeenField {
        SeenField { is_new: true, ..elsewhere(address) }
    }

    /// The objects of calls one after the other: where they are, and what is found in them.
    fn objects<const N: usize>(calls: [(usize, &[SeenField]); N]) -> [usize; N] {
        let mut table = ObjectTable::default();
        calls.map(|(address, seen)| table.resolve(KIND, address, seen).0.index())
    }

    #[test]
    fn a_field_tells_the_object_and_an_address_only_where_no_field_is_found() {
        let (a, b) = (&[field(64, 1)], &[field(128, 2)]);
        assert_eq!(
            objects([(64, a), (128, b), (64, &[field(64, 2)]), (128, &[field(128, 1)])]),
            [0, 1, 1, 0]
        );
        assert_eq!(objects([(64, &[]), (128, &[]), (64, &[])]), [0, 1, 0]);
        assert_eq!(objects([(64, a), (64, &[]), (64, a)]), [0, 0, 0]);
        assert_eq!(objects([(64, a), (64, &[new_field(64, 2)]), (64, &[])]), [0, 1, 1]);
        // The one that was here has gone elsewhere.
        assert_eq!(objects([(64, a), (128, &[field(128, 1)]), (64, &[])]), [0, 0, 1]);
    }

    #[test]
    fn new_fields_in_the_place_of_those_that_were_found_make_a_new_object() {
        assert_eq!(objects([(64, &[field(64, 1)]), (64, &[new_field(64, 2)])]), [0, 1]);
        assert_eq!(objects([(64, &[field(64, 1)]), (64, &[field(72, 2)])]), [0, 1]);
        assert_eq!(
            objects([(64, &[field(64, 1), field(72, 2)]), (64, &[new_field(64, 3), field(72, 2)])]),
            [0, 0]
        );
        assert_eq!(objects([(64, &[]), (64, &[new_field(64, 1)])]), [0, 0]);
    }

    #[test]
    fn what_another_execution_has_met_meanwhile_is_still_there() {
        assert_eq!(
            objects([(64, &[field(64, 1)]), (64, &[elsewhere(64)]), (64, &[field(64, 1)])]),
            [0, 0, 0]
        );
        assert_eq!(objects([(64, &[field(64, 1)]), (64, &[elsewhere(64), field(72, 2)])]), [0, 0]);
        assert_eq!(objects([(64, &[elsewhere(64)]), (64, &[field(64, 1)])]), [0, 0]);
        assert_eq!(
            objects([(64, &[field(64, 1)]), (64, &[elsewhere(64)]), (256, &[field(256, 1)])]),
            [0, 0, 0]
        );
        // But for what is constructed in its place, or is another field.
        assert_eq!(objects([(64, &[field(64, 1)]), (64, &[field(64, 2), elsewhere(72)])]), [0, 1]);
        assert_eq!(objects([(64, &[elsewhere(64)]), (64, &[new_field(64, 1)])]), [0, 1]);
        assert_eq!(
            objects([(64, &[field(64, 1), field(72, 2)]), (64, &[elsewhere(64), new_field(72, 3)])]),
            [0, 1]
        );
    }

    #[test]
    fn what_was_used_outside_stays_until_it_is_met_and_replaces_what_was_met() {
        assert_eq!(
            objects([
                (64, &[outside(64)]),
                (64, &[outside(64)]),
                (64, &[field(64, 1)]),
                (64, &[field(64, 1)])
            ]),
            [0, 0, 0, 0]
        );
        assert_eq!(objects([(64, &[field(64, 1)]), (64, &[outside(64)]), (64, &[outside(64)])]), [0, 1, 1]);
        assert_eq!(objects([(64, &[field(64, 1)]), (64, &[outside(72)]), (64, &[field(64, 1)])]), [0, 0, 0]);
    }

    #[test]
    fn of_several_objects_the_one_with_most_fields_is_meant_then_the_one_that_was_here_then_that_of_the_first()
     {
        let (a, b) = (&[field(64, 1), field(72, 2)], &[field(128, 3), field(136, 4)]);
        assert_eq!(objects([(64, a), (128, b), (64, &[field(64, 3), field(72, 2)])]), [0, 1, 0]);
        assert_eq!(objects([(64, a), (128, b), (128, &[field(128, 1), field(136, 4)])]), [0, 1, 1]);
        assert_eq!(objects([(64, a), (128, b), (256, &[field(256, 3), field(264, 2)])]), [0, 1, 1]);
        let three = &[field(64, 3), field(72, 4), field(80, 1)];
        assert_eq!(objects([(64, a), (128, b), (64, three), (256, &[field(256, 1)])]), [0, 1, 1, 1]);
    }

    #[test]
    fn objects_of_other_sizes_and_specifications_have_the_same_fields_and_are_others() {
        let mut table = ObjectTable::default();
        let mut object = |kind| table.resolve(kind, 64, &[field(64, 1)]).0.index();
        let other = std::ptr::NonNull::<Specification>::dangling().as_ptr();
        let others = [Kind { size: 16, ..KIND }, Kind { specification: other, ..KIND }];
        assert_eq!([object(KIND), object(others[0]), object(others[1]), object(KIND)], [0, 1, 2, 0]);
    }

    /// A call at this address in which nothing was found touches a field there; whether it is told by that.
    fn touched(table: &mut ObjectTable, address: usize, index: usize) -> usize {
        let (object, is_told) = table.resolve(KIND, address, &[]);
        assert!(!is_told);
        table.touch(object, (address, address), FieldId::new(index), is_told).index()
    }

    #[test]
    fn the_first_field_that_a_call_touches_tells_the_object_where_none_was_found() {
        let mut table = ObjectTable::default();
        let objects = [(64, 1), (128, 2), (64, 2), (64, 1), (64, 3), (64, 3)];
        assert_eq!(objects.map(|(address, index)| touched(&mut table, address, index)), [0, 1, 1, 0, 2, 2]);
        // It is here from now on.
        assert_eq!(touched(&mut table, 256, 1), 0);
        assert_eq!(table.resolve(KIND, 256, &[]).0.index(), 0);
    }

    #[test]
    fn a_field_of_another_object_that_is_touched_later_tells_nothing() {
        let mut table = ObjectTable::default();
        let (a, b) = ([field(64, 1)], [field(128, 2), field(136, 3)]);
        let (first, is_told) = table.resolve(KIND, 64, &a);
        table.resolve(KIND, 128, &b);
        assert_eq!(table.touch(first, (64, 64), FieldId::new(2), is_told), first);
        assert_eq!(table.resolve(KIND, 256, &[field(256, 2)]).0.index(), 1);
        // But one of nobody is the object's.
        assert_eq!(table.touch(first, (64, 72), FieldId::new(4), is_told), first);
        assert_eq!(table.resolve(KIND, 512, &[field(512, 4)]).0, first);
    }
}
