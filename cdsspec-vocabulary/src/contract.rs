//! The predefined contracts: their sets, and what each role stands for.

/// A predefined contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PredefinedContract {
    /// Its name: `#[contract(spsc)]`.
    pub name: &'static str,
    /// Its event sets.
    pub sets: &'static [&'static str],
    /// What its methods can be.
    pub roles: &'static [Role],
}

/// What a method can be: `#[role(producer)]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Role {
    /// Its name.
    pub name: &'static str,
    /// What is expected, as it would be written, and what is wrong where it does not hold.
    pub expects: &'static [(&'static str, &'static str)],
    /// The set that the event is added to.
    pub adds: &'static str,
}

/// The attributes on methods under `contract`.
pub const CONTRACT_HELPERS: [&str; 4] = ["expects", "ensures", "add_current", "role"];

const fn role(
    name: &'static str,
    adds: &'static str,
    expects: &'static [(&'static str, &'static str)],
) -> Role {
    Role { name, expects, adds }
}

const SPSC_SETS: &[&str] = &["init", "prod", "cons", "nts"];

const IS_INITIALISED: &str = "!init.is_empty() && init.happens_before(now)";
const IS_ALONE: &str = "!union([init, prod, cons, nts]).concurrent(now)";
const NO_EXCLUSIVE: &str = "!nts.concurrent(now)";

const CONSUMER: Role = role(
    "consumer",
    "cons",
    &[
        (IS_INITIALISED, "a consumer that no init happens before (Req. 2)"),
        ("!cons.concurrent(now)", "two consumers at once (Req. 2)"),
        (NO_EXCLUSIVE, "a consumer beside an exclusive call (Req. 2)"),
    ],
);
const INIT: Role = role("init", "init", &[(IS_ALONE, "an init beside another call (Req. 3)")]);
const EXCLUSIVE: Role =
    role("exclusive", "nts", &[(IS_ALONE, "an exclusive call beside another call (Req. 5)")]);

/// The predefined contracts.
///
/// # Paper
/// CSV, section V: requirements 1 to 5 are `spsc` (Boost's `spsc_queue`), 6 to 8 `mpmc` (Boost's `queue` and `stack`). The others are put together of
/// the same conditions.
pub const CONTRACTS: &[PredefinedContract] = &[
    PredefinedContract {
        name: "spsc",
        sets: SPSC_SETS,
        roles: &[
            role(
                "producer",
                "prod",
                &[
                    (IS_INITIALISED, "a producer that no init happens before (Req. 1)"),
                    ("!prod.concurrent(now)", "two producers at once (Req. 1)"),
                    (NO_EXCLUSIVE, "a producer beside an exclusive call (Req. 4)"),
                ],
            ),
            CONSUMER,
            INIT,
            EXCLUSIVE,
        ],
    },
    PredefinedContract {
        name: "mpsc",
        sets: SPSC_SETS,
        roles: &[
            role(
                "producer",
                "prod",
                &[
                    (IS_INITIALISED, "a producer that no init happens before (Req. 1)"),
                    (NO_EXCLUSIVE, "a producer beside an exclusive call (Req. 4)"),
                ],
            ),
            CONSUMER,
            INIT,
            EXCLUSIVE,
        ],
    },
    PredefinedContract {
        name: "mpmc",
        sets: &["init", "ts", "nts"],
        roles: &[
            role("producer", "ts", SHARED),
            role("consumer", "ts", SHARED),
            role(
                "init",
                "init",
                &[("!union([init, nts, ts]).concurrent(now)", "an init beside another call (Req. 8)")],
            ),
            role(
                "exclusive",
                "nts",
                &[
                    (IS_INITIALISED, "an exclusive call that no init happens before (Req. 7)"),
                    ("!union([ts, nts]).concurrent(now)", "an exclusive call beside another call (Req. 7)"),
                ],
            ),
        ],
    },
    PredefinedContract {
        name: "single_owner",
        sets: &["init", "owner"],
        roles: &[
            role(
                "init",
                "init",
                &[("!union([init, owner]).concurrent(now)", "an init beside another call (single_owner)")],
            ),
            role(
                "exclusive",
                "owner",
                &[
                    (IS_INITIALISED, "a use that no init happens before (single_owner)"),
                    ("!owner.concurrent(now)", "two owners at once (single_owner)"),
                ],
            ),
        ],
    },
    PredefinedContract {
        name: "init_once",
        sets: &["init", "used"],
        roles: &[
            role(
                "init",
                "init",
                &[
                    ("init.is_empty()", "a second init (init_once)"),
                    ("!used.concurrent(now)", "an init beside a use (init_once)"),
                ],
            ),
            role("user", "used", &[(IS_INITIALISED, "a use that no init happens before (init_once)")]),
        ],
    },
];

const SHARED: &[(&str, &str)] = &[
    (IS_INITIALISED, "a use that no init happens before (Req. 6)"),
    (NO_EXCLUSIVE, "a use beside an exclusive call (Req. 6)"),
];
