// plain
impl Row {
    fn row(&self) -> Option<i32> {
        if let Some(x) = self.a() {
            self.b(x);
        }
        while self.c() {}
        if false {
            let _: ::core::primitive::bool = done;
        }
        self.d().e?;
        match *self.f() {
            _ => {}
        }
        return self.g();
        self.h()
    }
}

// recorded
const _: () = {
    type __CdsspecState = ();
    trait __CdsspecSteps {
        fn __cdsspec_initial() -> __CdsspecState;
        fn __cdsspec_copy(__cdsspec_state: &__CdsspecState) -> __CdsspecState;
        fn __cdsspec_clear(__cdsspec_state: __CdsspecState);
    }
    impl __CdsspecSteps for Row {
        fn __cdsspec_initial() -> __CdsspecState {}
        fn __cdsspec_copy(__cdsspec_state: &__CdsspecState) -> __CdsspecState {}
        fn __cdsspec_clear(__cdsspec_state: __CdsspecState) {
            let _ = __cdsspec_state;
        }
    }
    fn __cdsspec_specification() -> &'static renamed::__private::Specification {
        static SPECIFICATION: renamed::__private::OnceLock<
            renamed::__private::Specification,
        > = renamed::__private::OnceLock::new();
        SPECIFICATION
            .get_or_init(|| renamed::__private::Specification {
                name: "Row",
                source: renamed::__private::SourceLocation {
                    file: ::core::file!(),
                    line: ::core::line!(),
                    column: ::core::column!(),
                },
                state: renamed::__private::StateSupport {
                    initial: || renamed::__private::Box::new(
                        <Row as __CdsspecSteps>::__cdsspec_initial(),
                    ),
                    copy: |__cdsspec_state| {
                        renamed::__private::Box::new(
                            <Row as __CdsspecSteps>::__cdsspec_copy(
                                renamed::__private::state_ref::<
                                    __CdsspecState,
                                >(__cdsspec_state),
                            ),
                        )
                    },
                    clear: |__cdsspec_state| <Row as __CdsspecSteps>::__cdsspec_clear(
                        renamed::__private::state_owned::<
                            __CdsspecState,
                        >(__cdsspec_state),
                    ),
                    render: if [].contains(&true) {
                        renamed::__private::Some(|__cdsspec_state| {
                            let () = renamed::__private::state_ref::<
                                __CdsspecState,
                            >(__cdsspec_state);
                            renamed::__private::state_text(&[])
                        })
                    } else {
                        renamed::__private::None
                    },
                    key: renamed::__private::key!(__CdsspecState),
                },
                methods: {
                    #[allow(
                        unused_imports,
                        reason = "which of them are used depends on the types"
                    )]
                    use renamed::__private::{
                        ProbeKey as _, ProbeNoKey as _, ProbeNoShow as _, ProbeShow as _,
                        ReturnBorrowing as _, ReturnOwned as _,
                    };
                    renamed::__private::Vec::from([])
                },
                rules: renamed::__private::Vec::from([]),
            })
    }
    renamed::__private::inventory::submit! {
        renamed::__private::RegisteredSpecification { get : __cdsspec_specification }
    }
    renamed::__private::inventory::submit! {
        renamed::__private::RegisteredMarker(renamed::__private::MarkerText { name :
        "op_define", text : "", source : renamed::__private::SourceLocation { file :
        ::core::file!(), line : ::core::line!(), column : ::core::column!(), } })
    }
    renamed::__private::inventory::submit! {
        renamed::__private::RegisteredMarker(renamed::__private::MarkerText { name :
        "op_define", text : "", source : renamed::__private::SourceLocation { file :
        ::core::file!(), line : ::core::line!(), column : ::core::column!(), } })
    }
    renamed::__private::inventory::submit! {
        renamed::__private::RegisteredMarker(renamed::__private::MarkerText { name :
        "op_define", text : "done", source : renamed::__private::SourceLocation { file :
        ::core::file!(), line : ::core::line!(), column : ::core::column!(), } })
    }
    renamed::__private::inventory::submit! {
        renamed::__private::RegisteredMarker(renamed::__private::MarkerText { name :
        "potential_op", text : "here", source : renamed::__private::SourceLocation { file
        : ::core::file!(), line : ::core::line!(), column : ::core::column!(), } })
    }
    renamed::__private::inventory::submit! {
        renamed::__private::RegisteredMarker(renamed::__private::MarkerText { name :
        "op_check", text : "here", source : renamed::__private::SourceLocation { file :
        ::core::file!(), line : ::core::line!(), column : ::core::column!(), } })
    }
    renamed::__private::inventory::submit! {
        renamed::__private::RegisteredMarker(renamed::__private::MarkerText { name :
        "op_clear", text : "", source : renamed::__private::SourceLocation { file :
        ::core::file!(), line : ::core::line!(), column : ::core::column!(), } })
    }
    renamed::__private::inventory::submit! {
        renamed::__private::RegisteredStructures { owner : "Row", functions : & [("row",
        & [renamed::__private::Unit::Call("a"), renamed::__private::Unit::Selection(& [&
        [renamed::__private::Unit::Call("b")]]),
        renamed::__private::Unit::Loop(renamed::__private::Option::None, &
        [renamed::__private::Unit::Call("c")]), renamed::__private::Unit::Call("d"),
        renamed::__private::Unit::Call("f"), renamed::__private::Unit::Call("g"),
        renamed::__private::Unit::Call("h")]),] }
    }
    impl Row {
        fn row(&self) -> Option<i32> {
            renamed::__private::note_beside("Row");
            '__cdsspec_body: {
                let __cdsspec_statement = renamed::__private::Statement::begin();
                if let Some(x) = match (self.a()) {
                    #[allow(
                        unreachable_code,
                        reason = "what stands before may never end"
                    )]
                    __cdsspec_value => {
                        __cdsspec_statement
                            .mark(
                                renamed::__private::Marker::Define,
                                renamed::__private::SourceLocation {
                                    file: ::core::file!(),
                                    line: ::core::line!(),
                                    column: ::core::column!(),
                                },
                            );
                        renamed::__private::drop(__cdsspec_statement);
                        __cdsspec_value
                    }
                } {
                    self.b(x);
                }
                while match (renamed::__private::Statement::begin(), self.c()) {
                    #[allow(
                        unreachable_code,
                        reason = "what stands before may never end"
                    )]
                    (__cdsspec_statement, __cdsspec_value) => {
                        __cdsspec_statement
                            .mark(
                                renamed::__private::Marker::Define,
                                renamed::__private::SourceLocation {
                                    file: ::core::file!(),
                                    line: ::core::line!(),
                                    column: ::core::column!(),
                                },
                            );
                        renamed::__private::drop(__cdsspec_statement);
                        __cdsspec_value
                    }
                } {}
                let __cdsspec_statement = renamed::__private::Statement::begin();
                (match (self.d()) {
                    #[allow(
                        unreachable_code,
                        reason = "what stands before may never end"
                    )]
                    __cdsspec_value => {
                        {
                            #[allow(
                                clippy::redundant_closure,
                                reason = "a condition is no function"
                            )]
                            let __cdsspec_holds = renamed::__private::holds(&|| done);
                            if __cdsspec_holds {
                                __cdsspec_statement
                                    .mark(
                                        renamed::__private::Marker::Define,
                                        renamed::__private::SourceLocation {
                                            file: ::core::file!(),
                                            line: ::core::line!(),
                                            column: ::core::column!(),
                                        },
                                    );
                            }
                        }
                        renamed::__private::drop(__cdsspec_statement);
                        __cdsspec_value
                    }
                })
                    .e?;
                let __cdsspec_statement = renamed::__private::Statement::begin();
                match *match (self.f()) {
                    #[allow(
                        unreachable_code,
                        reason = "what stands before may never end"
                    )]
                    __cdsspec_value => {
                        __cdsspec_statement
                            .mark(
                                renamed::__private::Marker::Potential("here"),
                                renamed::__private::SourceLocation {
                                    file: ::core::file!(),
                                    line: ::core::line!(),
                                    column: ::core::column!(),
                                },
                            );
                        renamed::__private::drop(__cdsspec_statement);
                        __cdsspec_value
                    }
                } {
                    _ => {}
                }
                return match (self.g()) {
                    #[allow(
                        unreachable_code,
                        reason = "what stands before may never end"
                    )]
                    __cdsspec_value => {
                        renamed::__private::mark(
                            renamed::__private::Marker::Check("here"),
                            renamed::__private::SourceLocation {
                                file: ::core::file!(),
                                line: ::core::line!(),
                                column: ::core::column!(),
                            },
                        );
                        __cdsspec_value
                    }
                };
                match (self.h()) {
                    #[allow(
                        unreachable_code,
                        reason = "what stands before may never end"
                    )]
                    __cdsspec_value => {
                        renamed::__private::mark(
                            renamed::__private::Marker::Clear,
                            renamed::__private::SourceLocation {
                                file: ::core::file!(),
                                line: ::core::line!(),
                                column: ::core::column!(),
                            },
                        );
                        __cdsspec_value
                    }
                }
            }
        }
    }
};
