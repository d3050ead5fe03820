// shared
#[allow(dead_code, reason = "the state of a specification")]
#[derive(Clone, Default)]
struct ChannelSpec {
    queue: VecDeque<i32>,
}
const _: () = {
    type __CdsspecState = ChannelSpec;
    trait __CdsspecSteps {
        fn __cdsspec_initial() -> __CdsspecState;
        fn __cdsspec_copy(__cdsspec_state: &__CdsspecState) -> __CdsspecState;
        fn __cdsspec_clear(__cdsspec_state: __CdsspecState);
        fn __cdsspec_rule_0(
            __cdsspec_first: &dyn ::cdsspec::__private::Any,
            __cdsspec_second: &dyn ::cdsspec::__private::Any,
        ) -> ::core::primitive::bool;
    }
    impl __CdsspecSteps for ChannelSpec {
        fn __cdsspec_initial() -> __CdsspecState {
            <ChannelSpec as ::cdsspec::__private::Default>::default()
        }
        fn __cdsspec_copy(__cdsspec_state: &__CdsspecState) -> __CdsspecState {
            ::cdsspec::__private::Clone::clone(__cdsspec_state)
        }
        fn __cdsspec_clear(__cdsspec_state: __CdsspecState) {
            let _ = __cdsspec_state;
        }
        fn __cdsspec_rule_0(
            __cdsspec_first: &dyn ::cdsspec::__private::Any,
            __cdsspec_second: &dyn ::cdsspec::__private::Any,
        ) -> ::core::primitive::bool {
            match (
                ::cdsspec::__private::returned_of::<
                    ChannelSpec,
                    { ::cdsspec::__private::name_of("send") },
                    _,
                >(__cdsspec_first),
                ::cdsspec::__private::returned_of::<
                    ChannelSpec,
                    { ::cdsspec::__private::name_of("recv") },
                    _,
                >(__cdsspec_second),
            ) {
                #[allow(unused_variables, reason = "a rule may look at one call only")]
                (::cdsspec::__private::Some(m1), ::cdsspec::__private::Some(m2)) => {
                    ::cdsspec::__private::run::<
                        ::core::primitive::bool,
                        _,
                    >(|| m1.value == 1)
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
                name: "ChannelSpec",
                source: ::cdsspec::__private::SourceLocation {
                    file: ::core::file!(),
                    line: ::core::line!(),
                    column: ::core::column!(),
                },
                state: ::cdsspec::__private::StateSupport {
                    initial: || ::cdsspec::__private::Box::new(
                        <ChannelSpec as __CdsspecSteps>::__cdsspec_initial(),
                    ),
                    copy: |__cdsspec_state| {
                        ::cdsspec::__private::Box::new(
                            <ChannelSpec as __CdsspecSteps>::__cdsspec_copy(
                                ::cdsspec::__private::state_ref::<
                                    __CdsspecState,
                                >(__cdsspec_state),
                            ),
                        )
                    },
                    clear: |__cdsspec_state| <ChannelSpec as __CdsspecSteps>::__cdsspec_clear(
                        ::cdsspec::__private::state_owned::<
                            __CdsspecState,
                        >(__cdsspec_state),
                    ),
                    render: if [::cdsspec::__private::can_show!(ChannelSpec)]
                        .contains(&true)
                    {
                        ::cdsspec::__private::Some(|__cdsspec_state| {
                            let state = ::cdsspec::__private::state_ref::<
                                __CdsspecState,
                            >(__cdsspec_state);
                            ::cdsspec::__private::state_text(
                                &[("state", ::cdsspec::__private::show!(state))],
                            )
                        })
                    } else {
                        ::cdsspec::__private::None
                    },
                    key: ::cdsspec::__private::key!(__CdsspecState),
                },
                methods: ::cdsspec::__private::shared_methods::<__CdsspecState>(),
                rules: ::cdsspec::__private::Vec::from([
                    ::cdsspec::__private::AdmissibilityRule {
                        first: ::cdsspec::__private::method_id::<
                            ChannelSpec,
                            { ::cdsspec::__private::name_of("send") },
                            _,
                        >(),
                        second: ::cdsspec::__private::method_id::<
                            ChannelSpec,
                            { ::cdsspec::__private::name_of("recv") },
                            _,
                        >(),
                        text: "send <- > recv , m1 . value == 1",
                        source: ::cdsspec::__private::SourceLocation {
                            file: ::core::file!(),
                            line: ::core::line!(),
                            column: ::core::column!(),
                        },
                        must_be_ordered: <ChannelSpec as __CdsspecSteps>::__cdsspec_rule_0,
                    },
                ]),
            })
    }
    ::cdsspec::__private::inventory::submit! {
        ::cdsspec::__private::RegisteredSpecification { get : __cdsspec_specification }
    }
    #[automatically_derived]
    impl ::cdsspec::__private::SharedSpecification for ChannelSpec {
        fn specification() -> &'static ::cdsspec::__private::Specification {
            __cdsspec_specification()
        }
    }
};

// block
const _: () = {
    type __CdsspecState = ChannelSpec;
    #[allow(unreachable_pub, reason = "named by a trait only")]
    #[allow(dead_code, reason = "some fields are only shown and compared")]
    #[derive(::core::cmp::PartialEq, ::core::cmp::Eq, ::core::hash::Hash)]
    pub struct __CdsspecCall0Send<__CdsspecParameter0, __CdsspecReturn> {
        pub value: __CdsspecParameter0,
        pub c_ret: __CdsspecReturn,
    }
    type __CdsspecCall0SendReturned = __CdsspecCall0Send<
        i32,
        ::cdsspec::__private::Unrecorded,
    >;
    type __CdsspecCall0SendRecord = ::cdsspec::__private::Recorded<
        __CdsspecCall0Send<i32, ::cdsspec::__private::Unrecorded>,
        __CdsspecCall0SendReturned,
    >;
    struct __CdsspecConcurrent<
        '__cdsspec,
        __CdsspecRecord0: ::cdsspec::__private::Record,
    >(
        ::cdsspec::__private::Concurrent<'__cdsspec>,
        ::cdsspec::__private::OtherMethod<__CdsspecRecord0>,
    );
    #[allow(clippy::expl_impl_clone_on_copy, reason = "whatever the records are")]
    #[automatically_derived]
    impl<'__cdsspec, __CdsspecRecord0: ::cdsspec::__private::Record> ::core::clone::Clone
    for __CdsspecConcurrent<'__cdsspec, __CdsspecRecord0> {
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<'__cdsspec, __CdsspecRecord0: ::cdsspec::__private::Record> ::core::marker::Copy
    for __CdsspecConcurrent<'__cdsspec, __CdsspecRecord0> {}
    #[allow(dead_code, reason = "clauses use some of them")]
    impl<
        '__cdsspec,
        __CdsspecRecord0: ::cdsspec::__private::Record,
    > __CdsspecConcurrent<'__cdsspec, __CdsspecRecord0> {
        fn send(
            &self,
        ) -> impl ::cdsspec::__private::Iterator<
            Item = &'__cdsspec __CdsspecCall0SendReturned,
        > + use<'__cdsspec, __CdsspecRecord0> {
            self.0
                .of::<
                    __CdsspecCall0SendRecord,
                >(::cdsspec::__private::MethodId::new(__cdsspec_method(0usize)))
                .filter_map(__CdsspecCall0SendRecord::returned)
        }
        fn recv(
            &self,
        ) -> impl ::cdsspec::__private::Iterator<
            Item = &'__cdsspec __CdsspecRecord0::Returned,
        > + use<'__cdsspec, __CdsspecRecord0> {
            self.1.calls(self.0)
        }
    }
    #[automatically_derived]
    impl<
        '__cdsspec,
        __CdsspecRecord0: ::cdsspec::__private::Record,
    > ::cdsspec::__private::Deref for __CdsspecConcurrent<'__cdsspec, __CdsspecRecord0> {
        type Target = ::cdsspec::__private::Concurrent<'__cdsspec>;
        fn deref(&self) -> &Self::Target {
            &self.0
        }
    }
    trait __CdsspecSteps {
        fn __cdsspec_step_0(
            __cdsspec_step: &mut ::cdsspec::__private::Step<'_>,
        ) -> ::cdsspec::__private::Result<(), ::cdsspec::__private::Broken>;
    }
    impl __CdsspecSteps for Sender {
        fn __cdsspec_step_0(
            __cdsspec_step: &mut ::cdsspec::__private::Step<'_>,
        ) -> ::cdsspec::__private::Result<(), ::cdsspec::__private::Broken> {
            let __cdsspec_mode = __cdsspec_step.mode();
            let (
                __cdsspec_state,
                __cdsspec_record,
                __cdsspec_concurrent,
                __cdsspec_at,
            ) = __cdsspec_step.split::<__CdsspecState, __CdsspecCall0SendRecord>();
            let __cdsspec_values = __cdsspec_record.values();
            let _ = (
                __cdsspec_mode,
                &__cdsspec_state,
                &__cdsspec_values,
                &__cdsspec_concurrent,
            );
            #[allow(unused_variables, reason = "a mention is told by its token alone")]
            let concurrent = __CdsspecConcurrent(
                __cdsspec_concurrent,
                ::cdsspec::__private::other_method::<
                    __CdsspecOwner,
                    { ::cdsspec::__private::name_of("recv") },
                    _,
                >(),
            );
            *__cdsspec_at = ::cdsspec::__private::ClauseKind::SideEffect;
            #[allow(unused_variables, reason = "a mention is told by its token alone")]
            let state = &mut *__cdsspec_state;
            let __cdsspec_s_ret = {
                #[allow(
                    unused_variables,
                    reason = "a mention is told by its token alone"
                )]
                let value = ::cdsspec::__private::Clone::clone(&__cdsspec_values.value);
                ::cdsspec::__private::run(|| state.queue.push_back(value))
            };
            let _ = &__cdsspec_s_ret;
            if __cdsspec_mode == ::cdsspec::__private::StepMode::Sequential {
                *__cdsspec_at = ::cdsspec::__private::ClauseKind::PostCondition;
                let __cdsspec_holds = {
                    ::cdsspec::__private::run::<
                        ::core::primitive::bool,
                        _,
                    >(|| concurrent.recv().count() == 0)
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
    }
    type __CdsspecOwner = ChannelSpec;
    fn __cdsspec_specification() -> &'static ::cdsspec::__private::Specification {
        <__CdsspecOwner as ::cdsspec::__private::SharedSpecification>::specification()
    }
    static __CDSSPEC_BLOCK: ::cdsspec::__private::SpecificationBlock = ::cdsspec::__private::SpecificationBlock {
        owner: || ::cdsspec::__private::TypeId::of::<__CdsspecOwner>(),
        source: ::cdsspec::__private::SourceLocation {
            file: ::core::file!(),
            line: ::core::line!(),
            column: ::core::column!(),
        },
        methods: || {
            #[allow(
                unused_imports,
                reason = "which of them are used depends on the types"
            )]
            use ::cdsspec::__private::{
                ProbeKey as _, ProbeNoKey as _, ProbeNoShow as _, ProbeShow as _,
                ReturnBorrowing as _, ReturnOwned as _,
            };
            ::cdsspec::__private::Vec::from([
                ::cdsspec::__private::BlockMethod {
                    method: ::cdsspec::__private::Method {
                        name: "send",
                        source: ::cdsspec::__private::SourceLocation {
                            file: ::core::file!(),
                            line: ::core::line!(),
                            column: ::core::column!(),
                        },
                        clauses: ::cdsspec::__private::Vec::from([
                            ::cdsspec::__private::Clause {
                                kind: ::cdsspec::__private::ClauseKind::SideEffect,
                                text: "state . queue . push_back (value)",
                                source: ::cdsspec::__private::SourceLocation {
                                    file: ::core::file!(),
                                    line: ::core::line!(),
                                    column: ::core::column!(),
                                },
                            },
                            ::cdsspec::__private::Clause {
                                kind: ::cdsspec::__private::ClauseKind::PostCondition,
                                text: "concurrent . recv () . count () == 0",
                                source: ::cdsspec::__private::SourceLocation {
                                    file: ::core::file!(),
                                    line: ::core::line!(),
                                    column: ::core::column!(),
                                },
                            },
                        ]),
                        step: <Sender as __CdsspecSteps>::__cdsspec_step_0,
                        markers: ::cdsspec::__private::Vec::from([]),
                        values: ::cdsspec::__private::ValueSupport {
                            render_arguments: |__cdsspec_values| ::cdsspec::__private::with_record::<
                                __CdsspecCall0SendRecord,
                                _,
                            >(
                                __cdsspec_values,
                                |__cdsspec_record| ::cdsspec::__private::argument_texts([
                                    {
                                        let __cdsspec_shown = &__cdsspec_record.value;
                                        (&&::cdsspec::__private::probe_of(__cdsspec_shown))
                                            .show(__cdsspec_shown)
                                    },
                                ]),
                                |__cdsspec_record| ::cdsspec::__private::argument_texts([
                                    {
                                        let __cdsspec_shown = &__cdsspec_record.value;
                                        (&&::cdsspec::__private::probe_of(__cdsspec_shown))
                                            .show(__cdsspec_shown)
                                    },
                                ]),
                            ),
                            render_return: ::cdsspec::__private::no_return,
                            key: (&&::cdsspec::__private::Probe::<
                                __CdsspecCall0SendRecord,
                            >::new())
                                .key(),
                        },
                    },
                    names: &["send", "Sender::send"],
                },
            ])
        },
    };
    ::cdsspec::__private::inventory::submit! {
        ::cdsspec::__private::RegisteredBlock(& __CDSSPEC_BLOCK)
    }
    #[allow(dead_code, reason = "a block may have no methods yet")]
    fn __cdsspec_method(
        __cdsspec_index: ::core::primitive::usize,
    ) -> ::core::primitive::usize {
        static FIRST: ::cdsspec::__private::OnceLock<::core::primitive::usize> = ::cdsspec::__private::OnceLock::new();
        *FIRST.get_or_init(|| ::cdsspec::__private::first_method(&__CDSSPEC_BLOCK))
            + __cdsspec_index
    }
    #[allow(
        non_local_definitions,
        reason = "a function outside of an impl has everything inside"
    )]
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl ::cdsspec::__private::SpecifiedMethod<
        { ::cdsspec::__private::name_of("send") },
        __CdsspecCall0SendRecord,
    > for __CdsspecOwner {
        fn id() -> ::cdsspec::__private::MethodId {
            ::cdsspec::__private::MethodId::new(__cdsspec_method(0usize))
        }
    }
    #[allow(
        non_local_definitions,
        reason = "a function outside of an impl has everything inside"
    )]
    #[automatically_derived]
    #[diagnostic::do_not_recommend]
    impl ::cdsspec::__private::SpecifiedMethod<
        { ::cdsspec::__private::name_of("Sender::send") },
        __CdsspecCall0SendRecord,
    > for __CdsspecOwner {
        fn id() -> ::cdsspec::__private::MethodId {
            ::cdsspec::__private::MethodId::new(__cdsspec_method(0usize))
        }
    }
    ::cdsspec::__private::inventory::submit! {
        ::cdsspec::__private::RegisteredStructures { owner : "Sender", functions : &
        [("send", & [::cdsspec::__private::Unit::Call("put")]),] }
    }
    impl Sender {
        fn send(&self, value: i32) {
            let __cdsspec_call = {
                let __cdsspec_object = {
                    #[allow(
                        unused_imports,
                        reason = "which of the three is used depends on the type"
                    )]
                    use ::cdsspec::__private::{
                        ObjectByDeref as _, ObjectByPointer as _, ObjectNever as _,
                    };
                    match ::cdsspec::__private::ObjectProbe(&(self.shared)) {
                        __cdsspec_probe => (&&&__cdsspec_probe).extent(),
                    }
                };
                ::cdsspec::__private::Call::enter(
                    __cdsspec_specification,
                    __cdsspec_method(0usize),
                    __cdsspec_object,
                    || ::cdsspec::__private::Box::new(
                        __CdsspecCall0SendRecord::enter(__CdsspecCall0Send {
                            value: ::cdsspec::__private::Clone::clone(&value),
                            c_ret: ::cdsspec::__private::Unrecorded,
                        }),
                    ),
                )
            };
            let __cdsspec_return = {
                ::cdsspec::__private::run(move || -> () { self.shared.put(value) })
            };
            __cdsspec_call
                .finish(|__cdsspec_record: &mut __CdsspecCall0SendRecord| {
                    __cdsspec_record
                        .complete(|__cdsspec_entered| __CdsspecCall0Send {
                            value: __cdsspec_entered.value,
                            c_ret: ::cdsspec::__private::Unrecorded,
                        })
                });
            __cdsspec_return
        }
    }
};
