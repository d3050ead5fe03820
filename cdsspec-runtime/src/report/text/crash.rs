//! A crash of the process, in a line.

use super::paragraph;
use crate::process::Crash;

/// What is said when the process crashes while `program` runs, in the test of this name, if it is one.
pub(crate) fn crash(crash: Crash, program: &str, test: Option<&str>, columns: usize) -> String {
    let (signal, cause) = match crash {
        Crash::Segmentation => {
            ("SIGSEGV", "a stack overflowed (`Builder::stack_bytes`), or memory was used that is not there")
        }
        Crash::Bus => {
            ("SIGBUS", "a stack overflowed (`Builder::stack_bytes`), or memory was used that is not there")
        }
        Crash::Illegal => ("SIGILL", "an instruction does not exist, as those that stand for an abort"),
        Crash::Abort => ("SIGABRT", "it was aborted, or something panicked while a panic was unwinding"),
    };
    let test = test.map_or_else(String::new, |test| format!(", in the test `{test}`"));
    let text =
        format!("cdsspec: the process ended by {signal} while the program `{program}` ran{test}: {cause}");
    paragraph(&text, columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_and_the_test_are_named() {
        let text = "cdsspec: the process ended by SIGABRT while the program `push__pop` ran, in the test `stack::push__pop`: \
                    it was aborted, or something panicked while a panic was unwinding";
        assert_eq!(crash(Crash::Abort, "push__pop", Some("stack::push__pop"), 200), text);
        assert!(
            crash(Crash::Bus, "p", None, 100)
                .starts_with("cdsspec: the process ended by SIGBUS while the program `p` ran: ")
        );
    }
}
