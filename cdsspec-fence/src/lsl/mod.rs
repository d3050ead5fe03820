//! The load-store language, LSL: figures 4 and 5 of the paper, and section 3.1.
//!
//! | module | what is there |
//! |---|---|
//! | [`value`] | undefined, numbers, pointers |
//! | [`primitive`] | what is computed without an effect |
//! | [`syntax`] | statements, procedures, tests |
//! | [`parse`](mod@parse), `print` | the text form |
//! | [`error`] | what is wrong with a text |
//! | [`build`] | programs made by code |
//! | [`check`] | what a program must keep to: names, arities, jumps |

pub mod build;
pub mod check;
pub mod error;
pub mod parse;
pub mod primitive;
mod print;
pub mod syntax;
mod token;
pub mod value;

pub use error::ParseError;
pub use parse::parse;
pub use primitive::Primitive;
pub use syntax::{Program, Statement};
pub use value::{Path, Value};
