//! Random changes of token trees.

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// SplitMix64: the same numbers for the same seed, everywhere.
pub(super) struct Random(u64);

impl Random {
    /// The numbers of one case of a run.
    pub(super) fn new(seed: u64, case: u64) -> Self {
        let mut random = Self(seed);
        let first = random.next();
        Self(first ^ case.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        value ^ (value >> 31)
    }

    /// A number below `end`, which is not 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// Changes one place, somewhere in the tokens. `pool` has tokens that may be put in.
pub(super) fn mutate(tokens: TokenStream, pool: &[TokenTree], random: &mut Random) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    // Into brackets rather than beside them, since most tokens are deep inside.
    let groups: Vec<usize> =
        (0..tokens.len()).filter(|index| matches!(tokens[*index], TokenTree::Group(_))).collect();
    if !groups.is_empty() && random.below(5) > 0 {
        let index = groups[random.below(groups.len())];
        if let TokenTree::Group(group) = &tokens[index] {
            tokens[index] = Group::new(group.delimiter(), mutate(group.stream(), pool, random)).into();
        }
        return tokens.into_iter().collect();
    }
    change(&mut tokens, pool, random);
    tokens.into_iter().collect()
}

fn change(tokens: &mut Vec<TokenTree>, pool: &[TokenTree], random: &mut Random) {
    let place = random.below(tokens.len() + 1);
    let new = pool[random.below(pool.len())].clone();
    if place == tokens.len() {
        return tokens.push(new);
    }
    match random.below(10) {
        0 => drop(tokens.remove(place)),
        1 => tokens.insert(place, tokens[place].clone()),
        2 => tokens.insert(place, new),
        3 => tokens[place] = new,
        4 => {
            let other = random.below(tokens.len());
            tokens.swap(place, other);
        }
        5 => {
            let end = place + 1 + random.below(tokens.len() - place);
            let inner: TokenStream = tokens.drain(place..end).collect();
            tokens.insert(place, Group::new(delimiter(random), inner).into());
        }
        6 => {
            if let TokenTree::Group(group) = tokens[place].clone() {
                tokens.splice(place..=place, group.stream());
            }
        }
        7 => tokens.truncate(place),
        8 => tokens[place] = misspelt(&tokens[place], random),
        _ => nest(&mut tokens[place], random),
    }
}

fn delimiter(random: &mut Random) -> Delimiter {
    [Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None][random.below(4)]
}

/// A name with a letter less or with two swapped; of other tokens, a punctuation mark.
fn misspelt(token: &TokenTree, random: &mut Random) -> TokenTree {
    let TokenTree::Ident(name) = token else {
        let marks = ['#', '!', '<', '>', '-', '=', '.', ',', ';', ':', '&', '*', '|', '?', '\''];
        let mark = marks[random.below(marks.len() - 1)];
        return Punct::new(mark, if random.below(2) == 0 { Spacing::Joint } else { Spacing::Alone }).into();
    };
    let mut letters: Vec<char> = name.to_string().chars().collect();
    let index = random.below(letters.len());
    if index + 1 < letters.len() && random.below(2) == 0 {
        letters.swap(index, index + 1);
    } else {
        letters.remove(index);
    }
    let text: String = letters.into_iter().collect();
    let is_name = text.starts_with(|letter: char| letter.is_alphabetic()) && !text.contains('#');
    if is_name { Ident::new(&text, Span::call_site()).into() } else { token.clone() }
}

/// The token in many brackets.
fn nest(token: &mut TokenTree, random: &mut Random) {
    let (delimiter, depth) = (delimiter(random), [1, 3, 250][random.below(3)]);
    for _ in 0..depth {
        *token = Group::new(delimiter, token.clone().into()).into();
    }
}
