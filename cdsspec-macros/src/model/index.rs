//! Who names the values of a method from elsewhere: rules, and clauses of other methods through `concurrent`. Looked up by the method's
//! name, so that the time for an impl is linear in its methods.

use super::clause::ClauseModel;
use super::rule::RuleModel;
use crate::parse::mention;
use proc_macro2::Ident;
use std::collections::{HashMap, HashSet};
use syn::ext::IdentExt;

/// The rules and clauses, by the names in them.
pub(super) struct Index<'a> {
    rules: HashMap<&'a str, Vec<&'a RuleModel>>,
    /// The fields and methods that each clause with `concurrent` names.
    members: Vec<HashSet<String>>,
    /// Those clauses, by each of the members.
    clauses: HashMap<String, Vec<usize>>,
}

impl<'a> Index<'a> {
    /// Of the rules of an impl and the clauses of all its methods.
    pub(super) fn new<'c>(rules: &'a [RuleModel], clauses: impl Iterator<Item = &'c ClauseModel>) -> Self {
        let members = clauses.filter(|clause| clause.mentions("concurrent"));
        let members = members.map(|clause| mention::members(&clause.expression.tokens)).collect();
        let mut index = Self { rules: HashMap::new(), members, clauses: HashMap::new() };
        for rule in rules {
            index.rules.entry(&rule.first.name).or_default().push(rule);
            if rule.second.name != rule.first.name {
                index.rules.entry(&rule.second.name).or_default().push(rule);
            }
        }
        for (clause, members) in index.members.iter().enumerate() {
            for member in members {
                index.clauses.entry(member.clone()).or_default().push(clause);
            }
        }
        index
    }

    /// Whether a rule names the method, or a clause that looks at concurrent calls may.
    pub(super) fn names(&self, method: &Ident) -> bool {
        let behind = mention::concurrent_name(method).unraw().to_string();
        self.rules.contains_key(method.unraw().to_string().as_str()) || self.clauses.contains_key(&behind)
    }

    /// Whether a rule, or a clause that looks at concurrent calls, mentions this value of the method.
    pub(super) fn mentions(&self, method: &Ident, value: &str) -> bool {
        let rules = self.rules.get(method.unraw().to_string().as_str());
        let behind = mention::concurrent_name(method).unraw().to_string();
        let mut clauses = self.clauses.get(&behind).into_iter().flatten();
        rules.into_iter().flatten().any(|rule| rule.mentions(method, value))
            || clauses.any(|clause| self.members[*clause].contains(value))
    }
}
