//! A function that is a program to check.

use crate::diagnostics::{Errors, TEST_ASYNC, TEST_CONST, TEST_GENERIC, TEST_PARAMETERS};
use crate::parse::item::FunctionParts;
use crate::parse::test::TestArguments;
use quote::ToTokens;

/// The function, which has no parameters and is called as it is.
pub(crate) struct TestModel {
    /// The arguments of the attribute.
    pub(crate) arguments: TestArguments,
    /// The function.
    pub(crate) function: FunctionParts,
}

impl TestModel {
    /// Looks at what was read. Notes every mistake.
    pub(crate) fn build(
        arguments: Option<TestArguments>,
        function: Option<FunctionParts>,
        errors: &mut Errors,
    ) -> Option<Self> {
        if let Some(function) = &function {
            check(function, errors);
        }
        let (arguments, function) = (arguments?, function?);
        errors.is_empty().then_some(Self { arguments, function })
    }
}

fn check(function: &FunctionParts, errors: &mut Errors) {
    let signature = &function.signature;
    if let Some(token) = &signature.asyncness {
        errors.at(token.span, TEST_ASYNC, &[]);
    }
    if let Some(token) = &signature.constness {
        errors.at(token.span, TEST_CONST, &[]);
    }
    if !signature.inputs.is_empty() {
        errors.on(&signature.inputs.to_token_stream(), TEST_PARAMETERS, &[]);
    }
    if !signature.generics.params.is_empty() {
        errors.on(&signature.generics.to_token_stream(), TEST_GENERIC, &[]);
    }
}
