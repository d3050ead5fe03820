//! The words of cdsspec, as tables: settings, verdicts, clauses, ordering points, predefined contracts. A word is a row here, and its use elsewhere.
//!
//! Each table is there twice: as data, for what prints it, and as a macro that hands its rows to another one, for what is made of them.
//! This crate has no dependencies, and no logic but that which tells a misspelt word.

#![forbid(unsafe_code)]

mod clause;
mod contract;
mod distance;
mod setting;
mod verdict;

pub use clause::{CLAUSES, IMPL_HELPERS, MARKERS};
pub use contract::{CONTRACT_HELPERS, CONTRACTS, PredefinedContract, Role};
pub use distance::{edit_distance, nearest};
pub use setting::{SEARCH_SETTINGS, SETTINGS, Setting};
pub use verdict::{Class, VERDICTS, Verdict};

/// The first sentence of a text.
pub fn first_sentence(text: &str) -> &str {
    let text = text.trim();
    text.find(". ").map_or(text, |end| &text[..=end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_unique(mut names: Vec<&str>) -> bool {
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        names.len() == count
    }

    #[test]
    fn every_row_has_a_name_of_its_own_and_a_text() {
        let settings = || SETTINGS.iter().chain(SEARCH_SETTINGS);
        assert!(is_unique(settings().map(|row| row.name).collect()));
        assert!(is_unique(VERDICTS.iter().map(|row| row.word).collect()));
        assert!(is_unique(CLAUSES.iter().copied().chain(MARKERS).chain(IMPL_HELPERS).collect()));
        assert!(settings().all(|row| row.text.len() > 20 && row.variable.starts_with("CDSSPEC_")));
        assert!(VERDICTS.iter().all(|row| row.text.len() > 20 && row.remedy.len() > 20));
    }

    #[test]
    fn variables_are_the_names_in_upper_case_with_a_unit() {
        for row in SETTINGS.iter().chain(SEARCH_SETTINGS) {
            let unit = if row.kind == "Milliseconds" { "_MS" } else { "" };
            assert_eq!(row.variable, format!("CDSSPEC_{}{unit}", row.name.to_uppercase()));
        }
    }

    #[test]
    fn verdicts_are_sorted_by_class() {
        assert!(VERDICTS.is_sorted_by_key(|row| row.class));
    }

    #[test]
    fn every_role_adds_to_a_set_of_its_contract_and_says_what_is_wrong() {
        let roles =
            CONTRACTS.iter().flat_map(|contract| contract.roles.iter().map(move |role| (contract, role)));
        for (contract, role) in roles {
            assert!(contract.sets.contains(&role.adds), "{} {}", contract.name, role.name);
            assert!(
                role.expects.iter().all(|(_, says)| says.ends_with(')')),
                "{} {}",
                contract.name,
                role.name
            );
        }
        assert!(is_unique(CONTRACTS.iter().map(|contract| contract.name).collect()));
        assert!(is_unique(CONTRACT_HELPERS.to_vec()));
    }

    #[test]
    fn a_sentence_ends_with_a_full_stop_and_a_blank() {
        assert_eq!(first_sentence(" The unit is 1.5. More."), "The unit is 1.5.");
        assert_eq!(first_sentence("No more than this"), "No more than this");
    }
}
