//! Programs with loops.

use super::{Draft, FENCE_ORDERS, LOAD_ORDERS, Random, STORE_ORDERS, UPDATE_ORDERS};
use crate::syntax::{Instruction, Litmus, Location, LocationIndex, LocationKind, Operand, RegisterIndex};

/// A program of 2 or 3 threads over 2 locations, some of which loop: until a load gives a value, with a flag, a counter or the last value
/// kept, over read-modify-writes, under a lock, for two conditions; with fences in the rounds, and accesses before and after.
pub fn looping_program(random: &mut Random, name: String) -> Litmus {
    let mut draft = Draft::new(name);
    if random.below(8) == 0 {
        let (name, kind) = ("m".to_string(), LocationKind::Lock);
        draft.test.locations.push(Location { name, initial: 0, kind });
    }
    let thread_count = random.pick(&[2, 2, 2, 3]);
    let looping = random.below(thread_count);
    for thread in 0..thread_count {
        draft.begin_thread(thread);
        let code = if thread == looping || random.below(4) == 0 {
            draft.looping_thread(random)
        } else {
            let count = random.pick(&[1, 1, 2, 2, 3]);
            (0..count).map(|_| draft.change(random)).collect()
        };
        draft.test.threads.push(code);
    }
    draft.finish()
}

/// Sets a register to a number.
fn set(register: RegisterIndex, value: i64) -> Instruction {
    Instruction::Move { register, value: Operand::Number(value) }
}

/// `IF register value { body }`.
fn when(register: RegisterIndex, value: i64, body: Vec<Instruction>) -> Instruction {
    Instruction::If { register, value: Operand::Number(value), body }
}

/// `LOOP register value { body }`.
fn until(register: RegisterIndex, value: i64, body: Vec<Instruction>) -> Instruction {
    Instruction::Loop { register, value: Operand::Number(value), body }
}

impl Draft {
    fn looping_thread(&mut self, random: &mut Random) -> Vec<Instruction> {
        let mut code = Vec::new();
        if random.below(3) == 0 {
            code.push(self.instruction(random));
        }
        let mut parts = self.repeated(random);
        if let Some(Instruction::Loop { body, .. }) = parts.last_mut()
            && random.below(5) == 0
        {
            let at = random.below(body.len() + 1);
            body.insert(at, Instruction::Fence { order: random.pick(FENCE_ORDERS) });
        }
        code.extend(parts);
        for _ in 0..random.pick(&[0, 1, 1, 2]) {
            code.push(self.instruction(random));
        }
        code
    }

    /// What others wait for: mostly a write.
    fn change(&mut self, random: &mut Random) -> Instruction {
        if random.below(3) == 0 {
            return self.instruction(random);
        }
        let value = Operand::Number(random.pick(&[0, 1, 1, 1, 2]));
        let location = LocationIndex(random.below(2));
        Instruction::Write { location, value, order: Some(random.pick(STORE_ORDERS)) }
    }

    /// A loop, its last part, with what stands before it.
    fn repeated(&mut self, random: &mut Random) -> Vec<Instruction> {
        match random.below(18) {
            0..2 => self.await_value(random),
            2 | 3 => self.await_with_flag(random),
            4 => self.await_with_counter(random),
            5 | 6 => self.await_with_last(random),
            7 => self.update_until(random),
            8 | 9 => self.exchange_until(random),
            10 => self.exchange_carrying(random),
            11 => self.add_and_take_back(random),
            12 => self.locked_section(random),
            13 | 14 => self.poll_under_lock(random),
            15 | 16 => self.two_conditions(random),
            _ => self.announce_and_withdraw(random),
        }
    }

    fn read(&mut self, random: &mut Random, location: usize) -> (RegisterIndex, Instruction) {
        let register = self.register();
        self.written.push(register);
        let (location, order) = (LocationIndex(location), Some(random.pick(LOAD_ORDERS)));
        (register, Instruction::Read { register, location, order })
    }

    fn write(random: &mut Random, location: usize, value: i64) -> Instruction {
        let (location, value) = (LocationIndex(location), Operand::Number(value));
        Instruction::Write { location, value, order: Some(random.pick(STORE_ORDERS)) }
    }

    fn exchange(&mut self, random: &mut Random, location: usize, value: i64) -> (RegisterIndex, Instruction) {
        let register = self.register();
        self.written.push(register);
        let (location, value) = (LocationIndex(location), Operand::Number(value));
        (register, Instruction::Exchange { register, location, value, order: random.pick(UPDATE_ORDERS) })
    }

    fn add(&mut self, random: &mut Random, location: usize, value: i64) -> (RegisterIndex, Instruction) {
        let register = self.register();
        self.written.push(register);
        let (location, value) = (LocationIndex(location), Operand::Number(value));
        (register, Instruction::Add { register, location, value, order: random.pick(UPDATE_ORDERS) })
    }

    /// A register that is set before the loop.
    fn kept(&mut self, value: i64) -> (RegisterIndex, Instruction) {
        let register = self.register();
        self.written.push(register);
        (register, set(register, value))
    }

    fn await_value(&mut self, random: &mut Random) -> Vec<Instruction> {
        let (a, read) = self.read(random, random.clone().below(2));
        vec![until(a, random.pick(&[1, 1, 2]), vec![read])]
    }

    /// Keeps that it saw a certain value.
    fn await_with_flag(&mut self, random: &mut Random) -> Vec<Instruction> {
        let (flag, first) = self.kept(0);
        let (a, read) = self.read(random, random.clone().below(2));
        let (wanted, other) = random.pick(&[(1, 0), (1, 2), (2, 0), (2, 1)]);
        vec![first, until(a, wanted, vec![read, when(a, other, vec![set(flag, 1)])])]
    }

    /// Counts its rounds up to two, and may give up then.
    fn await_with_counter(&mut self, random: &mut Random) -> Vec<Instruction> {
        let (count, first) = self.kept(0);
        let (a, read) = self.read(random, random.clone().below(2));
        let step = [when(count, 1, vec![set(count, 2)]), when(count, 0, vec![set(count, 1)])];
        let mut body = vec![read];
        body.extend(step);
        let wanted = random.pick(&[1, 1, 2]);
        if random.below(2) == 0 {
            return vec![first, until(a, wanted, body)];
        }
        let done = self.register();
        body.extend([set(done, 0), when(a, wanted, vec![set(done, 1)]), when(count, 2, vec![set(done, 1)])]);
        self.written.push(done);
        vec![first, until(done, 1, body)]
    }

    /// Keeps what it saw before.
    fn await_with_last(&mut self, random: &mut Random) -> Vec<Instruction> {
        let last = self.register();
        let (a, read) = self.read(random, random.clone().below(2));
        let keep = Instruction::Move { register: last, value: Operand::Register(a) };
        self.written.push(last);
        vec![set(a, 9), until(a, random.pick(&[1, 1, 2]), vec![keep, read])]
    }

    /// Swaps or adds, perhaps nothing, until it sees a value.
    fn update_until(&mut self, random: &mut Random) -> Vec<Instruction> {
        let (location, wanted) = (random.below(2), random.pick(&[0, 0, 1, 2]));
        let (a, update) = match random.below(2) {
            0 => self.exchange(random, location, random.clone().pick(&[0, 1, 1, 2])),
            _ => self.add(random, location, random.clone().pick(&[0, 1, 1, -1])),
        };
        vec![until(a, wanted, vec![update])]
    }

    fn compare_exchange(
        &mut self,
        random: &mut Random,
        expected: Operand,
        new: i64,
    ) -> (RegisterIndex, Instruction) {
        let register = self.register();
        self.written.push(register);
        let instruction = Instruction::CompareExchange {
            register,
            location: LocationIndex(random.below(2)),
            expected,
            new: Operand::Number(new),
            success: random.pick(UPDATE_ORDERS),
            failure: random.pick(LOAD_ORDERS),
            is_weak: false,
        };
        (register, instruction)
    }

    /// Exchanges if it sees a value, until it sees one.
    fn exchange_until(&mut self, random: &mut Random) -> Vec<Instruction> {
        let expected = random.pick(&[0, 0, 1, 2]);
        let new = random.pick(&[0, 1, 1, 2]);
        let (a, exchange) = self.compare_exchange(random, Operand::Number(expected), new);
        let wanted = if random.below(6) == 0 { random.pick(&[0, 1, 2]) } else { expected };
        vec![until(a, wanted, vec![exchange])]
    }

    /// Expects in each round what it saw in the round before.
    fn exchange_carrying(&mut self, random: &mut Random) -> Vec<Instruction> {
        let (expected, first) = self.kept(random.pick(&[0, 1]));
        let (a, exchange) = self.compare_exchange(random, Operand::Register(expected), 2);
        let done = self.register();
        self.written.push(done);
        let is_done =
            Instruction::If { register: a, value: Operand::Register(expected), body: vec![set(done, 1)] };
        let keep = Instruction::Move { register: expected, value: Operand::Register(a) };
        vec![first, until(done, 1, vec![exchange, set(done, 0), is_done, keep])]
    }

    /// Adds, looks, and takes back what it added.
    fn add_and_take_back(&mut self, random: &mut Random) -> Vec<Instruction> {
        let location = random.below(2);
        let (a, add) = self.add(random, location, 1);
        let (_, back) = self.add(random, location, -1);
        self.written.pop();
        let done = self.register();
        self.written.push(done);
        let again = when(a, random.pick(&[0, 1, 2]), vec![back, set(done, 0)]);
        vec![until(done, 1, vec![set(done, 1), add, again])]
    }

    /// Takes a lock that is a swap or a compare-exchange, and frees it by a store.
    fn locked_section(&mut self, random: &mut Random) -> Vec<Instruction> {
        let (a, take) = self.exchange(random, 0, 1);
        let (_, inside) = self.read(random, 1);
        let mut code = vec![until(a, 0, vec![take])];
        code.push(inside);
        if random.below(2) == 0 {
            code.push(Self::write(random, 1, 1));
        }
        code.push(Self::write(random, 0, 0));
        code
    }

    /// Looks at a value under a lock, in each round.
    fn poll_under_lock(&mut self, random: &mut Random) -> Vec<Instruction> {
        if self.test.locations.len() > 2 {
            let location = LocationIndex(2);
            let (b, look) = self.read(random, random.clone().below(2));
            let body = vec![Instruction::Lock { location }, look, Instruction::Unlock { location }];
            return vec![until(b, 1, body)];
        }
        let (a, take) = self.exchange(random, 0, 1);
        let (b, look) = self.read(random, 1);
        self.written.pop();
        let done = self.register();
        self.written.push(done);
        let free = Self::write(random, 0, 0);
        let inside = vec![look, free, when(b, 1, vec![set(done, 1)])];
        vec![until(done, 1, vec![set(done, 0), take, when(a, 0, inside)])]
    }

    /// Reads both locations, and leaves if both, or one of them, have a value.
    fn two_conditions(&mut self, random: &mut Random) -> Vec<Instruction> {
        let (a, first) = self.read(random, 0);
        let (b, second) = self.read(random, 1);
        let done = self.register();
        self.written.push(done);
        let wanted = (random.pick(&[0, 1, 1]), random.pick(&[0, 1, 1]));
        let decide = match random.below(2) {
            0 => vec![when(a, wanted.0, vec![when(b, wanted.1, vec![set(done, 1)])])],
            _ => vec![when(a, 1, vec![set(done, 1)]), when(b, wanted.1, vec![set(done, 1)])],
        };
        let mut body = vec![set(done, 0), first, second];
        body.extend(decide);
        vec![until(done, 1, body)]
    }

    /// Says that it is there, and takes that back if another is.
    fn announce_and_withdraw(&mut self, random: &mut Random) -> Vec<Instruction> {
        let here = random.below(2);
        let announce = Self::write(random, here, 1);
        let (a, look) = self.read(random, 1 - here);
        let withdraw = Self::write(random, here, 0);
        vec![until(a, 0, vec![announce, look, when(a, 1, vec![withdraw])])]
    }
}
