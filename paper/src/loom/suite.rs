//! Which published crates are taken, and how their loom tests are built.

/// A published crate with loom tests.
pub(super) struct Suite {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    /// The flag with which its loom tests are built, `--cfg` and the name behind it.
    pub(super) flag: &'static str,
    pub(super) features: &'static str,
    /// Where they are: arguments of `cargo test`.
    pub(super) targets: &'static str,
    /// What the names of the tests begin with that are loom's.
    pub(super) prefix: &'static str,
    /// What is written otherwise in its manifest: the version of loom that it asks for, if that is not 0.7.
    pub(super) edit: Option<(&'static str, &'static str)>,
}

const fn suite(name: &'static str, version: &'static str, targets: &'static str) -> Suite {
    Suite { name, version, flag: "loom", features: "", targets, prefix: "", edit: None }
}

/// loom's own tests first.
pub(super) const SUITES: [Suite; 12] = [
    Suite { features: "futures", ..suite("loom", "0.7.3", "--tests") },
    Suite { flag: "oneshot_loom", features: "loom", ..suite("oneshot", "0.2.1", "--test loom") },
    Suite { features: "loom", ..suite("boxcar", "0.2.14", "--test loom --test loom_buckets") },
    suite("left-right", "0.11.8", "--test loom"),
    Suite { features: "loom", ..suite("event-listener", "5.4.2", "--test loom") },
    Suite { features: "loom", ..suite("parking", "2.2.1", "--test loom") },
    Suite { features: "loom", ..suite("concurrent-queue", "2.5.0", "--test loom") },
    Suite { flag: "crossbeam_loom", features: "loom", ..suite("crossbeam-epoch", "0.9.21", "--test loom") },
    Suite { prefix: "loom", ..suite("bytes", "1.12.2", "--lib") },
    Suite { edit: Some(("0.5.6", "0.7")), ..suite("thingbuf", "0.1.6", "--lib") },
    Suite { features: "alloc", ..suite("cordyceps", "0.3.5", "--lib") },
    Suite { flag: "diatomic_waker_loom", ..suite("diatomic-waker", "0.2.3", "--lib") },
];
