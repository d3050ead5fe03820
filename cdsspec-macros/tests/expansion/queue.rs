// plain
impl Queue {
    /// Puts a value in.
    pub fn enq(&self, val: i32) {
        loop {
            let linked = self.link(val);
            if false {
                let _: ::core::primitive::bool = linked;
            }
            if linked {
                return;
            }
        }
    }
    pub fn deq(&self) -> Option<i32> {
        let next = self.next();
        next
    }
}
const _: ::core::marker::PhantomData<(VecDeque<i32>,)> = ::core::marker::PhantomData;

// recorded
const _: () = {
    type __CdsspecState = (VecDeque<i32>,);
    #[allow(dead_code, reason = "some fields are only shown and compared")]
    #[derive(::core::cmp::PartialEq, ::core::cmp::Eq, ::core::hash::Hash)]
    struct __CdsspecCall0Enq<__CdsspecParameter0, __CdsspecReturn> {
        val: __CdsspecParameter0,
        c_ret: __CdsspecReturn,
    }
    type __CdsspecCall0EnqReturned = __CdsspecCall0Enq<
        i32,
        ::cdsspec::__private::Unrecorded,
    >;
    type __CdsspecCall0EnqRecord = ::cdsspec::__private::Recorded<
        __CdsspecCall0Enq<i32, ::cdsspec::__private::Unrecorded>,
        __CdsspecCall0EnqReturned,
    >;
    #[allow(dead_code, reason = "some fields are only shown and compared")]
    #[derive(::core::cmp::PartialEq, ::core::cmp::Eq, ::core::hash::Hash)]
    struct __CdsspecCall1Deq<__CdsspecReturn> {
        c_ret: __CdsspecReturn,
    }
    type __CdsspecCall1DeqReturned = __CdsspecCall1Deq<Option<i32>>;
    type __CdsspecCall1DeqRecord = ::cdsspec::__private::Recorded<
        __CdsspecCall1Deq<::cdsspec::__private::Unrecorded>,
        __CdsspecCall1DeqReturned,
    >;
    trait __CdsspecSteps {
        fn __cdsspec_initial() -> __CdsspecState;
        fn __cdsspec_copy(__cdsspec_state: &__CdsspecState) -> __CdsspecState;
        fn __cdsspec_clear(__cdsspec_state: __CdsspecState);
        fn __cdsspec_step_0(
            __cdsspec_step: &mut ::cdsspec::__private::Step<'_>,
        ) -> ::cdsspec::__private::Result<(), ::cdsspec::__private::Broken>;
        fn __cdsspec_step_1(
            __cdsspec_step: &mut ::cdsspec::__private::Step<'_>,
        ) -> ::cdsspec::__private::Result<(), ::cdsspec::__private::Broken>;
        fn __cdsspec_rule_0(
            __cdsspec_first: &dyn ::cdsspec::__private::Any,
            __cdsspec_second: &dyn ::cdsspec::__private::Any,
        ) -> ::core::primitive::bool;
    }
    impl __CdsspecSteps for Queue {
        fn __cdsspec_initial() -> __CdsspecState {
            (<VecDeque<i32> as ::cdsspec::__private::Default>::default(),)
        }
        fn __cdsspec_copy(__cdsspec_state: &__CdsspecState) -> __CdsspecState {
            (::cdsspec::__private::Clone::clone(&__cdsspec_state.0),)
        }
        fn __cdsspec_clear(__cdsspec_state: __CdsspecState) {
            let _ = __cdsspec_state;
        }
        fn __cdsspec_step_0(
            __cdsspec_step: &mut ::cdsspec::__private::Step<'_>,
        ) -> ::cdsspec::__private::Result<(), ::cdsspec::__private::Broken> {
            let __cdsspec_mode = __cdsspec_step.mode();
            let (
                __cdsspec_state,
                __cdsspec_record,
                __cdsspec_concurrent,
                __cdsspec_at,
            ) = __cdsspec_step.split::<__CdsspecState, __CdsspecCall0EnqRecord>();
            let __cdsspec_values = __cdsspec_record.values();
            let _ = (
                __cdsspec_mode,
                &__cdsspec_state,
                &__cdsspec_values,
                &__cdsspec_concurrent,
            );
            *__cdsspec_at = ::cdsspec::__private::ClauseKind::SideEffect;
            #[allow(unused_variables, reason = "a mention is told by its token alone")]
            let (q,) = &mut *__cdsspec_state;
            let __cdsspec_s_ret = {
                #[allow(
                    unused_variables,
                    reason = "a mention is told by its token alone"
                )]
                let val = ::cdsspec::__private::Clone::clone(&__cdsspec_values.val);
                ::cdsspec::__private::run(|| q.push_back(val))
            };
            let _ = &__cdsspec_s_ret;
            if __cdsspec_mode == ::cdsspec::__private::StepMode::Sequential {
                *__cdsspec_at = ::cdsspec::__private::ClauseKind::SameReturn;
                let __cdsspec_agrees = {
                    #[allow(
                        unused_imports,
                        reason = "which of the three is used depends on the types"
                    )]
                    use ::cdsspec::__private::{
                        AgreesByEquality as _, AgreesByUnit as _, AgreesNever as _,
                    };
                    let __cdsspec_comparison = ::cdsspec::__private::Comparison {
                        specified: &__cdsspec_s_ret,
                        returned: ::cdsspec::__private::None::<
                            &::cdsspec::__private::Unrecorded,
                        >,
                    };
                    (&&__cdsspec_comparison).agrees()
                };
                if !__cdsspec_agrees {
                    return ::cdsspec::__private::Err(::cdsspec::__private::Broken {
                        clause: ::cdsspec::__private::ClauseKind::SameReturn,
                        specified: ::cdsspec::__private::specified(
                            ::cdsspec::__private::show!(& __cdsspec_s_ret),
                        ),
                    });
                }
            }
            ::cdsspec::__private::Ok(())
        }
        fn __cdsspec_step_1(
            __cdsspec_step: &mut ::cdsspec::__private::Step<'_>,
        ) -> ::cdsspec::__private::Result<(), ::cdsspec::__private::Broken> {
            let __cdsspec_mode = __cdsspec_step.mode();
            let (
                __cdsspec_state,
                __cdsspec_record,
                __cdsspec_concurrent,
                __cdsspec_at,
            ) = __cdsspec_step.split::<__CdsspecState, __CdsspecCall1DeqRecord>();
            let __cdsspec_values = __cdsspec_record.values();
            let _ = (
                __cdsspec_mode,
                &__cdsspec_state,
                &__cdsspec_values,
                &__cdsspec_concurrent,
            );
            *__cdsspec_at = ::cdsspec::__private::ClauseKind::SideEffect;
            #[allow(unused_variables, reason = "a mention is told by its token alone")]
            let (q,) = &mut *__cdsspec_state;
            let __cdsspec_s_ret = { ::cdsspec::__private::run(|| q.pop_front()) };
            let _ = &__cdsspec_s_ret;
            if __cdsspec_mode == ::cdsspec::__private::StepMode::Sequential {
                *__cdsspec_at = ::cdsspec::__private::ClauseKind::PostCondition;
                let __cdsspec_holds = {
                    #[allow(
                        unused_variables,
                        reason = "a mention is told by its token alone"
                    )]
                    let c_ret = ::cdsspec::__private::keep(&__cdsspec_values.c_ret);
                    #[allow(
                        unused_variables,
                        reason = "a mention is told by its token alone"
                    )]
                    let s_ret = ::cdsspec::__private::Clone::clone(&__cdsspec_s_ret);
                    ::cdsspec::__private::run::<
                        ::core::primitive::bool,
                        _,
                    >(|| c_ret.is_none() || c_ret == s_ret)
                };
                if !__cdsspec_holds {
                    return ::cdsspec::__private::Err(::cdsspec::__private::Broken {
                        clause: ::cdsspec::__private::ClauseKind::PostCondition,
                        specified: ::cdsspec::__private::specified(
                            ::cdsspec::__private::show!(& __cdsspec_s_ret),
                        ),
                    });
                }
            }
            ::cdsspec::__private::Ok(())
        }
        fn __cdsspec_rule_0(
            __cdsspec_first: &dyn ::cdsspec::__private::Any,
            __cdsspec_second: &dyn ::cdsspec::__private::Any,
        ) -> ::core::primitive::bool {
            match (
                ::cdsspec::__private::returned::<
                    __CdsspecCall1DeqRecord,
                >(__cdsspec_first),
                ::cdsspec::__private::returned::<
                    __CdsspecCall0EnqRecord,
                >(__cdsspec_second),
            ) {
                #[allow(unused_variables, reason = "a rule may look at one call only")]
                (::cdsspec::__private::Some(m1), ::cdsspec::__private::Some(m2)) => {
                    ::cdsspec::__private::run::<
                        ::core::primitive::bool,
                        _,
                    >(|| m1.c_ret.is_none())
                }
                _ => false,
            }
        }
    }
    fn __cdsspec_specification() -> &'static ::cdsspec::__private::Specification {
        static SPECIFICATION: ::cdsspec::__private::OnceLock<
            ::cdsspec::__private::Specification,
        > = ::cdsspec::__private::OnceLock::new();
        SPECIFICATION
            .get_or_init(|| ::cdsspec::__private::Specification {
                name: "Queue",
                source: ::cdsspec::__private::SourceLocation {
                    file: ::core::file!(),
                    line: ::core::line!(),
                    column: ::core::column!(),
                },
                state: ::cdsspec::__private::StateSupport {
                    initial: || ::cdsspec::__private::Box::new(
                        <Queue as __CdsspecSteps>::__cdsspec_initial(),
                    ),
                    copy: |__cdsspec_state| {
                        ::cdsspec::__private::Box::new(
                            <Queue as __CdsspecSteps>::__cdsspec_copy(
                                ::cdsspec::__private::state_ref::<
                                    __CdsspecState,
                                >(__cdsspec_state),
                            ),
                        )
                    },
                    clear: |__cdsspec_state| <Queue as __CdsspecSteps>::__cdsspec_clear(
                        ::cdsspec::__private::state_owned::<
                            __CdsspecState,
                        >(__cdsspec_state),
                    ),
                    render: if [::cdsspec::__private::can_show!(VecDeque < i32 >)]
                        .contains(&true)
                    {
                        ::cdsspec::__private::Some(|__cdsspec_state| {
                            let (q,) = ::cdsspec::__private::state_ref::<
                                __CdsspecState,
                            >(__cdsspec_state);
                            ::cdsspec::__private::state_text(
                                &[("q", ::cdsspec::__private::show!(q))],
                            )
                        })
                    } else {
                        ::cdsspec::__private::None
                    },
                    key: ::cdsspec::__private::key!(__CdsspecState),
                },
                methods: {
                    #[allow(
                        unused_imports,
                        reason = "which of them are used depends on the types"
                    )]
                    use ::cdsspec::__private::{
                        ProbeKey as _, ProbeNoKey as _, ProbeNoShow as _, ProbeShow as _,
                        ReturnBorrowing as _, ReturnOwned as _,
                    };
                    ::cdsspec::__private::Vec::from([
                        ::cdsspec::__private::Method {
                            name: "enq",
                            source: ::cdsspec::__private::SourceLocation {
                                file: ::core::file!(),
                                line: ::core::line!(),
                                column: ::core::column!(),
                            },
                            clauses: ::cdsspec::__private::Vec::from([
                                ::cdsspec::__private::Clause {
                                    kind: ::cdsspec::__private::ClauseKind::SideEffect,
                                    text: "q . push_back (val)",
                                    source: ::cdsspec::__private::SourceLocation {
                                        file: ::core::file!(),
                                        line: ::core::line!(),
                                        column: ::core::column!(),
                                    },
                                },
                                ::cdsspec::__private::Clause {
                                    kind: ::cdsspec::__private::ClauseKind::SameReturn,
                                    text: "q . push_back (val)",
                                    source: ::cdsspec::__private::SourceLocation {
                                        file: ::core::file!(),
                                        line: ::core::line!(),
                                        column: ::core::column!(),
                                    },
                                },
                            ]),
                            step: <Queue as __CdsspecSteps>::__cdsspec_step_0,
                            markers: ::cdsspec::__private::Vec::from([
                                ::cdsspec::__private::MarkerText {
                                    name: "op_define",
                                    text: "linked",
                                    source: ::cdsspec::__private::SourceLocation {
                                        file: ::core::file!(),
                                        line: ::core::line!(),
                                        column: ::core::column!(),
                                    },
                                },
                            ]),
                            values: ::cdsspec::__private::ValueSupport {
                                render_arguments: |__cdsspec_values| ::cdsspec::__private::with_record::<
                                    __CdsspecCall0EnqRecord,
                                    _,
                                >(
                                    __cdsspec_values,
                                    |__cdsspec_record| ::cdsspec::__private::argument_texts([
                                        {
                                            let __cdsspec_shown = &__cdsspec_record.val;
                                            (&&::cdsspec::__private::probe_of(__cdsspec_shown))
                                                .show(__cdsspec_shown)
                                        },
                                    ]),
                                    |__cdsspec_record| ::cdsspec::__private::argument_texts([
                                        {
                                            let __cdsspec_shown = &__cdsspec_record.val;
                                            (&&::cdsspec::__private::probe_of(__cdsspec_shown))
                                                .show(__cdsspec_shown)
                                        },
                                    ]),
                                ),
                                render_return: ::cdsspec::__private::no_return,
                                key: (&&::cdsspec::__private::Probe::<
                                    __CdsspecCall0EnqRecord,
                                >::new())
                                    .key(),
                            },
                        },
                        ::cdsspec::__private::Method {
                            name: "deq",
                            source: ::cdsspec::__private::SourceLocation {
                                file: ::core::file!(),
                                line: ::core::line!(),
                                column: ::core::column!(),
                            },
                            clauses: ::cdsspec::__private::Vec::from([
                                ::cdsspec::__private::Clause {
                                    kind: ::cdsspec::__private::ClauseKind::SideEffect,
                                    text: "q . pop_front ()",
                                    source: ::cdsspec::__private::SourceLocation {
                                        file: ::core::file!(),
                                        line: ::core::line!(),
                                        column: ::core::column!(),
                                    },
                                },
                                ::cdsspec::__private::Clause {
                                    kind: ::cdsspec::__private::ClauseKind::PostCondition,
                                    text: "c_ret . is_none () || c_ret == s_ret",
                                    source: ::cdsspec::__private::SourceLocation {
                                        file: ::core::file!(),
                                        line: ::core::line!(),
                                        column: ::core::column!(),
                                    },
                                },
                            ]),
                            step: <Queue as __CdsspecSteps>::__cdsspec_step_1,
                            markers: ::cdsspec::__private::Vec::from([
                                ::cdsspec::__private::MarkerText {
                                    name: "op_clear_define",
                                    text: "",
                                    source: ::cdsspec::__private::SourceLocation {
                                        file: ::core::file!(),
                                        line: ::core::line!(),
                                        column: ::core::column!(),
                                    },
                                },
                            ]),
                            values: ::cdsspec::__private::ValueSupport {
                                render_arguments: ::cdsspec::__private::no_arguments,
                                render_return: |__cdsspec_values| {
                                    let __cdsspec_shown = &::cdsspec::__private::returned::<
                                        __CdsspecCall1DeqRecord,
                                    >(__cdsspec_values)?
                                        .c_ret;
                                    (&&::cdsspec::__private::probe_of(__cdsspec_shown))
                                        .show(__cdsspec_shown)
                                },
                                key: (&&::cdsspec::__private::Probe::<
                                    __CdsspecCall1DeqRecord,
                                >::new())
                                    .key(),
                            },
                        },
                    ])
                },
                rules: ::cdsspec::__private::Vec::from([
                    ::cdsspec::__private::AdmissibilityRule {
                        first: ::cdsspec::__private::MethodId::new(1usize),
                        second: ::cdsspec::__private::MethodId::new(0usize),
                        text: "deq <- > enq , m1 . c_ret . is_none ()",
                        source: ::cdsspec::__private::SourceLocation {
                            file: ::core::file!(),
                            line: ::core::line!(),
                            column: ::core::column!(),
                        },
                        must_be_ordered: <Queue as __CdsspecSteps>::__cdsspec_rule_0,
                    },
                ]),
            })
    }
    ::cdsspec::__private::inventory::submit! {
        ::cdsspec::__private::RegisteredSpecification { get : __cdsspec_specification }
    }
    ::cdsspec::__private::inventory::submit! {
        ::cdsspec::__private::RegisteredStructures { owner : "Queue", functions : &
        [("enq", & [::cdsspec::__private::Unit::Loop(::cdsspec::__private::Option::None,
        & [::cdsspec::__private::Unit::Call("link")])]), ("deq", &
        [::cdsspec::__private::Unit::Call("next")]),] }
    }
    impl Queue {
        /// Puts a value in.
        pub fn enq(&self, val: i32) {
            let __cdsspec_call = {
                let __cdsspec_object = ::cdsspec::__private::ObjectExtent::of::<
                    Self,
                >(self);
                ::cdsspec::__private::Call::enter(
                    __cdsspec_specification,
                    0usize,
                    __cdsspec_object,
                    || ::cdsspec::__private::Box::new(
                        __CdsspecCall0EnqRecord::enter(__CdsspecCall0Enq {
                            val: ::cdsspec::__private::Clone::clone(&val),
                            c_ret: ::cdsspec::__private::Unrecorded,
                        }),
                    ),
                )
            };
            let __cdsspec_return = {
                ::cdsspec::__private::run(move || -> () {
                    loop {
                        let __cdsspec_statement = ::cdsspec::__private::Statement::begin();
                        let linked = self.link(val);
                        #[allow(
                            unreachable_code,
                            reason = "what stands before may never end"
                        )]
                        {
                            #[allow(
                                clippy::redundant_closure,
                                reason = "a condition is no function"
                            )]
                            let __cdsspec_holds = ::cdsspec::__private::holds(
                                &|| linked,
                            );
                            if __cdsspec_holds {
                                __cdsspec_statement
                                    .mark(
                                        ::cdsspec::__private::Marker::Define,
                                        ::cdsspec::__private::SourceLocation {
                                            file: ::core::file!(),
                                            line: ::core::line!(),
                                            column: ::core::column!(),
                                        },
                                    );
                            }
                        }
                        ::cdsspec::__private::drop(__cdsspec_statement);
                        if linked {
                            return;
                        }
                    }
                })
            };
            __cdsspec_call
                .finish(|__cdsspec_record: &mut __CdsspecCall0EnqRecord| {
                    __cdsspec_record
                        .complete(|__cdsspec_entered| __CdsspecCall0Enq {
                            val: __cdsspec_entered.val,
                            c_ret: ::cdsspec::__private::Unrecorded,
                        })
                });
            __cdsspec_return
        }
        pub fn deq(&self) -> Option<i32> {
            let __cdsspec_call = {
                let __cdsspec_object = ::cdsspec::__private::ObjectExtent::of::<
                    Self,
                >(self);
                ::cdsspec::__private::Call::enter(
                    __cdsspec_specification,
                    1usize,
                    __cdsspec_object,
                    || ::cdsspec::__private::Box::new(
                        __CdsspecCall1DeqRecord::enter(__CdsspecCall1Deq {
                            c_ret: ::cdsspec::__private::Unrecorded,
                        }),
                    ),
                )
            };
            let __cdsspec_return = {
                ::cdsspec::__private::run(move || -> Option<i32> {
                    let __cdsspec_statement = ::cdsspec::__private::Statement::begin();
                    let next = self.next();
                    #[allow(
                        unreachable_code,
                        reason = "what stands before may never end"
                    )]
                    __cdsspec_statement
                        .mark(
                            ::cdsspec::__private::Marker::ClearDefine,
                            ::cdsspec::__private::SourceLocation {
                                file: ::core::file!(),
                                line: ::core::line!(),
                                column: ::core::column!(),
                            },
                        );
                    ::cdsspec::__private::drop(__cdsspec_statement);
                    next
                })
            };
            __cdsspec_call
                .finish(|__cdsspec_record: &mut __CdsspecCall1DeqRecord| {
                    __cdsspec_record
                        .complete(|__cdsspec_entered| __CdsspecCall1Deq {
                            c_ret: ::cdsspec::__private::keep(&__cdsspec_return),
                        })
                });
            __cdsspec_return
        }
    }
};
