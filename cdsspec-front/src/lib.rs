//! The front end of CheckFence (section 3.1 of the paper): a subset of Rust, translated to the load-store language of `cdsspec-fence`.
#![forbid(unsafe_code)]

mod atomic;
mod block;
mod body;
mod branch;
mod call;
mod code;
mod expression;
mod function;
mod layout;
mod message;
mod method;
mod module;
mod operator;
mod place;
mod spin;
mod translator;
mod types;
mod written;

use module::Module;
use translator::Translator;

/// Translates the functions among these items. `instance` gives values to constants that are generic.
///
/// The text is LSL, a statement a line, with line and column of the source behind each; the head of a procedure has the function's path, its parameters
/// and what it returns: `n` a number, `b` a truth value, `p` a pointer, `(…)` a tuple or struct, `?` an option, `!` a result. For a function that makes an object
/// there is another procedure, `….at`, which makes it where its first argument points to, and has the type behind its note.
///
/// # Errors
/// What is outside of the subset, each at its tokens.
pub fn translate(
    items: &[syn::Item],
    instance: &[(syn::Ident, syn::Expr)],
) -> Result<String, Vec<syn::Error>> {
    let mut module = Module::new(items, instance);
    let configured = std::mem::take(&mut module.errors);
    if !configured.is_empty() {
        return Err(configured);
    }
    let mut translator = Translator::new(&module);
    translator.check_structs();
    if translator.errors.is_empty() {
        translator.all();
    }
    if translator.errors.is_empty() {
        Ok(translator.procedures.iter().map(code::Procedure::text).collect::<Vec<_>>().join("\n"))
    } else {
        Err(translator.errors)
    }
}
