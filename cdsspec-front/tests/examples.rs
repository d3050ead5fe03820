//! The examples translate as they stand.
#![expect(clippy::unwrap_used, reason = "test data: a mistake in it fails the test")]

use cdsspec_fence::lsl::parse;

fn translated(source: &str, instance: &[(&str, &str)]) -> String {
    let items = syn::parse_file(source).unwrap().items;
    let instance: Vec<_> = instance
        .iter()
        .map(|(name, value)| (syn::parse_str(name).unwrap(), syn::parse_str(value).unwrap()))
        .collect();
    match cdsspec_front::translate(&items, &instance) {
        Ok(text) => text,
        Err(errors) => {
            let places = errors.iter().map(|error| {
                let start = error.span().start();
                format!("{}:{}: {error}\n", start.line, start.column + 1)
            });
            panic!("{}", places.collect::<String>())
        }
    }
}

macro_rules! examples {
    ($($name:ident: $file:literal, $instance:expr;)*) => {
        $(
            #[test]
            fn $name() {
                let text = translated(include_str!(concat!("../../examples/", $file)), &$instance);
                if std::env::var_os("SHOW").is_some() { println!("{text}"); }
                if let Err(error) = parse(&text) {
                    panic!("{error}\n{text}");
                }
            }
        )*
    };
}

examples! {
    atomic_register: "atomic_register/atomic_register.rs", [];
    coherent: "atomic_register/coherent.rs", [];
    barrier: "barrier/barrier.rs", [("PARTIES", "2")];
    linux_rwlock: "linux_rwlock/linux_rwlock.rs", [];
    mcs_lock: "mcs_lock/mcs_lock.rs", [];
    once_cell: "once_cell/once_cell.rs", [];
    rcu: "rcu/rcu.rs", [];
    relaxed_counter: "relaxed_counter/relaxed_counter.rs", [];
    semaphore: "semaphore/semaphore.rs", [("PERMITS", "2")];
    seqlock: "seqlock/seqlock.rs", [];
    ticket_lock: "ticket_lock/ticket_lock.rs", [];
    treiber_stack: "treiber_stack/treiber_stack.rs", [];
}
