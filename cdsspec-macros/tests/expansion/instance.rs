// plain
impl<T: Send, const N: usize> Ring<T, N> {
    pub fn put(&self, value: T) -> Result<(), T> {
        self.link(value)
    }
}
const _: () = {
    #[allow(
        dead_code,
        non_camel_case_types,
        clippy::min_ident_chars,
        reason = "named as the impl names it, where it is needed"
    )]
    type T = i32;
    #[allow(
        dead_code,
        non_upper_case_globals,
        clippy::min_ident_chars,
        reason = "named as the impl names it, where it is needed"
    )]
    const N: usize = 4;
    const _: ::core::marker::PhantomData<(VecDeque<T>,)> = ::core::marker::PhantomData;
};

// recorded
const _: () = {
    #[allow(
        dead_code,
        non_camel_case_types,
        clippy::min_ident_chars,
        reason = "named as the impl names it, where it is needed"
    )]
    type T = i32;
    #[allow(
        dead_code,
        non_upper_case_globals,
        clippy::min_ident_chars,
        reason = "named as the impl names it, where it is needed"
    )]
    const N: usize = 4;
    type __CdsspecInstance = Ring<T, N>;
    type __CdsspecArgumentT = T;
    type __CdsspecState = (VecDeque<T>,);
    #[allow(elided_lifetimes_in_paths, reason = "as the method names it")]
    type __CdsspecCall0PutCompared = fn(Result<(), T>);
    type __CdsspecCall0PutReturned = (T, ::cdsspec::__private::Unmentioned);
    type __CdsspecCall0PutRecord = ::cdsspec::__private::Recorded<
        (T, ::cdsspec::__private::Unrecorded),
        __CdsspecCall0PutReturned,
    >;
    trait __CdsspecSteps {
        fn __cdsspec_initial() -> __CdsspecState;
        fn __cdsspec_copy(__cdsspec_state: &__CdsspecState) -> __CdsspecState;
        fn __cdsspec_clear(__cdsspec_state: __CdsspecState);
        fn __cdsspec_step_0(
            __cdsspec_step: &mut ::cdsspec::__private::Step<'_>,
        ) -> ::cdsspec::__private::Result<(), ::cdsspec::__private::Broken>;
    }
    impl __CdsspecSteps for Ring<T, N> {
        fn __cdsspec_initial() -> __CdsspecState {
            (<VecDeque<T> as ::cdsspec::__private::Default>::default(),)
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
            let __cdsspec_effect = ::cdsspec::__private::Probe::new();
            if __cdsspec_step.is_asked(&__cdsspec_effect) {
                return ::cdsspec::__private::Ok(());
            }
            let __cdsspec_mode = __cdsspec_step.mode();
            let (
                __cdsspec_state,
                __cdsspec_record,
                __cdsspec_concurrent,
                __cdsspec_at,
            ) = __cdsspec_step.split::<__CdsspecState, __CdsspecCall0PutRecord>();
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
                let value = ::cdsspec::__private::Clone::clone(&__cdsspec_values.0);
                ::cdsspec::__private::run(|| q.push_back(value))
            };
            let _ = &__cdsspec_s_ret;
            __cdsspec_effect.is_of(&__cdsspec_s_ret);
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
                        returned: {
                            #[allow(
                                unused_imports,
                                reason = "which of the two is used depends on the type"
                            )]
                            use ::cdsspec::__private::{
                                ReturnBorrowing as _, ReturnOwned as _,
                            };
                            (&&::cdsspec::__private::ReturnProbe::<
                                __CdsspecCall0PutCompared,
                            >::new())
                                .kept(&__cdsspec_values.1)
                        },
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
    }
    fn __cdsspec_says_nothing_0() -> ::core::primitive::bool {
        ::cdsspec::__private::says_nothing(
            <Ring<T, N> as __CdsspecSteps>::__cdsspec_step_0,
        )
    }
    fn __cdsspec_specification() -> &'static ::cdsspec::__private::Specification {
        static SPECIFICATION: ::cdsspec::__private::OnceLock<
            ::cdsspec::__private::Specification,
        > = ::cdsspec::__private::OnceLock::new();
        SPECIFICATION
            .get_or_init(|| ::cdsspec::__private::Specification {
                name: "Ring<T, N>",
                source: ::cdsspec::__private::SourceLocation {
                    file: ::core::file!(),
                    line: ::core::line!(),
                    column: ::core::column!(),
                },
                state: ::cdsspec::__private::StateSupport {
                    initial: || ::cdsspec::__private::Box::new(
                        <Ring<T, N> as __CdsspecSteps>::__cdsspec_initial(),
                    ),
                    copy: |__cdsspec_state| {
                        ::cdsspec::__private::Box::new(
                            <Ring<
                                T,
                                N,
                            > as __CdsspecSteps>::__cdsspec_copy(
                                ::cdsspec::__private::state_ref::<
                                    __CdsspecState,
                                >(__cdsspec_state),
                            ),
                        )
                    },
                    clear: |__cdsspec_state| <Ring<
                        T,
                        N,
                    > as __CdsspecSteps>::__cdsspec_clear(
                        ::cdsspec::__private::state_owned::<
                            __CdsspecState,
                        >(__cdsspec_state),
                    ),
                    render: if [::cdsspec::__private::can_show!(VecDeque < T >)]
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
                            name: "put",
                            source: ::cdsspec::__private::SourceLocation {
                                file: ::core::file!(),
                                line: ::core::line!(),
                                column: ::core::column!(),
                            },
                            clauses: ::cdsspec::__private::Vec::from([
                                ::cdsspec::__private::Clause {
                                    kind: ::cdsspec::__private::ClauseKind::SideEffect,
                                    text: "q . push_back (value)",
                                    source: ::cdsspec::__private::SourceLocation {
                                        file: ::core::file!(),
                                        line: ::core::line!(),
                                        column: ::core::column!(),
                                    },
                                },
                                ::cdsspec::__private::Clause {
                                    kind: ::cdsspec::__private::ClauseKind::SameReturn,
                                    text: "q . push_back (value)",
                                    source: ::cdsspec::__private::SourceLocation {
                                        file: ::core::file!(),
                                        line: ::core::line!(),
                                        column: ::core::column!(),
                                    },
                                },
                            ]),
                            step: <Ring<T, N> as __CdsspecSteps>::__cdsspec_step_0,
                            markers: ::cdsspec::__private::Vec::from([
                                ::cdsspec::__private::MarkerText {
                                    name: "op_define",
                                    text: "",
                                    source: ::cdsspec::__private::SourceLocation {
                                        file: ::core::file!(),
                                        line: ::core::line!(),
                                        column: ::core::column!(),
                                    },
                                },
                            ]),
                            values: ::cdsspec::__private::ValueSupport {
                                render_arguments: |__cdsspec_values| ::cdsspec::__private::with_record::<
                                    __CdsspecCall0PutRecord,
                                    _,
                                >(
                                    __cdsspec_values,
                                    |__cdsspec_record| ::cdsspec::__private::argument_texts([
                                        {
                                            let __cdsspec_shown = &__cdsspec_record.0;
                                            (&&::cdsspec::__private::probe_of(__cdsspec_shown))
                                                .show(__cdsspec_shown)
                                        },
                                    ]),
                                    |__cdsspec_record| ::cdsspec::__private::argument_texts([
                                        {
                                            let __cdsspec_shown = &__cdsspec_record.0;
                                            (&&::cdsspec::__private::probe_of(__cdsspec_shown))
                                                .show(__cdsspec_shown)
                                        },
                                    ]),
                                ),
                                render_return: |__cdsspec_values| {
                                    let __cdsspec_value = &::cdsspec::__private::returned::<
                                        __CdsspecCall0PutRecord,
                                    >(__cdsspec_values)?
                                        .1;
                                    (&&::cdsspec::__private::ReturnProbe::<
                                        __CdsspecCall0PutCompared,
                                    >::new())
                                        .kept(__cdsspec_value)
                                        .and_then(|__cdsspec_value| {
                                            let __cdsspec_shown = __cdsspec_value;
                                            (&&::cdsspec::__private::probe_of(__cdsspec_shown))
                                                .show(__cdsspec_shown)
                                        })
                                },
                                key: ::cdsspec::__private::unmentioned_key(
                                    __cdsspec_says_nothing_0(),
                                    (&&(&&::cdsspec::__private::ReturnProbe::<
                                        __CdsspecCall0PutCompared,
                                    >::new())
                                        .probe())
                                        .key(),
                                    (&&::cdsspec::__private::Probe::<
                                        __CdsspecCall0PutRecord,
                                    >::new())
                                        .key(),
                                ),
                            },
                        },
                    ])
                },
                rules: ::cdsspec::__private::Vec::from([]),
            })
    }
    ::cdsspec::__private::inventory::submit! {
        ::cdsspec::__private::RegisteredSpecification { get : __cdsspec_specification }
    }
    fn __cdsspec_enter_0(
        value: &T,
    ) -> ::cdsspec::__private::Box<dyn ::cdsspec::__private::Any> {
        ::cdsspec::__private::Box::new(
            __CdsspecCall0PutRecord::enter((
                ::cdsspec::__private::Clone::clone(&*value),
                ::cdsspec::__private::Unrecorded,
            )),
        )
    }
    #[allow(elided_lifetimes_in_paths, reason = "as the method names it")]
    fn __cdsspec_finish_0(
        __cdsspec_record: &mut __CdsspecCall0PutRecord,
        __cdsspec_return: &Result<(), T>,
    ) {
        __cdsspec_record
            .complete(|__cdsspec_entered| (
                __cdsspec_entered.0,
                if __cdsspec_says_nothing_0() {
                    ::cdsspec::__private::Unmentioned::nothing()
                } else {
                    #[allow(
                        unused_imports,
                        reason = "which of them are used depends on the type"
                    )]
                    use ::cdsspec::__private::{
                        ProbeClone as _, ProbeKey as _, ProbeNoClone as _,
                        ProbeNoKey as _, ReturnBorrowing as _, ReturnOwned as _,
                    };
                    let __cdsspec_compared = (&&::cdsspec::__private::ReturnProbe::<
                        __CdsspecCall0PutCompared,
                    >::new());
                    let __cdsspec_probe = __cdsspec_compared.probe();
                    ::cdsspec::__private::Unmentioned::new(
                        (&&__cdsspec_probe)
                            .try_clone(__cdsspec_compared.to_keep(__cdsspec_return)),
                        (&&__cdsspec_probe).key(),
                    )
                },
            ))
    }
    ::cdsspec::__private::inventory::submit! {
        ::cdsspec::__private::RegisteredStructures { owner : "Ring<T, N>", functions : &
        [("put", & [::cdsspec::__private::Unit::Call("link")]),] }
    }
    const _: () = {
        #[allow(
            unused_lifetimes,
            single_use_lifetimes,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            reason = "only the bounds are of interest"
        )]
        const fn __cdsspec_holds<T: Send, const N: usize>() {}
        let _ = || __cdsspec_holds::<T, { N }>();
    };
    impl<T: Send, const N: usize> Ring<T, N> {
        pub fn put(&self, value: T) -> Result<(), T> {
            let __cdsspec_call = {
                let __cdsspec_object = ::cdsspec::__private::ObjectExtent::of::<
                    Self,
                >(self);
                if ::cdsspec::__private::is_instance::<Self, __CdsspecInstance>() {
                    ::cdsspec::__private::assert_instance(
                        ::cdsspec::__private::type_name::<__CdsspecArgumentT>(),
                    );
                    ::cdsspec::__private::Call::enter(
                        __cdsspec_specification,
                        0usize,
                        __cdsspec_object,
                        || __cdsspec_enter_0(::cdsspec::__private::as_instance(&value)),
                    )
                } else {
                    ::cdsspec::__private::Call::unspecified()
                }
            };
            let __cdsspec_return = {
                ::cdsspec::__private::run(move || -> Result<(), T> {
                    let _ = &value;
                    '__cdsspec_body: {
                        let __cdsspec_statement = ::cdsspec::__private::Statement::begin();
                        match (self.link(value)) {
                            #[allow(
                                unreachable_code,
                                reason = "what stands before may never end"
                            )]
                            __cdsspec_value => {
                                __cdsspec_statement
                                    .mark(
                                        ::cdsspec::__private::Marker::Define,
                                        ::cdsspec::__private::SourceLocation {
                                            file: ::core::file!(),
                                            line: ::core::line!(),
                                            column: ::core::column!(),
                                        },
                                    );
                                ::cdsspec::__private::drop(__cdsspec_statement);
                                __cdsspec_value
                            }
                        }
                    }
                })
            };
            __cdsspec_call
                .finish(|__cdsspec_record| __cdsspec_finish_0(
                    __cdsspec_record,
                    ::cdsspec::__private::as_instance(&__cdsspec_return),
                ));
            __cdsspec_return
        }
    }
};
