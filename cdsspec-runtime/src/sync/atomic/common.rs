//! What all atomics have, whatever they hold.

/// Defines an atomic: the type, and the operations that all of them have. `[T]` are its parameters.
macro_rules! atomic {
    (
        $(#[$doc:meta])*
        $name:ident $([$parameter:ident])?, $value:ty, $kind:expr,
        to_bits: $to_bits:expr, from_bits: $from_bits:expr
    ) => {
        $(#[$doc])*
        pub struct $name $(<$parameter>)? {
            value: std::sync::atomic::$name $(<$parameter>)?,
            hint: $crate::port::LocationHint,
        }

        impl$(<$parameter>)? $name $(<$parameter>)? {
            /// An atomic with this value.
            pub const fn new(value: $value) -> Self {
                Self { value: std::sync::atomic::$name::new(value), hint: $crate::port::LocationHint::new() }
            }

            /// Loads the value.
            ///
            /// # Panics
            /// If `order` is `Release` or `AcqRel`.
            #[inline(always)]
            #[track_caller]
            pub fn load(&self, order: Ordering) -> $value {
                order::check_load(order);
                self.load_at(here(operation_name!("load", Load), Orders::One(order)), order)
            }

            /// Stores a value.
            ///
            /// # Panics
            /// If `order` is `Acquire` or `AcqRel`.
            #[inline(always)]
            #[track_caller]
            pub fn store(&self, value: $value, order: Ordering) {
                order::check_store(order);
                let place = here(operation_name!("store", Store), Orders::One(order));
                let bits = $to_bits(value);
                let stored = self.target().access(place, order, |port, access| port.store(access, bits));
                if stored.is_none() {
                    self.value.store(value, order);
                }
            }

            /// Stores a value and returns the one before.
            #[inline(always)]
            #[track_caller]
            pub fn swap(&self, value: $value, order: Ordering) -> $value {
                self.read_modify_write(operation_name!("swap", Update), order, $to_bits(value), |_, value| value)
                    .unwrap_or_else(|| self.value.swap(value, order))
            }

            /// Stores `new` if the value is `current`.
            #[cfg_attr(
                not(feature = "loom-api"),
                deprecated(note = "use `compare_exchange` or `compare_exchange_weak` instead")
            )]
            #[inline(always)]
            #[track_caller]
            pub fn compare_and_swap(&self, current: $value, new: $value, order: Ordering) -> $value {
                let place = here(operation_name!("compare_and_swap", CompareExchange), Orders::One(order));
                let orders = place.orders.of_compare_exchange().unwrap_or((order, order));
                match self.compare_exchange_at(place, current, new, orders, false) {
                    Ok(old) | Err(old) => old,
                }
            }

            /// Stores `new` if the value is `current`; returns the value read.
            ///
            /// # Errors
            /// The value read, if it was another one.
            ///
            /// # Panics
            /// If `failure` is `Release` or `AcqRel`.
            #[inline(always)]
            #[track_caller]
            pub fn compare_exchange(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                order::check_failure(failure);
                let place = here(operation_name!("compare_exchange", CompareExchange), Orders::Two(success, failure));
                self.compare_exchange_at(place, current, new, (success, failure), false)
            }

            /// Stores `new` if the value is `current`; returns the value read. May fail even so.
            ///
            /// # Errors
            /// The value read, if nothing was stored.
            ///
            /// # Panics
            /// If `failure` is `Release` or `AcqRel`.
            #[inline(always)]
            #[track_caller]
            pub fn compare_exchange_weak(
                &self,
                current: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                order::check_failure(failure);
                let place = here(operation_name!("compare_exchange_weak", CompareExchange), Orders::Two(success, failure));
                self.compare_exchange_at(place, current, new, (success, failure), true)
            }

            /// Loads the value, and stores what `f` gives for it, until nothing came between. The load and the
            /// compare-exchanges that it consists of have one place.
            ///
            /// # Errors
            /// The value read, if `f` gave `None`.
            ///
            /// # Panics
            /// If `fetch_order` is `Release` or `AcqRel`.
            #[inline(always)]
            #[track_caller]
            pub fn fetch_update<F>(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                f: F,
            ) -> Result<$value, $value>
            where
                F: FnMut($value) -> Option<$value>,
            {
                order::check_load(fetch_order);
                let place = here(operation_name!("fetch_update", FetchUpdate), Orders::Two(set_order, fetch_order));
                self.update_at(place, (set_order, fetch_order), f)
            }

            /// The same as [`fetch_update`](Self::fetch_update).
            ///
            /// # Errors
            /// The value read, if `f` gave `None`.
            ///
            /// # Panics
            /// If `fetch_order` is `Release` or `AcqRel`.
            #[inline(always)]
            #[track_caller]
            pub fn try_update(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                f: impl FnMut($value) -> Option<$value>,
            ) -> Result<$value, $value> {
                order::check_load(fetch_order);
                let place = here(operation_name!("try_update", FetchUpdate), Orders::Two(set_order, fetch_order));
                self.update_at(place, (set_order, fetch_order), f)
            }

            /// Loads the value, and stores what `f` gives for it, until nothing came between; returns the value read. Its operations
            /// are those of [`fetch_update`](Self::fetch_update).
            ///
            /// # Panics
            /// If `fetch_order` is `Release` or `AcqRel`.
            #[inline(always)]
            #[track_caller]
            pub fn update(
                &self,
                set_order: Ordering,
                fetch_order: Ordering,
                mut f: impl FnMut($value) -> $value,
            ) -> $value {
                order::check_load(fetch_order);
                let place = here(operation_name!("update", FetchUpdate), Orders::Two(set_order, fetch_order));
                match self.update_at(place, (set_order, fetch_order), move |old| Some(f(old))) {
                    Ok(old) | Err(old) => old,
                }
            }

            fn update_at(
                &self,
                place: Place,
                (set_order, fetch_order): (Ordering, Ordering),
                mut f: impl FnMut($value) -> Option<$value>,
            ) -> Result<$value, $value> {
                let mut old = self.load_at(place, fetch_order);
                while let Some(new) = f(old) {
                    // What keeps nothing makes the same of the same value.
                    if size_of_val(&f) == 0
                        && let Some(old) = self.exchange_read(place, old, new, set_order)
                    {
                        return Ok(old);
                    }
                    let place = in_our_frame(place);
                    match self.compare_exchange_at(place, old, new, (set_order, fetch_order), true) {
                        Ok(old) => return Ok(old),
                        Err(newer) => old = newer,
                    }
                }
                Err(old)
            }

            /// The value, borrowed. In an execution the object is a new location from here on, whose initial value is
            /// what is written through the reference.
            pub fn get_mut(&mut self) -> &mut $value {
                if let Some(bits) = self.target().peek() {
                    *self.value.get_mut() = $from_bits(bits);
                    $crate::port::with(|execution| execution.renew(&self.hint));
                }
                self.value.get_mut()
            }

            /// The value.
            pub fn into_inner(self) -> $value {
                self.peek()
            }

            #[cfg(feature = "loom-api")]
            /// Runs `f` with the value, borrowed: loom's method of that name. In an execution it is a write that is not atomic: an access of another
            /// thread that is not ordered with it, as one that Rust does not see, is a race.
            #[inline(always)]
            #[track_caller]
            pub fn with_mut<R>(&mut self, f: impl FnOnce(&mut $value) -> R) -> R {
                let place = here(operation_name!("with_mut"), Orders::None);
                let begun = self.begin_plain(place, true);
                let Some(access) = begun else { return f(self.value.get_mut()) };
                let old = self.peek();
                let mut value = old;
                let result = f(&mut value);
                if value != old {
                    let written = $to_bits(value);
                    let place = in_our_frame(place);
                    self.target().access(place, Ordering::Relaxed, |port, access| port.store(access, written));
                }
                $crate::port::with(|execution| execution.port().end_cell(access));
                result
            }

            #[cfg(feature = "loom-api")]
            /// Begins an access that is not atomic; `None` outside an execution.
            #[inline(always)]
            fn begin_plain(&self, place: Place, is_write: bool) -> Option<$crate::port::CellAccess> {
                self.target().access(place, Ordering::Relaxed, |port, access| {
                    port.begin_cell(place, access.location, is_write)
                })
            }

            #[cfg(feature = "loom-api")]
            /// Loads the value without synchronisation, as loom's method of that name. A store that is not ordered with it is a race, which engines
            /// check.
            ///
            /// # Safety
            /// Every store happens before it, or it before the store.
            #[inline(always)]
            #[track_caller]
            pub unsafe fn unsync_load(&self) -> $value {
                let place = here(operation_name!("unsync_load"), Orders::None);
                let access = self.begin_plain(place, false);
                let value = self.load_at(in_our_frame(place), Ordering::Relaxed);
                if let Some(access) = access {
                    $crate::port::with(|execution| execution.port().end_cell(access));
                }
                value
            }

            /// The newest value, without an operation.
            fn peek(&self) -> $value {
                self.target().peek().map_or_else(|| self.value.load(Ordering::Relaxed), $from_bits)
            }

            fn target(&self) -> Target<'_> {
                let initial = $to_bits(self.value.load(Ordering::Relaxed));
                Target { hint: &self.hint, kind: $kind, initial }
            }

            fn load_at(&self, place: Place, order: Ordering) -> $value {
                let bits = self.target().access(place, order, |port, access| port.load(access));
                bits.map_or_else(|| self.value.load(order), $from_bits)
            }

            /// A read-modify-write, which makes `function` of the bits of the old value and of the operand; `None` outside an
            /// execution.
            #[inline(always)]
            #[track_caller]
            fn read_modify_write(
                &self,
                name: OperationName,
                order: Ordering,
                operand: u64,
                function: fn(u64, u64) -> u64,
            ) -> Option<$value> {
                let place = here(name, Orders::One(order));
                let update = $crate::port::Update { operand, function };
                self.target().access(place, order, |port, access| port.update(access, update)).map($from_bits)
            }

            /// An exchange of what was just read, which does not fail, where the engine leaves failures out.
            fn exchange_read(
                &self,
                place: Place,
                old: $value,
                new: $value,
                order: Ordering,
            ) -> Option<$value> {
                let (expected, new) = ($to_bits(old), $to_bits(new));
                let exchanged = self.target().access(place, order, |port, access| {
                    port.exchange_read(access, expected, new)
                });
                exchanged.flatten().map($from_bits)
            }

            fn compare_exchange_at(
                &self,
                place: Place,
                current: $value,
                new: $value,
                (success, failure): (Ordering, Ordering),
                is_weak: bool,
            ) -> Result<$value, $value> {
                let expected = $to_bits(current);
                let bits = $to_bits(new);
                let exchanged = self.target().access(place, success, |port, access| {
                    port.compare_exchange(access, failure, expected, bits, is_weak)
                });
                match exchanged {
                    Some(result) => result.map($from_bits).map_err($from_bits),
                    None if is_weak => self.value.compare_exchange_weak(current, new, success, failure),
                    None => self.value.compare_exchange(current, new, success, failure),
                }
            }
        }

        impl$(<$parameter>)? std::fmt::Debug for $name $(<$parameter>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&self.peek(), f)
            }
        }

        impl$(<$parameter>)? From<$value> for $name $(<$parameter>)? {
            fn from(value: $value) -> Self {
                Self::new(value)
            }
        }
    };
}

/// Defines read-modify-writes `name => |old, value| new` of an atomic.
macro_rules! updates {
    (
        $atomic:ident, $value:ty, to_bits: $to_bits:expr, from_bits: $from_bits:expr,
        $($(#[$doc:meta])* $name:ident => $f:expr;)*
    ) => {
        impl $atomic {$(
            $(#[$doc])*
            #[inline(always)]
            #[track_caller]
            pub fn $name(&self, value: $value, order: Ordering) -> $value {
                let function = |old, operand| {
                    let f: fn($value, $value) -> $value = $f;
                    $to_bits(f($from_bits(old), $from_bits(operand)))
                };
                let name = operation_name!(stringify!($name), Update);
                self.read_modify_write(name, order, $to_bits(value), function)
                    .unwrap_or_else(|| self.value.$name(value, order))
            }
        )*}
    };
}
