//! Thread-locals: one value a thread, destroyed at its end, the last that was made first.

use super::fail;
use super::lib::sync::mpsc::{Receiver, Sender, channel};
use super::lib::thread;
use super::lib::thread_local;
use std::cell::{Cell, RefCell};

/// Tells its number when it is dropped, and then runs something.
struct Tells(u32, RefCell<Option<Sender<u32>>>, fn(&Sender<u32>));

impl Tells {
    const fn new(number: u32, then: fn(&Sender<u32>)) -> Self {
        Self(number, RefCell::new(None), then)
    }

    fn to(&self, sender: &Sender<u32>) {
        *self.1.borrow_mut() = Some(sender.clone());
    }
}

impl Drop for Tells {
    fn drop(&mut self) {
        if let Some(sender) = self.1.take() {
            sender.send(self.0).unwrap();
            (self.2)(&sender);
        }
    }
}

thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(1) };
    static TEXT: RefCell<String> = RefCell::new("x".repeat(2));
    static FIRST: Tells = const { Tells::new(1, |_| {}) };
    static SECOND: Tells = Tells::new(2, |_| {});
    static THIRD: Tells = {
        SECOND.with(|_| {});
        Tells::new(3, |_| {})
    };
    /// Looks at itself, and at one that is there.
    static LOOKS: Tells = Tells::new(4, |sender| {
        sender.send(40 + u32::from(LOOKS.try_with(|_| {}).is_err())).unwrap();
        sender.send(50 + u32::from(COUNT.try_with(|_| {}).is_err())).unwrap();
    });
    /// Makes another one.
    static MAKES: Tells = Tells::new(5, |sender| FIRST.with(|first| first.to(sender)));
}

/// What is told by a thread that does `f`, when that has ended.
fn told(f: fn(&Sender<u32>)) -> String {
    let (sender, receiver): (_, Receiver<u32>) = channel();
    _ = thread::spawn(move || f(&sender)).join();
    format!("{:?}", receiver.try_iter().collect::<Vec<_>>())
}

table! {
    each_thread_has_its_own ["1 2"] {
        let other = thread::spawn(|| {
            COUNT.set(COUNT.get() + 1);
            COUNT.get()
        });
        let other = other.join().unwrap();
        format!("{} {other}", COUNT.get())
    }
    a_value_stays_in_its_thread ["xx xxy 0"] {
        let before = TEXT.with_borrow(String::clone);
        TEXT.with_borrow_mut(|text| text.push('y'));
        let after = TEXT.take();
        format!("{before} {after} {}", TEXT.with_borrow(String::len))
    }
    a_value_can_be_set_before_it_is_made ["7 z"] {
        thread::spawn(|| {
            COUNT.set(6);
            TEXT.set("z".to_owned());
            COUNT.set(COUNT.replace(0) + 1);
            format!("{} {}", COUNT.get(), TEXT.take())
        })
        .join()
        .unwrap()
    }
    a_value_is_destroyed_before_its_thread_is_joined ["[1]"] {
        told(|sender| FIRST.with(|first| first.to(sender)))
    }
    a_value_that_is_not_made_is_not_destroyed ["[]"] {
        told(|_| {})
    }
    the_value_that_was_made_last_goes_first ["[2, 1]"] {
        told(|sender| {
            FIRST.with(|first| first.to(sender));
            SECOND.with(|second| second.to(sender));
        })
    }
    in_which_order_they_are_declared_does_not_matter ["[1, 2]"] {
        told(|sender| {
            SECOND.with(|second| second.to(sender));
            FIRST.with(|first| first.to(sender));
        })
    }
    a_value_is_made_when_its_maker_returns ["[3, 2]"] {
        told(|sender| {
            THIRD.with(|third| third.to(sender));
            SECOND.with(|second| second.to(sender));
        })
    }
    a_value_that_is_being_destroyed_is_not_there ["[4, 41, 50]"] {
        told(|sender| LOOKS.with(|looks| looks.to(sender)))
    }
    a_destructor_may_make_another_value ["[5, 1]"] {
        told(|sender| MAKES.with(|makes| makes.to(sender)))
    }
    a_panic_destroys_the_values_too ["[1]"] {
        told(|sender| {
            FIRST.with(|first| first.to(sender));
            fail("oh");
        })
    }
}
