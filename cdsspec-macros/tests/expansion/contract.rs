// plain
impl Queue {
    pub fn new() -> Self {
        if false {
            let _ = |__cdsspec_object: &Self| {
                let _ = &__cdsspec_object.contract;
            };
        }
        Self { contract: Sets::new() }
    }
    /// Puts a value in.
    pub fn push(&self, val: u32, name: &str) -> bool {
        if false {
            let _ = || val > 0;
        }
        let length = self.length();
        {
            if false {
                let _ = || length < 4;
            }
        };
        length < 3
    }
    pub fn length(&self) -> usize {
        0
    }
}

// recorded
const _: () = {
    static __CDSSPEC_CONTRACT: ::cdsspec::__private::contract::Contract = ::cdsspec::__private::contract::Contract {
        name: "Queue",
        source: ::cdsspec::__private::contract::Source {
            file: ::core::file!(),
            line: ::core::line!(),
            column: ::core::column!(),
        },
        kind: ::core::option::Option::Some("spsc"),
        sets: &[
            ::cdsspec::__private::contract::DeclaredSet {
                name: "init",
                keep: ::cdsspec::__private::contract::Keep::Last,
            },
            ::cdsspec::__private::contract::DeclaredSet {
                name: "prod",
                keep: ::cdsspec::__private::contract::Keep::Last,
            },
            ::cdsspec::__private::contract::DeclaredSet {
                name: "cons",
                keep: ::cdsspec::__private::contract::Keep::Last,
            },
            ::cdsspec::__private::contract::DeclaredSet {
                name: "nts",
                keep: ::cdsspec::__private::contract::Keep::Last,
            },
        ],
        methods: &[
            ::cdsspec::__private::contract::Method {
                name: "new",
                source: ::cdsspec::__private::contract::Source {
                    file: ::core::file!(),
                    line: ::core::line!(),
                    column: ::core::column!(),
                },
                role: ::core::option::Option::Some("init"),
                conditions: &[
                    ::cdsspec::__private::contract::Condition {
                        moment: ::cdsspec::__private::contract::ConditionMoment::Invocation,
                        text: "!union([init, prod, cons, nts]).concurrent(now)",
                        says: ::core::option::Option::Some(
                            "an init beside another call (Req. 3)",
                        ),
                        level: ::cdsspec::__private::contract::Level::Default,
                        source: ::cdsspec::__private::contract::Source {
                            file: ::core::file!(),
                            line: ::core::line!(),
                            column: ::core::column!(),
                        },
                    },
                ],
                adds: &[0usize],
            },
            ::cdsspec::__private::contract::Method {
                name: "push",
                source: ::cdsspec::__private::contract::Source {
                    file: ::core::file!(),
                    line: ::core::line!(),
                    column: ::core::column!(),
                },
                role: ::core::option::Option::Some("producer"),
                conditions: &[
                    ::cdsspec::__private::contract::Condition {
                        moment: ::cdsspec::__private::contract::ConditionMoment::Invocation,
                        text: "!init.is_empty() && init.happens_before(now)",
                        says: ::core::option::Option::Some(
                            "a producer that no init happens before (Req. 1)",
                        ),
                        level: ::cdsspec::__private::contract::Level::Default,
                        source: ::cdsspec::__private::contract::Source {
                            file: ::core::file!(),
                            line: ::core::line!(),
                            column: ::core::column!(),
                        },
                    },
                    ::cdsspec::__private::contract::Condition {
                        moment: ::cdsspec::__private::contract::ConditionMoment::Invocation,
                        text: "!prod.concurrent(now)",
                        says: ::core::option::Option::Some(
                            "two producers at once (Req. 1)",
                        ),
                        level: ::cdsspec::__private::contract::Level::Default,
                        source: ::cdsspec::__private::contract::Source {
                            file: ::core::file!(),
                            line: ::core::line!(),
                            column: ::core::column!(),
                        },
                    },
                    ::cdsspec::__private::contract::Condition {
                        moment: ::cdsspec::__private::contract::ConditionMoment::Invocation,
                        text: "!nts.concurrent(now)",
                        says: ::core::option::Option::Some(
                            "a producer beside an exclusive call (Req. 4)",
                        ),
                        level: ::cdsspec::__private::contract::Level::Default,
                        source: ::cdsspec::__private::contract::Source {
                            file: ::core::file!(),
                            line: ::core::line!(),
                            column: ::core::column!(),
                        },
                    },
                    ::cdsspec::__private::contract::Condition {
                        moment: ::cdsspec::__private::contract::ConditionMoment::Invocation,
                        text: "val > 0",
                        says: ::core::option::Option::Some("nothing"),
                        level: ::cdsspec::__private::contract::Level::Audit,
                        source: ::cdsspec::__private::contract::Source {
                            file: ::core::file!(),
                            line: ::core::line!(),
                            column: ::core::column!(),
                        },
                    },
                    ::cdsspec::__private::contract::Condition {
                        moment: ::cdsspec::__private::contract::ConditionMoment::Return,
                        text: "c_ret || name . is_empty ()",
                        says: ::core::option::Option::None,
                        level: ::cdsspec::__private::contract::Level::Default,
                        source: ::cdsspec::__private::contract::Source {
                            file: ::core::file!(),
                            line: ::core::line!(),
                            column: ::core::column!(),
                        },
                    },
                    ::cdsspec::__private::contract::Condition {
                        moment: ::cdsspec::__private::contract::ConditionMoment::Statement,
                        text: "length < 4",
                        says: ::core::option::Option::None,
                        level: ::cdsspec::__private::contract::Level::Default,
                        source: ::cdsspec::__private::contract::Source {
                            file: ::core::file!(),
                            line: ::core::line!(),
                            column: ::core::column!(),
                        },
                    },
                ],
                adds: &[1usize],
            },
        ],
        is_checked: false,
    };
    ::cdsspec::__private::contract::register! {
        __CDSSPEC_CONTRACT
    }
    impl Queue {
        #[track_caller]
        pub fn new() -> Self {
            let __cdsspec_event = ::cdsspec::__private::contract::Constructor::enter(
                &__CDSSPEC_CONTRACT,
                0usize,
                |__cdsspec_looks: ::cdsspec::__private::contract::Looks| {
                    let _ = __cdsspec_looks;
                    move |
                        __cdsspec_index: ::core::primitive::usize,
                        __cdsspec_view: &::cdsspec::__private::contract::View<'_>,
                    | -> ::core::primitive::bool {
                        let _ = __cdsspec_view;
                        match __cdsspec_index {
                            0usize => {
                                use ::cdsspec::__private::contract::union;
                                let now = __cdsspec_view.now();
                                let init = __cdsspec_view.set(0usize);
                                let prod = __cdsspec_view.set(1usize);
                                let cons = __cdsspec_view.set(2usize);
                                let nts = __cdsspec_view.set(3usize);
                                !union([init, prod, cons, nts]).concurrent(now)
                            }
                            _ => true,
                        }
                    }
                },
            );
            let c_ret = ::cdsspec::__private::contract::run(move || -> Self {
                Self { contract: Sets::new() }
            });
            __cdsspec_event
                .finish(
                    ::core::option::Option::Some(
                        &::cdsspec::__private::add_a_field_named_contract_of_the_type_cdsspec_contract_Sets!(
                            c_ret
                        ),
                    ),
                    |__cdsspec_looks: ::cdsspec::__private::contract::Looks| {
                        let _ = __cdsspec_looks;
                        move |
                            __cdsspec_index: ::core::primitive::usize,
                            __cdsspec_view: &::cdsspec::__private::contract::View<'_>,
                        | -> ::core::primitive::bool {
                            let _ = (__cdsspec_index, __cdsspec_view);
                            true
                        }
                    },
                );
            c_ret
        }
        /// Puts a value in.
        #[track_caller]
        pub fn push(&self, val: u32, name: &str) -> bool {
            let __cdsspec_event = ::cdsspec::__private::contract::Call::enter(
                &__CDSSPEC_CONTRACT,
                1usize,
                &::cdsspec::__private::add_a_field_named_contract_of_the_type_cdsspec_contract_Sets!(
                    self
                ),
                |__cdsspec_looks: ::cdsspec::__private::contract::Looks| {
                    let _ = __cdsspec_looks;
                    let __cdsspec_part_3_0 = ::cdsspec::__private::contract::Part::of(
                        __cdsspec_looks.at(::cdsspec::__private::contract::Level::Audit),
                        || -> ::core::primitive::bool { val > 0 },
                    );
                    move |
                        __cdsspec_index: ::core::primitive::usize,
                        __cdsspec_view: &::cdsspec::__private::contract::View<'_>,
                    | -> ::core::primitive::bool {
                        let _ = __cdsspec_view;
                        match __cdsspec_index {
                            0usize => {
                                let now = __cdsspec_view.now();
                                let init = __cdsspec_view.set(0usize);
                                !init.is_empty() && init.happens_before(now)
                            }
                            1usize => {
                                let now = __cdsspec_view.now();
                                let prod = __cdsspec_view.set(1usize);
                                !prod.concurrent(now)
                            }
                            2usize => {
                                let now = __cdsspec_view.now();
                                let nts = __cdsspec_view.set(3usize);
                                !nts.concurrent(now)
                            }
                            3usize => __cdsspec_part_3_0.value(),
                            _ => true,
                        }
                    }
                },
            );
            let c_ret = ::cdsspec::__private::contract::run(move || -> bool {
                let length = self.length();
                {
                    ::cdsspec::__private::contract::expect_here(
                        &__CDSSPEC_CONTRACT,
                        (1usize, 5usize),
                        |__cdsspec_looks: ::cdsspec::__private::contract::Looks| {
                            let _ = __cdsspec_looks;
                            let __cdsspec_part_5_0 = ::cdsspec::__private::contract::Part::of(
                                __cdsspec_looks
                                    .at(::cdsspec::__private::contract::Level::Default),
                                || -> ::core::primitive::bool { length < 4 },
                            );
                            move |
                                __cdsspec_index: ::core::primitive::usize,
                                __cdsspec_view: &::cdsspec::__private::contract::View<'_>,
                            | -> ::core::primitive::bool {
                                let _ = __cdsspec_view;
                                match __cdsspec_index {
                                    5usize => __cdsspec_part_5_0.value(),
                                    _ => true,
                                }
                            }
                        },
                    )
                };
                length < 3
            });
            __cdsspec_event
                .ensure(|__cdsspec_looks: ::cdsspec::__private::contract::Looks| {
                    let _ = __cdsspec_looks;
                    let __cdsspec_part_4_0 = ::cdsspec::__private::contract::Part::of(
                        __cdsspec_looks
                            .at(::cdsspec::__private::contract::Level::Default),
                        || -> ::core::primitive::bool { c_ret || name.is_empty() },
                    );
                    move |
                        __cdsspec_index: ::core::primitive::usize,
                        __cdsspec_view: &::cdsspec::__private::contract::View<'_>,
                    | -> ::core::primitive::bool {
                        let _ = __cdsspec_view;
                        match __cdsspec_index {
                            4usize => __cdsspec_part_4_0.value(),
                            _ => true,
                        }
                    }
                });
            ::core::mem::drop(__cdsspec_event);
            c_ret
        }
        pub fn length(&self) -> usize {
            0
        }
    }
};
