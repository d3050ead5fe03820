//! Random changes of every annotated item of the workspace, run through the expansions: none of them panics, takes a second, or loses the item.
//!
//! `cargo xtask fuzz --seconds N --seed S` runs them for long, `--cases N` a number of them; the test by itself runs a few. A case is found again by the seed and its number.

mod corpus;
mod mutation;
mod product;

use corpus::Case;
use mutation::{Random, mutate};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What the compiler gives a macro.
const STACK_BYTES: usize = 8 << 20;
const SECONDS_MAX: u64 = 1;
/// How many cases the test runs by itself.
const CASE_COUNT: u64 = 400;

/// The number of the case that runs, and 1 more each time that one ends.
static PROGRESS: AtomicU64 = AtomicU64::new(0);

fn setting(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is a number, and not `{text}`")))
}

#[test]
fn changed_items_neither_panic_nor_hang_nor_get_lost() {
    let seed = setting("CDSSPEC_FUZZ_SEED").unwrap_or(1);
    let first = setting("CDSSPEC_FUZZ_FIRST").unwrap_or(0);
    let end = match setting("CDSSPEC_FUZZ_SECONDS") {
        Some(seconds) => End::After(Duration::from_secs(seconds)),
        None => End::Cases(setting("CDSSPEC_FUZZ_CASES").unwrap_or(CASE_COUNT)),
    };
    println!("seed {seed}, from case {first}");
    PROGRESS.store(first, Ordering::Relaxed);
    std::thread::spawn(move || watch(seed));
    let run = move || run(seed, first, end);
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(run);
    let Run { count, item_count, failures } =
        worker.expect("a thread can be made").join().expect("failures are caught");
    println!("{count} cases, {item_count} of them still items");
    assert!(8 * item_count > count, "too few cases are items");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// Ends the process where a case takes much too long.
fn watch(seed: u64) {
    let mut last = u64::MAX;
    loop {
        std::thread::sleep(Duration::from_secs(20));
        let now = PROGRESS.load(Ordering::Relaxed);
        if now == last {
            eprintln!("seed {seed}, case {now}: hangs");
            std::process::abort();
        }
        last = now;
    }
}

/// When a run ends.
#[derive(Clone, Copy)]
enum End {
    /// After as many cases.
    Cases(u64),
    /// As late as this.
    After(Duration),
}

/// What came of a run.
struct Run {
    count: u64,
    /// How many were Rust, so that what became of the item was looked at.
    item_count: u64,
    failures: Vec<String>,
}

/// Runs cases from `first` on.
fn run(seed: u64, first: u64, end: End) -> Run {
    let cases = corpus::cases(&corpus::FOLDERS);
    assert!(cases.len() > 100, "the sources have annotated items");
    let pool = pool(&cases);
    let begin = Instant::now();
    let (mut failures, mut item_count) = (Vec::new(), 0);
    let mut number = first;
    let is_over = |number: u64| match end {
        End::After(duration) => begin.elapsed() >= duration,
        End::Cases(count) => number - first >= count,
    };
    while !is_over(number) && failures.len() < 20 {
        PROGRESS.store(number, Ordering::Relaxed);
        let case = changed(&cases, &pool, &mut Random::new(seed, number));
        match judge(&case) {
            Ok(is_item) => item_count += u64::from(is_item),
            Err(what) => {
                let Case { attribute, arguments, item } = &case;
                let (arguments, item) = (visible(arguments), visible(item));
                failures
                    .push(format!("seed {seed}, case {number}: {what}: #[{attribute}({arguments})] {item}"));
            }
        }
        number += 1;
    }
    Run { count: number - first, item_count, failures }
}

/// Tokens to put in: some of each case, and what is hardly there.
fn pool(cases: &[Case]) -> Vec<TokenTree> {
    let rare = "#[side_effect(*s)] #[op_define] #[op_check(x)] #[returns] #[cfg(a)] #[cfg_attr(a, op_define)] #[admit(a <-> b)] r#try try fn impl \
                self Self 'a \"{x:?}\" m1 m2 c_ret s_ret concurrent for instance object state crate = <-> ..";
    let mut pool: Vec<TokenTree> =
        rare.parse::<TokenStream>().expect("these are tokens").into_iter().collect();
    for case in cases {
        pool.extend(case.item.clone());
        pool.extend(case.item.clone().into_iter().filter_map(|token| match token {
            TokenTree::Group(group) => group.stream().into_iter().next(),
            _ => None,
        }));
    }
    pool
}

fn changed(cases: &[Case], pool: &[TokenTree], random: &mut Random) -> Case {
    let mut case = cases[random.below(cases.len())].clone();
    for _ in 0..1 + random.below(4) {
        if random.below(5) == 0 {
            case.arguments = mutate(case.arguments, pool, random);
        } else {
            case.item = mutate(case.item, pool, random);
        }
    }
    case
}

/// The time that this thread has had of the processor, where the kernel tells it: on a loaded machine that of the day says little.
struct Clock {
    begin: Instant,
    processor: Option<Duration>,
}

impl Clock {
    fn now() -> Self {
        Self { begin: Instant::now(), processor: Self::processor() }
    }

    fn processor() -> Option<Duration> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
    }

    fn elapsed(&self) -> Duration {
        match (self.processor, Self::processor()) {
            (Some(begin), Some(end)) => end - begin,
            _ => self.begin.elapsed(),
        }
    }
}

/// What the macro makes of a case, and how long that takes.
fn expand(case: &Case) -> Result<(TokenStream, Duration), String> {
    let (arguments, item) = (case.arguments.clone(), case.item.clone());
    let begin = Clock::now();
    let expand = || match case.attribute.as_str() {
        "spec" => crate::entry::spec(arguments, item),
        "specification" => crate::entry::specification(arguments, item),
        "test" => crate::entry::test(arguments, item),
        _ => crate::entry::check_only(arguments, &item),
    };
    let expansion = std::panic::catch_unwind(std::panic::AssertUnwindSafe(expand)).map_err(|_| "a panic")?;
    Ok((expansion, begin.elapsed()))
}

/// Whether the case is an item.
fn judge(case: &Case) -> Result<bool, String> {
    let (expansion, duration) = expand(case)?;
    if duration > Duration::from_secs(SECONDS_MAX) {
        return Err(format!("takes {duration:?}"));
    }
    // To syn it is an error where invisible brackets are empty, as once the attribute in them is gone; to the compiler it is nothing.
    let expansion = without_empty(expansion);
    // What is no item, or nested too deep to be looked at, is the compiler's.
    let is_readable = |tokens: &TokenStream| crate::parse::depth::too_deep(tokens).is_none();
    if !is_readable(&case.item) || !is_of_fragments(&case.item) {
        return Ok(false);
    }
    let Ok(item) = syn::parse2::<syn::Item>(case.item.clone()) else { return Ok(false) };
    judge_forms(case, &item.to_token_stream(), &expansion).map(|()| true)
}

/// An item is there in the plain form, or beside the errors, and both forms are items.
fn judge_forms(case: &Case, item: &TokenStream, expansion: &TokenStream) -> Result<(), String> {
    let forms = forms(expansion);
    let plain = forms.as_ref().map_or(expansion, |[plain, _]| plain);
    // Printed anew as the item is: `x.0.0` and `impl<>` have other tokens then.
    let plain = syn::parse2::<syn::File>(plain.clone())
        .map_err(|error| format!("what is left of the item is no list of items ({error})"))?
        .to_token_stream();
    let lost = first_lost(item, &plain);
    // What only a specification needs is not there without one.
    let is_left_out = case.attribute == "check_only" && forms.is_some();
    if let (Some(token), false) = (lost, is_left_out) {
        return Err(format!("`{token}` is lost"));
    }
    for form in forms.iter().flatten() {
        if let Err(error) = syn::parse2::<syn::File>(form.clone()) {
            return Err(format!("a form is no list of items ({error})"));
        }
    }
    Ok(())
}

/// The two forms, plain and recorded, of `#[select { recorded }] plain` or `#[recorded] item`, if it is one.
pub(crate) fn forms(expansion: &TokenStream) -> Option<[TokenStream; 2]> {
    let (mut plain, mut recorded) = (TokenStream::new(), TokenStream::new());
    let mut is_selected = false;
    let mut tokens = expansion.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        match tokens.peek().and_then(of_select) {
            Some(between) => {
                is_selected = true;
                recorded.extend(between);
                tokens.next();
            }
            None => plain.extend([token]),
        }
    }
    let mut tokens = plain.clone().into_iter();
    match tokens.nth(1) {
        Some(attribute) if attribute.to_string().ends_with(":: recorded]") => {
            Some([TokenStream::new(), tokens.collect()])
        }
        _ => is_selected.then_some([plain, recorded]),
    }
}

/// What stands between the braces of `[… :: __private :: select { … }]`.
fn of_select(token: &TokenTree) -> Option<TokenStream> {
    let TokenTree::Group(attribute) = token else { return None };
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    let [.., private, _, _, TokenTree::Ident(name), TokenTree::Group(between)] = &tokens[..] else {
        return None;
    };
    let is_select =
        private.to_string().starts_with("__private_") && (name == "select" || name == "contracted");
    is_select.then(|| between.stream())
}

/// The first token of the item that is not there, in their order; but for attributes.
fn first_lost(item: &TokenStream, expansion: &TokenStream) -> Option<String> {
    let (mut wanted, mut there) = (Vec::new(), Vec::new());
    flatten(item, &mut wanted);
    flatten(expansion, &mut there);
    let mut there = there.into_iter();
    wanted.into_iter().find(|token| !there.by_ref().any(|other| other == *token))
}

/// The tokens with their brackets, one after the other, without `#[…]`.
fn flatten(tokens: &TokenStream, flat: &mut Vec<String>) {
    let tokens = ungrouped(tokens.clone());
    let is_hash =
        |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == '#');
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group)
                if index > 0 && is_hash(tokens.get(index - 1)) && group.delimiter() == Delimiter::Bracket => {
            }
            TokenTree::Group(group) => flatten(&group.stream(), flat),
            token if is_hash(Some(token)) => {}
            other => flat.push(other.to_string()),
        }
    }
}

/// Whether invisible brackets hold only what a fragment of a `macro_rules!` macro can be. Around anything else syn sees them at some places
/// and not at others, so that to it the item is Rust with an attribute and not without.
fn is_of_fragments(tokens: &TokenStream) -> bool {
    let is_fragment = |content: &TokenStream| {
        let is_attributed = content.clone().into_iter().next().is_some_and(|first| first.to_string() == "#");
        let is_expression = || syn::parse2::<syn::Expr>(content.clone()).is_ok();
        !is_attributed && (is_expression() || syn::parse2::<syn::Type>(content.clone()).is_ok())
    };
    tokens.clone().into_iter().all(|token| match token {
        TokenTree::Group(group) => {
            let content = group.stream();
            is_of_fragments(&content) && (group.delimiter() != Delimiter::None || is_fragment(&content))
        }
        _ => true,
    })
}

/// The tokens without invisible brackets that have nothing in them.
fn without_empty(tokens: TokenStream) -> TokenStream {
    let one = |token| match token {
        TokenTree::Group(group) => {
            let content = without_empty(group.stream());
            let is_nothing = group.delimiter() == Delimiter::None && content.is_empty();
            (!is_nothing).then(|| Group::new(group.delimiter(), content).into())
        }
        other => Some(other),
    };
    tokens.into_iter().filter_map(one).collect()
}

/// The tokens as text, with brackets that nobody sees as `⟦ ⟧`.
fn visible(tokens: &TokenStream) -> String {
    let one = |token| match token {
        TokenTree::Group(group) => {
            let content = visible(&group.stream());
            match group.delimiter() {
                Delimiter::Parenthesis => format!("({content})"),
                Delimiter::Brace => format!("{{ {content} }}"),
                Delimiter::Bracket => format!("[{content}]"),
                Delimiter::None => format!("⟦ {content} ⟧"),
            }
        }
        other => other.to_string(),
    };
    tokens.clone().into_iter().map(one).collect::<Vec<_>>().join(" ")
}

/// The tokens, with the content of brackets that nobody sees in their place.
fn ungrouped(tokens: TokenStream) -> Vec<TokenTree> {
    let content = |token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => ungrouped(group.stream()),
        other => vec![other],
    };
    tokens.into_iter().flat_map(content).collect()
}
