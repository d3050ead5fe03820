//! What all atomics have, whatever they hold.

/// Defines an atomic: the type, and the operations that all of them have. `[T]` are its parameters.
macro_rules! atomic {
    ($(#[$doc:meta])* $name:ident $([$parameter:ident])?, $value:ty) => {
        $(#[$doc])*
        pub struct $name $(<$parameter>)? {
            value: std::sync::atomic::$name $(<$parameter>)?,
            released: $crate::threads::released::Released,
        }

        impl$(<$parameter>)? $name $(<$parameter>)? {
            /// An atomic with this value.
            pub const fn new(value: $value) -> Self {
                Self {
                    value: std::sync::atomic::$name::new(value),
                    released: $crate::threads::released::Released::new(),
                }
            }

            /// Loads the value.
            ///
            /// # Panics
            /// If `order` is `Release` or `AcqRel`.
            #[inline(always)]
            #[track_caller]
            pub fn load(&self, order: Ordering) -> $value {
                order::check_load(order);
                for_order!(order, |order| self.released.load(order, || self.value.load(order.get())))
            }

            /// Stores a value.
            ///
            /// # Panics
            /// If `order` is `Acquire` or `AcqRel`.
            #[inline(always)]
            #[track_caller]
            pub fn store(&self, value: $value, order: Ordering) {
                order::check_store(order);
                for_order!(order, |order| self.released.store(order, || self.value.store(value, order.get())));
            }

            /// Stores a value and returns the one before.
            #[inline(always)]
            #[track_caller]
            pub fn swap(&self, value: $value, order: Ordering) -> $value {
                for_order!(order, |order| self.released.update(order, || self.value.swap(value, order.get())))
            }

            /// Stores `new` if the value is `current`.
            #[deprecated(note = "use `compare_exchange` or `compare_exchange_weak` instead")]
            #[inline(always)]
            #[track_caller]
            pub fn compare_and_swap(&self, current: $value, new: $value, order: Ordering) -> $value {
                let failure = match order {
                    Ordering::AcqRel => Ordering::Acquire,
                    Ordering::Release => Ordering::Relaxed,
                    order => order,
                };
                match self.compare_exchange(current, new, order, failure) {
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
                self.released.exchange(success, failure, || {
                    self.value.compare_exchange(current, new, success, failure)
                })
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
                self.released.exchange(success, failure, || {
                    self.value.compare_exchange_weak(current, new, success, failure)
                })
            }

            /// Loads the value, and stores what `f` gives for it, until nothing came between.
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
                self.try_update(set_order, fetch_order, f)
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
                mut f: impl FnMut($value) -> Option<$value>,
            ) -> Result<$value, $value> {
                let mut old = self.load(fetch_order);
                while let Some(new) = f(old) {
                    match self.compare_exchange_weak(old, new, set_order, fetch_order) {
                        Ok(old) => return Ok(old),
                        Err(newer) => old = newer,
                    }
                }
                Err(old)
            }

            /// Loads the value, and stores what `f` gives for it, until nothing came between; returns the value read.
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
                match self.try_update(set_order, fetch_order, move |old| Some(f(old))) {
                    Ok(old) | Err(old) => old,
                }
            }

            /// The value, borrowed. What was released with it is released no more: to have it alone is an order of its own.
            pub fn get_mut(&mut self) -> &mut $value {
                self.released.renew();
                self.value.get_mut()
            }

            /// The value.
            pub fn into_inner(self) -> $value {
                self.value.into_inner()
            }
        }

        impl$(<$parameter>)? std::fmt::Debug for $name $(<$parameter>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&self.value, f)
            }
        }

        impl$(<$parameter>)? From<$value> for $name $(<$parameter>)? {
            fn from(value: $value) -> Self {
                Self::new(value)
            }
        }
    };
}

/// Defines read-modify-writes of an atomic that std has by the same name.
macro_rules! updates {
    ($atomic:ident, $value:ty, $($(#[$doc:meta])* $name:ident;)*) => {
        impl $atomic {$(
            $(#[$doc])*
            #[inline(always)]
            #[track_caller]
            pub fn $name(&self, value: $value, order: Ordering) -> $value {
                for_order!(order, |order| self.released.update(order, || self.value.$name(value, order.get())))
            }
        )*}
    };
}
