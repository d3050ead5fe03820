//! The compiler advises a parameter for a missing type among generic arguments, which must not make two errors of one.

struct Row;

#[cdsspec::spec]
#[declare_state(n: usize)]
impl Row {
    #[side_effect(())]
    fn returned(&self) -> Option<Absent> {
        panic!()
    }

    #[side_effect(())]
    fn letter(&self) -> X {
        panic!()
    }

    #[pre_condition(val.is_empty())]
    #[side_effect(())]
    fn parameter(&self, val: Vec<Nowhere>) {
        panic!()
    }
}

struct Register<T>(T);

#[cdsspec::spec(instance(T = u32))]
#[declare_state(n: usize)]
impl<T: Copy> Register<T> {
    #[side_effect(())]
    fn returned(&self) -> Option<Gone> {
        panic!()
    }
}

struct Ring<const N: usize>([u8; N]);

#[cdsspec::spec(instance(N = 2))]
#[declare_state(n: usize)]
impl<const N: usize> Ring<N> {
    #[side_effect(())]
    fn returned(&self) -> Option<Lost> {
        panic!()
    }
}

struct View<'a>(&'a u8);

#[cdsspec::spec]
#[declare_state(n: usize)]
impl<'a> View<'a> {
    #[side_effect(())]
    fn returned(&self) -> Option<Away> {
        panic!()
    }
}

#[cdsspec::specification]
#[derive(Clone, Default)]
struct Shared {
    n: usize,
}

#[cdsspec::spec(for = Shared, object = &*row)]
#[side_effect(())]
fn alone(row: Box<Row>) -> Option<Nothing> {
    panic!()
}

#[cdsspec::spec(for = Shared, object = &*row)]
#[side_effect(())]
fn generic<T>(row: Box<Row>, value: T) -> Option<Vanished> {
    panic!()
}

fn main() {
    Row.returned();
    Row.letter();
    Row.parameter(Vec::new());
    Register(1_u8).returned();
    Ring([1, 2]).returned();
    View(&1).returned();
    alone(Box::new(Row));
    generic(Box::new(Row), 1);
}
