//! What Sc, Tso and Pso preserve of program order, and the ways past psc under RC11.

use super::super::Mutant;
use super::super::suite::Test;

const ORDER: &str = "memory_model/order.rs";

const RC11: &str = "memory_model/rc11.rs";

const LITMUS: Test = Test::of("litmus", "every_litmus_test_has_its_outcomes");
const SMALL: Test = Test::of("naive_twin", "three_thousand_small");
const LARGER: Test = Test::of("naive_twin", "five_hundred_larger");

const MACHINES: Test = Test::of("model_twin", "its_machine_on_every_program");

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "counts-without-flush",
        text: "changes of counts of handles are left out also where they empty a queue",
        file: "run/explore.rs",
        changes: &[("explorer.is_sampling() || !axioms.may_leave_counts_out()", "explorer.is_sampling()")],
        tests: &[Test::of("memory_models", "programs_have_the_verdicts")],
    },
    Mutant {
        name: "release-store-without-barrier",
        text: "on Pso a Release store puts no barrier into the queue",
        file: ORDER,
        changes: &[(
            "has_barrier: preserved == Preserved::StoresInAnyOrder && order == Release",
            "has_barrier: preserved == Preserved::All && order == Release",
        )],
        tests: &[MACHINES],
    },
    Mutant {
        name: "release-store-holds-itself-alone",
        text: "on Pso a store passes a Release store before it, which itself passes nothing",
        file: ORDER,
        changes: &[
            (
                "                if has_barrier {\n",
                "                let before = has_barrier.then(|| front.clone());\n                if has_barrier {\n",
            ),
            (
                "                    self.edge(barrier, id);\n                }\n                match preserved {",
                "                    self.edge(barrier, id);\n                }\n                \
                 if let Some(before) = before {\n                    *front = before;\n                }\n                \
                 match preserved {",
            ),
        ],
        tests: &[MACHINES],
    },
    Mutant {
        name: "fence-without-barrier",
        text: "on Pso a fence that releases puts no barrier into the queue",
        file: ORDER,
        changes: &[(
            "(Label::Fence { order: Release | AcqRel }, Preserved::StoresInAnyOrder) => Part::Barrier",
            "(Label::Fence { order: Release | AcqRel }, Preserved::StoresInAnyOrder) => Part::None",
        )],
        tests: &[MACHINES],
    },
    Mutant {
        name: "stores-pass-stores-on-tso",
        text: "stores to different locations leave a queue of Tso in any order",
        file: ORDER,
        changes: &[(
            "Preserved::StoresInAnyOrder => front.stores.push(id),",
            "Preserved::StoresInAnyOrder | Preserved::StoresInOrder => front.stores.push(id),",
        )],
        tests: &[MACHINES],
    },
    Mutant {
        name: "stores-in-order-on-pso",
        text: "stores leave a queue of Pso in their order",
        file: ORDER,
        changes: &[(
            "Preserved::StoresInAnyOrder => front.stores.push(id),",
            "Preserved::StoresInAnyOrder if id == u32::MAX => front.stores.push(id),",
        )],
        tests: &[MACHINES],
    },
    Mutant {
        name: "own-store-is-read-from-memory",
        text: "a thread sees its own store when all others do",
        file: ORDER,
        changes: &[(
            "\n                    && (preserved == Preserved::All || graph.event(store).thread != event.thread)",
            "",
        )],
        tests: &[MACHINES],
    },
    Mutant {
        name: "seq-cst-store-waits-in-queue",
        text: "a SeqCst store stays in the queue when later operations take effect",
        file: ORDER,
        changes: &[(
            "(Label::Access(Action::Store { order: SeqCst, .. }) | Label::Fence { order: SeqCst }, _) => {",
            "(Label::Fence { order: SeqCst }, _) => {",
        )],
        tests: &[MACHINES],
    },
    Mutant {
        name: "seq-cst-fence-is-a-barrier",
        text: "a SeqCst fence does not wait until the queue is empty",
        file: ORDER,
        changes: &[
            (
                "(Label::Access(Action::Store { order: SeqCst, .. }) | Label::Fence { order: SeqCst }, _) => {",
                "(Label::Access(Action::Store { order: SeqCst, .. }), _) => {",
            ),
            ("Label::Fence { order: Release | AcqRel }", "Label::Fence { order: Release | AcqRel | SeqCst }"),
        ],
        tests: &[MACHINES],
    },
    Mutant {
        name: "failed-exchange-is-a-load",
        text: "a compare-exchange that fails does not wait until the queue is empty",
        file: ORDER,
        changes: &[(
            "        _ => Part::Flush,\n",
            "        (Label::Access(Action::CompareExchange { .. }), _) if !event.is_write => Part::Load,\n        _ => Part::Flush,\n",
        )],
        tests: &[MACHINES],
    },
    Mutant {
        name: "loads-pass-loads",
        text: "later operations of a thread may take effect before a load",
        file: ORDER,
        changes: &[("Part::Load => front.last = Some(id),", "Part::Load => {}")],
        tests: &[MACHINES],
    },
    Mutant {
        name: "cycle-with-weaker-accesses-is-one-of-psc",
        text: "psc is taken to have a cycle where sb, rf, mo and rb have, though some accesses are weaker",
        file: RC11,
        changes: &[("            _ => event.is_sc(),\n", "            _ => true,\n")],
        tests: &[LITMUS, SMALL, LARGER],
    },
];
