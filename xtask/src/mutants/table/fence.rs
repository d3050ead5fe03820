//! CheckFence: the memory order, the axioms of each memory model, flows, ranges, unrolling, limits, and minimal sets of fences.

use super::super::Mutant;
use super::super::suite::Test;

const ORDER: &str = "cdsspec-fence/src/encode/order.rs";
const THREAD: &str = "cdsspec-fence/src/encode/thread.rs";
const FLOW: &str = "cdsspec-fence/src/encode/flow.rs";
const WORD: &str = "cdsspec-fence/src/encode/word.rs";
const PSC: &str = "cdsspec-fence/src/encode/rc11/psc.rs";
const HAPPENS: &str = "cdsspec-fence/src/encode/rc11/happens.rs";
const READS: &str = "cdsspec-fence/src/encode/rc11/reads.rs";
const ARMV8: &str = "cdsspec-fence/src/encode/rc11/armv8.rs";
const SC: &str = "cdsspec-fence/src/memory_model/sc.rs";
const TSO: &str = "cdsspec-fence/src/memory_model/tso.rs";
const PSO: &str = "cdsspec-fence/src/memory_model/pso.rs";
const RELAXED_MODEL: &str = "cdsspec-fence/src/memory_model/relaxed.rs";
const RANGE: &str = "cdsspec-fence/src/range.rs";
const EXPLORE_FILE: &str = "cdsspec-fence/src/explore.rs";
const UNROLL: &str = "cdsspec-fence/src/flat/unroll.rs";
const SOLVER: &str = "cdsspec-fence/src/solver.rs";
const PLACE: &str = "cdsspec-fence/src/place.rs";

const RELAXED: Test = Test::of_fence("relaxed", "the_solver");
const HARDWARE: Test = Test::of_fence("hardware", "");
const RC11: Test = Test::of_fence("rc11", "");
const ARMV8_OUTCOMES: Test = Test::of_fence("armv8", "");
const RANDOM: Test = Test::of_fence("random", "");
const CORNER: Test = Test::of_fence("explore", "corner::");
const EXPLORE: Test = Test::of_fence("explore", "");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "fence-transitivity-one-way",
        text: "circles of three are allowed one way round",
        file: ORDER,
        changes: &[("                    solver.clause(&sides);\n", "")],
        tests: &[HARDWARE, RANDOM],
    },
    Mutant {
        name: "fence-transitivity-not-at-all",
        text: "the memory order need not be transitive",
        file: ORDER,
        changes: &[("        order.add_transitivity(solver);\n", "")],
        tests: &[RELAXED, HARDWARE],
    },
    Mutant {
        name: "fence-order-without-sign",
        text: "a pair has no sign: both ways round are the same",
        file: ORDER,
        changes: &[("!self.before[other][unit - other - 1]", "self.before[other][unit - other - 1]")],
        tests: &[RELAXED],
    },
    Mutant {
        name: "fence-blocks-may-be-interleaved",
        text: "an atomic block is not contiguous",
        file: ORDER,
        changes: &[(
            "access.block.map_or(Contiguous::Access(index), Contiguous::Block)",
            "Contiguous::Access(index)",
        )],
        tests: &[RELAXED],
    },
    Mutant {
        name: "fence-operations-may-be-interleaved",
        text: "serial executions interleave operations",
        file: ORDER,
        changes: &[("if axioms.is_serial() {", "if false {")],
        tests: &[RANDOM],
    },
    Mutant {
        name: "fence-fences-order-all",
        text: "a fence orders accesses of all kinds",
        file: THREAD,
        changes: &[("                && fence.kind.orders(x.kind, y.kind)\n", "")],
        tests: &[CORNER],
    },
    Mutant {
        name: "fence-fences-order-what-is-behind",
        text: "a fence orders accesses behind it",
        file: THREAD,
        changes: &[("                && x.position < fence.position\n", "")],
        tests: &[RELAXED, HARDWARE, RANDOM],
    },
    Mutant {
        name: "fence-fences-in-no-case",
        text: "a fence orders also where the thread does not come by",
        file: THREAD,
        changes: &[(
            "reasons.push(self.solver.and(guard, is_there));",
            "reasons.push(is_there);\nlet _ = guard;",
        )],
        tests: &[CORNER],
    },
    Mutant {
        name: "fence-order-of-what-is-not-done",
        text: "accesses that are not done keep their order, too",
        file: THREAD,
        changes: &[(
            "self.solver.implies(&[first, second, condition], is_ordered);",
            "let _ = (first, second);\nself.solver.implies(&[condition], is_ordered);",
        )],
        tests: &[CORNER],
    },
    Mutant {
        name: "fence-sc-keeps-no-order",
        text: "sequential consistency keeps no program order",
        file: SC,
        changes: &[
            ("        true\n", "        false\n"),
            ("        ProgramOrder::Kept\n", "        ProgramOrder::Relaxed\n"),
        ],
        tests: &[RELAXED],
    },
    Mutant {
        name: "fence-tso-block-waits-for-nothing",
        text: "under TSO and PSO a block does not wait for stores before it",
        file: TSO,
        changes: &[("access.block.is_some() || is_sc_store", "is_sc_store")],
        tests: &[HARDWARE],
    },
    Mutant {
        name: "fence-tso-sc-store-waits",
        text: "under TSO and PSO a SeqCst store waits in the queue",
        file: TSO,
        changes: &[(
            "access.block.is_some() || is_sc_store",
            "{\nlet _ = is_sc_store;\naccess.block.is_some()\n}",
        )],
        tests: &[HARDWARE],
    },
    Mutant {
        name: "fence-tso-keeps-all",
        text: "under TSO a store is not delayed",
        file: TSO,
        changes: &[("if is_delayed && !drains(before) && !drains(after) {", "if is_delayed && false {")],
        tests: &[HARDWARE],
    },
    Mutant {
        name: "fence-pso-forgets-locations",
        text: "under PSO stores to one location leave the queue in any order",
        file: PSO,
        changes: &[(
            "AccessKind::Store => ProgramOrder::KeptAtOneLocation,",
            "AccessKind::Store => ProgramOrder::Relaxed,",
        )],
        tests: &[HARDWARE],
    },
    Mutant {
        name: "fence-pso-release-is-no-barrier",
        text: "under PSO a Release store is passed by others",
        file: PSO,
        changes: &[(
            "(is_release && access.kind == AccessKind::Store).then_some(fence)",
            "(false && is_release).then_some(fence)",
        )],
        tests: &[HARDWARE],
    },
    Mutant {
        name: "fence-relaxed-forgets-locations",
        text: "axiom 1 of Relaxed orders nothing",
        file: RELAXED_MODEL,
        changes: &[(
            "AccessKind::Store => ProgramOrder::KeptAtOneLocation,",
            "AccessKind::Store => ProgramOrder::Relaxed,",
        )],
        tests: &[RELAXED],
    },
    Mutant {
        name: "fence-relaxed-keeps-loads",
        text: "Relaxed keeps loads behind stores of their location",
        file: RELAXED_MODEL,
        changes: &[(
            "AccessKind::Load => ProgramOrder::Relaxed,",
            "AccessKind::Load => ProgramOrder::KeptAtOneLocation,",
        )],
        tests: &[RELAXED],
    },
    Mutant {
        name: "fence-no-forwarding",
        text: "a load does not see stores of its thread that are still to come in memory order",
        file: FLOW,
        changes: &[(
            "match axioms.is_forwarding() && is_before_in_thread {",
            "match axioms.is_forwarding() && is_before_in_thread && false {",
        )],
        tests: &[RELAXED, HARDWARE],
    },
    Mutant {
        name: "fence-flow-of-any-visible-store",
        text: "a load may read any store that it sees",
        file: FLOW,
        changes: &[(
            "            self.solver.implies(&[flow, is_other_visible], is_earlier);\n",
            "            let _ = (is_other_visible, is_earlier);\n",
        )],
        tests: &[RELAXED],
    },
    Mutant {
        name: "fence-flow-of-what-is-not-visible",
        text: "a load may read what it does not see",
        file: FLOW,
        changes: &[("            self.solver.implies(&[flow], is_visible);\n", "")],
        tests: &[RELAXED],
    },
    Mutant {
        name: "fence-initial-values-are-any",
        text: "a load that sees no store reads anything",
        file: FLOW,
        changes: &[(
            "            word.require_equal(&Word::constant(&global.initial), condition, &mut self.solver);\n",
            "            let _ = condition;\n",
        )],
        tests: &[RELAXED],
    },
    Mutant {
        name: "fence-stores-that-are-not-done",
        text: "a store is seen also if the thread does not come by",
        file: FLOW,
        changes: &[(
            "let is_there = self.solver.and(self.executed[store.0], is_same);",
            "let is_there = is_same;",
        )],
        tests: &[RELAXED, RANDOM],
    },
    Mutant {
        name: "fence-ranges-without-memory",
        text: "the range analysis forgets what is stored",
        file: RANGE,
        changes: &[(
            "self.is_growing |= merge(cell, stored.clone(), self.unbounded_count);",
            "let _ = (cell, &stored);",
        )],
        tests: &[RELAXED],
    },
    Mutant {
        name: "fence-ranges-of-one-way",
        text: "the range analysis follows only one of two ways that meet",
        file: RANGE,
        changes: &[(
            "                merge(&mut both, self.values[otherwise.0].clone(), usize::MAX);\n",
            "                let _ = otherwise;\n                merge(&mut both, Reached::new(), usize::MAX);\n",
        )],
        tests: &[EXPLORE],
    },
    Mutant {
        name: "fence-ranges-stop-early",
        text: "a value that has come through all operations there are is dropped",
        file: RANGE,
        changes: &[(
            "filter(|(_, passed)| *passed <= passed_max)",
            "filter(|(_, passed)| *passed < passed_max)",
        )],
        tests: &[RANDOM, HARDWARE],
    },
    Mutant {
        name: "fence-ranges-initialised-by-chance",
        text: "a location counts as set if initial operations may set it",
        file: RANGE,
        changes: &[("            && flat.guards[access.guard.0] == Guard::Always\n", "")],
        tests: &[EXPLORE],
    },
    Mutant {
        name: "fence-loops-get-all-rounds",
        text: "a loop that needs another round gets all that it may have",
        file: EXPLORE_FILE,
        changes: &[(
            "*self.unrolling.0.entry(instance.clone()).or_insert(1) += 1;",
            "self.unrolling.0.insert(instance.clone(), rounds_max);",
        )],
        tests: &[EXPLORE],
    },
    Mutant {
        name: "fence-overruns-only-of-complete-executions",
        text: "only executions that end are asked whether they need more rounds",
        file: EXPLORE_FILE,
        changes: &[(
            "        assumptions.push(some);\n        if !self.ask",
            "        assumptions.push(some);\n        assumptions.push(self.encoding.is_complete);\n        if !self.ask",
        )],
        tests: &[EXPLORE],
    },
    Mutant {
        name: "fence-early-stores-repeat-nothing",
        text: "a loop that a store behind it may repeat, which takes effect before it, is unrolled to its end",
        file: EXPLORE_FILE,
        changes: &[("self.may_overrun_unseen() || ", "")],
        tests: &[EXPLORE],
    },
    Mutant {
        name: "fence-a-bound-is-a-pass",
        text: "a bound on rounds that is reached is not said",
        file: EXPLORE_FILE,
        changes: &[(" || !self.overrun(|_| true)?.is_empty())", ")")],
        tests: &[EXPLORE],
    },
    Mutant {
        name: "fence-errors-are-no-violation",
        text: "an inclusion check looks at observations only",
        file: EXPLORE_FILE,
        changes: &[(
            "let is_bad = self.encoding.solver.or(is_other, has_error);",
            "let _ = has_error;\nlet is_bad = is_other;",
        )],
        tests: &[EXPLORE],
    },
    Mutant {
        name: "fence-spin-rounds-end",
        text: "a thread that would spin goes on",
        file: UNROLL,
        changes: &[(
            "                self.exclude(state.guard);\n                break;",
            "                break;",
        )],
        tests: &[EXPLORE],
    },
    Mutant {
        name: "fence-ways-meet-the-wrong-way",
        text: "where two ways meet, each has the other's values",
        file: UNROLL,
        changes: &[(
            "self.value(Definition::Select(state.guard, value, otherwise))",
            "self.value(Definition::Select(state.guard, otherwise, value))",
        )],
        tests: &[EXPLORE],
    },
    Mutant {
        name: "fence-ways-do-not-meet",
        text: "where two ways meet, only the first leads on",
        file: UNROLL,
        changes: &[("            _ => self.guard(Guard::Or(left, right)),", "            _ => left,")],
        tests: &[RANDOM, EXPLORE],
    },
    Mutant {
        name: "fence-assumptions-exclude-nothing",
        text: "an assumption that is false ends the thread, and the execution counts",
        file: UNROLL,
        changes: &[("        self.exclude(excluded);\n", "        let _ = excluded;\n")],
        tests: &[RANDOM],
    },
    Mutant {
        name: "fence-conflicts-have-no-limit",
        text: "the limit on conflicts is not looked at",
        file: SOLVER,
        changes: &[(
            "self.is_late.get() || self.conflicts_max.is_some_and(|limit| self.conflicts >= limit)",
            "self.is_late.get()",
        )],
        tests: &[EXPLORE],
    },
    Mutant {
        name: "fence-signs-count-like-others",
        text: "numbers are compared without regard to their sign",
        file: WORD,
        changes: &[("if index + 1 == width { [bits[1], bits[0]] } else { bits }", "bits")],
        tests: &[CORNER],
    },
    Mutant {
        name: "fence-undefined-is-a-number",
        text: "an operation on an undefined value is no error",
        file: WORD,
        changes: &[(
            "        let are_defined = solver.and(are_defined[0], are_defined[1]);\n",
            "        let are_defined = solver.or(are_defined[0], are_defined[1]);\n",
        )],
        tests: &[CORNER],
    },
    Mutant {
        name: "fence-found-sets-come-again",
        text: "a set of fences that was found is not forbidden",
        file: PLACE,
        changes: &[("            map.forbid(&set);\n", "")],
        tests: &[EXPLORE],
    },
    Mutant {
        name: "fence-graph-without-psc",
        text: "SeqCst accesses and fences need no order",
        file: PSC,
        changes: &[(
            "ways.iter().for_each(|&way| solver.implies(&[way], is_ordered));",
            "let _ = (ways, is_ordered);",
        )],
        tests: &[RC11],
    },
    Mutant {
        name: "fence-graph-psc-without-fences",
        text: "psc_F orders no fences",
        file: PSC,
        changes: &[(
            "ways.push(between_fences(solver, events, happens, &eco, [first, second]));",
            "let _ = &eco;",
        )],
        tests: &[RC11],
    },
    Mutant {
        name: "fence-graph-scb-without-detour",
        text: "scb has no happens-before between two steps to other locations",
        file: PSC,
        changes: &[(
            "ways.push(solver.and(left[first][between], elsewhere[between][second]));",
            "let _ = (&left, between);",
        )],
        tests: &[RC11],
    },
    Mutant {
        name: "fence-graph-updates-end-release-sequences",
        text: "a read-modify-write does not continue a release sequence",
        file: HAPPENS,
        changes: &[("ways.push(solver.and(is_read, is_same));", "let _ = (is_read, is_same);")],
        tests: &[RC11],
    },
    Mutant {
        name: "fence-graph-fences-do-not-release",
        text: "a fence releases nothing",
        file: HAPPENS,
        changes: &[(
            "} else if is_fence && events.is_one_thread(head, store) {",
            "} else if is_fence && false {",
        )],
        tests: &[RC11],
    },
    Mutant {
        name: "fence-graph-fences-do-not-acquire",
        text: "a fence acquires nothing",
        file: HAPPENS,
        changes: &[("true => events.program_order[load][acquire],", "true => Bit::FALSE,")],
        tests: &[RC11],
    },
    Mutant {
        name: "fence-graph-happens-before-is-no-order",
        text: "happens-before is not transitive",
        file: HAPPENS,
        changes: &[(
            "ways.push(solver.and(before[first][between], steps[between][second]));",
            "let _ = between;",
        )],
        tests: &[RC11],
    },
    Mutant {
        name: "fence-graph-atomics-race",
        text: "atomic accesses race with each other",
        file: HAPPENS,
        changes: &[(" && !(x.is_atomic() && y.is_atomic());", ";")],
        tests: &[RC11],
    },
    Mutant {
        name: "fence-graph-without-read-read",
        text: "a load may read from before what an earlier one read",
        file: READS,
        changes: &[("self.add_read_read(solver, events, before, [load, store]);", "")],
        tests: &[RC11],
    },
    Mutant {
        name: "fence-graph-updates-are-not-atomic",
        text: "a store comes between the load and the store of a read-modify-write",
        file: READS,
        changes: &[("solver.clause(&is_between.map(|bit| !bit));", "let _ = is_between;")],
        tests: &[RC11],
    },
    Mutant {
        name: "fence-graph-out-of-thin-air",
        text: "a load may read what depends on it",
        file: READS,
        changes: &[(
            "[is_same, is_before, events.all[store].executed, events.all[load].executed]",
            "[is_same, events.all[store].executed, events.all[load].executed]",
        )],
        tests: &[RC11],
    },
    Mutant {
        name: "fence-arm-without-address-and-data",
        text: "a store does not wait for what its address and value depend on",
        file: ARMV8,
        changes: &[(
            "let mut ways = vec![self.address[first][second], self.data[first][second]];",
            "let mut ways = Vec::new();",
        )],
        tests: &[ARMV8_OUTCOMES],
    },
    Mutant {
        name: "fence-arm-without-control",
        text: "a store does not wait for the branches before it",
        file: ARMV8,
        changes: &[("            ways.push(self.control[first][second]);\n", "")],
        tests: &[ARMV8_OUTCOMES],
    },
    Mutant {
        name: "fence-arm-control-of-loads",
        text: "loads wait for the branches before them",
        file: ARMV8,
        changes: &[(
            "        if is_store {\n            ways.push(self.control",
            "        if is_store || true {\n            ways.push(self.control",
        )],
        tests: &[ARMV8_OUTCOMES],
    },
    Mutant {
        name: "fence-arm-acquire-is-plain",
        text: "an acquiring load lets others pass",
        file: ARMV8,
        changes: &[("if is_acquire(first) || is_release(second)", "if is_release(second)")],
        tests: &[ARMV8_OUTCOMES],
    },
    Mutant {
        name: "fence-arm-release-is-plain",
        text: "a releasing store passes others",
        file: ARMV8,
        changes: &[("if is_acquire(first) || is_release(second) ||", "if is_acquire(first) ||")],
        tests: &[ARMV8_OUTCOMES],
    },
    Mutant {
        name: "fence-arm-release-and-acquire-are-unordered",
        text: "a releasing store is passed by a later acquiring load",
        file: ARMV8,
        changes: &[(" || is_release(first) && is_acquire(second) {", " {")],
        tests: &[ARMV8_OUTCOMES],
    },
    Mutant {
        name: "fence-arm-acquire-fence-is-full",
        text: "an acquire fence orders stores before it",
        file: ARMV8,
        changes: &[(
            "let is_of_loads = events.all[between].is_fence() && x.is_load();",
            "let is_of_loads = events.all[between].is_fence();\nlet _ = x;",
        )],
        tests: &[ARMV8_OUTCOMES],
    },
    Mutant {
        name: "fence-arm-others-are-not-observed",
        text: "what another thread reads needs not be there",
        file: ARMV8,
        changes: &[("        reads.reads_from[first][second],\n", "")],
        tests: &[ARMV8_OUTCOMES],
    },
];
