//! The programs that are explored.

#![allow(clippy::unit_arg, reason = "a call that returns nothing has a value, too")]

use super::atomic_register::Register;
use super::coherent::CoherentRegister;
use cdsspec::Scenario;
use cdsspec::thread;

/// One thread writes twice, another reads twice; at last there is one answer.
pub(crate) fn write_write__read_read() {
    let register = Register::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            register.write(1);
            register.write(2);
        });
        scope.spawn(|| {
            register.read();
            register.read();
        });
    });
    register.read();
}

/// Two threads write, each reads: its own number, or the other one.
pub(crate) fn write_read__write_read() {
    let register = Register::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            register.write(1);
            register.read();
        });
        scope.spawn(|| {
            register.write(2);
            register.read();
        });
    });
    register.read();
}

/// Two threads write, one reads twice: it may see the writes late, but not go back.
pub(crate) fn coherent() {
    let register = CoherentRegister::default();
    thread::scope(|scope| {
        scope.spawn(|| register.write(1));
        scope.spawn(|| register.write(2));
        scope.spawn(|| {
            register.read();
            register.read();
        });
    });
    register.read();
}

/// What it can be asked to do.
pub(crate) fn scenario() -> Scenario<Register> {
    Scenario::new(Register::default)
        .op_for("write", [1, 2], |register, value| register.write(value).into())
        .op("read()", |register| register.read().into())
}

/// The same of the other one.
pub(crate) fn coherent_scenario() -> Scenario<CoherentRegister> {
    Scenario::new(CoherentRegister::default)
        .op_for("write", [1, 2], |register, value| register.write(value).into())
        .op("read()", |register| register.read().into())
}
