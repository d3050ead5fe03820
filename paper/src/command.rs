//! The command line.

use crate::table::Show;
use crate::{Outcome, contracts, executions, fence, genmc, injections, lineup, localize, loom};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches};

/// What is asked for.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum Command {
    /// Figure 7 of the CDSSpec paper, on one engine or all.
    Executions { show: Show, engine: Option<String> },
    /// Figure 8 of the CDSSpec paper, with these switches of the examples.
    Injections { show: Show, switches: Vec<String> },
    /// The programs that were measured under GenMC.
    GenMc { show: Show },
    /// Table 2 of the Line-Up paper.
    LineUp { show: Show },
    /// Table 1 of the CSV paper.
    Contracts { show: Show },
    /// Table II of the CGVT paper.
    Localize { show: Show },
    /// Line-Up against its naive twin.
    LineUpTwin { show: Show },
    /// Figure 10 of the CheckFence paper, of small tests or of large ones.
    Fence { show: Show, is_large: bool },
    /// The outcomes of the litmus tests of a file under a memory model of CheckFence.
    FenceLitmus { file: String, memory_model: String, is_json: bool },
    /// The loom tests of published crates.
    Loom { show: Show },
}

impl Command {
    /// Computes the table, and shows it.
    ///
    /// # Errors
    /// What cannot be computed, or is not as it should be.
    pub(crate) fn run(&self) -> Outcome {
        match self {
            Self::Executions { show, engine } => executions::run(*show, engine.as_deref()),
            Self::Injections { show, switches } => injections::run(*show, switches),
            Self::GenMc { show } => genmc::run(*show),
            Self::LineUp { show } => lineup::run(*show),
            Self::Contracts { show } => contracts::run(*show),
            Self::Localize { show } => localize::run(*show),
            Self::LineUpTwin { show } => lineup::twin::run(*show),
            Self::Fence { show, is_large } => fence::run(*show, *is_large),
            Self::FenceLitmus { file, memory_model, is_json } => {
                fence::litmus::run(file, memory_model, *is_json)
            }
            Self::Loom { show } => loom::run(*show),
        }
    }
}

/// Reads the arguments, the name of the program first.
///
/// # Errors
/// What is not understood; or the help that was asked for.
pub(crate) fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Command, clap::Error> {
    let matches = grammar().try_get_matches_from(arguments)?;
    let (name, matches) = matches.subcommand().expect("clap asks for one");
    let show = show_of(matches);
    Ok(match name {
        executions::NAME => Command::Executions { show, engine: matches.get_one("engine").cloned() },
        genmc::NAME => Command::GenMc { show },
        lineup::NAME => Command::LineUp { show },
        contracts::NAME => Command::Contracts { show },
        localize::NAME => Command::Localize { show },
        lineup::twin::NAME => Command::LineUpTwin { show },
        fence::NAME => fence_of(matches, show),
        loom::NAME => Command::Loom { show },
        _ => Command::Injections { show, switches: switches_of(matches) },
    })
}

fn fence_of(matches: &ArgMatches, show: Show) -> Command {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    match (text("litmus"), text("memory-model")) {
        (Some(file), Some(memory_model)) => {
            Command::FenceLitmus { file, memory_model, is_json: matches.get_flag("json") }
        }
        _ => Command::Fence { show, is_large: matches.get_flag("large") },
    }
}

fn show_of(matches: &ArgMatches) -> Show {
    let is_on = |name| matches.get_flag(name);
    if is_on("check") {
        Show::Check
    } else {
        Show::Print { is_json: is_on("json"), is_markdown: is_on("markdown") }
    }
}

/// As the examples take them.
fn switches_of(matches: &ArgMatches) -> Vec<String> {
    let switch = |name: &str| {
        let value = matches.get_one::<String>(name)?;
        Some([format!("--{name}"), value.clone()])
    };
    injections::SWITCHES.into_iter().filter_map(switch).flatten().collect()
}

fn grammar() -> clap::Command {
    let engine = one_of("engine", "E", &executions::ENGINES, "Who explores: rc11 or loom [default: both]");
    let [uninitialised, freed] = injections::SWITCHES.map(|name| {
        let memory = if name == "freed" { "freed" } else { "uninitialised" };
        one_of(name, "on|off", &["on", "off"], "")
            .help(format!("Looks for uses of {memory} memory; with both off the specification is alone"))
    });
    clap::Command::new("paper")
        .about("The tables and figures of the papers, computed")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            table(executions::NAME, "Figure 7 of the CDSSpec paper", executions::PAGE.file).arg(engine),
        )
        .subcommand(
            table(
                injections::NAME,
                "Figure 8 of the CDSSpec paper: every memory order weakened",
                injections::PAGE.file,
            )
            .arg(uninitialised)
            .arg(freed),
        )
        .subcommand(table(
            genmc::NAME,
            "Programs that were measured under GenMC, explored here",
            genmc::PAGE.file,
        ))
        .subcommand(table(lineup::NAME, "Table 2 of the Line-Up paper", lineup::PAGE.file))
        .subcommand(table(lineup::twin::NAME, "Line-Up against its naive twin", lineup::twin::PAGE.file))
        .subcommand(table(localize::NAME, "Table II of the CGVT paper", localize::PAGE.file))
        .subcommand(table(contracts::NAME, "Table 1 of the CSV paper", contracts::PAGE.file))
        .subcommand(table(
            loom::NAME,
            "The loom tests of published crates, on loom and here",
            loom::PAGE.file,
        ))
        .subcommand(fence_grammar())
}

fn fence_grammar() -> clap::Command {
    let litmus = Arg::new("litmus").long("litmus").value_name("FILE").requires("memory-model");
    let models = &["serial", "sc", "tso", "pso", "relaxed", "rc11", "armv8", "armv8-no-lb"];
    let help = "serial, sc, tso, pso, relaxed, rc11, armv8, or armv8-no-lb: without load buffering";
    let memory_model = one_of("memory-model", "M", models, help);
    let large = Arg::new("large").long("large").action(ArgAction::SetTrue).conflicts_with("check");
    table(fence::NAME, "Figure 10 of the CheckFence paper", fence::PAGE.file)
        .arg(large.help("The tests that take minutes"))
        .arg(
            litmus
                .help("Prints the outcomes of the litmus tests of a file instead")
                .conflicts_with_all(["markdown", "check", "large"]),
        )
        .arg(memory_model.requires("litmus"))
}

/// What every table can do.
fn table(name: &'static str, about: &'static str, page: &'static str) -> clap::Command {
    let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    clap::Command::new(name)
        .about(about)
        .arg(flag("json").help("Prints one JSON object a row"))
        .arg(flag("markdown").help(format!("Writes docs/{page}")))
        .arg(
            flag("check")
                .help(format!("Whether docs/{page} is what is computed, and the limits are kept"))
                .conflicts_with_all(["json", "markdown"]),
        )
}

/// A setting with which the table is not that of the page.
fn one_of(
    name: &'static str,
    value: &'static str,
    values: &'static [&'static str],
    help: &'static str,
) -> Arg {
    Arg::new(name)
        .long(name)
        .value_name(value)
        .value_parser(PossibleValuesParser::new(values))
        .hide_possible_values(true)
        .help(help)
        .conflicts_with_all(["markdown", "check"])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(words: &str) -> Result<Command, String> {
        let words = std::iter::once("paper").chain(words.split_whitespace()).map(str::to_owned);
        parse(words).map_err(|error| error.to_string())
    }

    const PRINT: Show = Show::Print { is_json: false, is_markdown: false };

    #[test]
    fn every_table_has_the_same_three_flags() {
        let tables = [executions::NAME, injections::NAME, genmc::NAME, lineup::NAME];
        let others = [lineup::twin::NAME, contracts::NAME, localize::NAME, fence::NAME, loom::NAME];
        for table in tables.into_iter().chain(others) {
            let show = |flags: &str| match parsed(&format!("{table} {flags}")) {
                Ok(
                    Command::Executions { show, .. }
                    | Command::Injections { show, .. }
                    | Command::GenMc { show }
                    | Command::LineUp { show }
                    | Command::Contracts { show }
                    | Command::Localize { show }
                    | Command::LineUpTwin { show }
                    | Command::Fence { show, is_large: false }
                    | Command::Loom { show },
                ) => Ok(show),
                Ok(other) => Err(format!("{other:?} is no table")),
                Err(error) => Err(error),
            };
            assert_eq!(show(""), Ok(PRINT));
            assert_eq!(show("--json"), Ok(Show::Print { is_json: true, is_markdown: false }));
            assert_eq!(show("--json --markdown"), Ok(Show::Print { is_json: true, is_markdown: true }));
            assert_eq!(show("--check"), Ok(Show::Check));
            assert!(show("--check --json").is_err_and(|error| error.contains("cannot be used with")));
        }
    }

    #[test]
    fn a_table_that_is_not_that_of_the_page_is_neither_written_nor_checked() {
        let engine = Some("loom".to_owned());
        assert_eq!(parsed("executions --engine loom"), Ok(Command::Executions { show: PRINT, engine }));
        let switches = ["--uninitialised", "off", "--freed", "on"].map(str::to_owned).to_vec();
        let expected = Command::Injections { show: PRINT, switches };
        assert_eq!(parsed("injections --freed on --uninitialised off"), Ok(expected));
        for (setting, table) in [("--engine rc11", "executions"), ("--freed off", "injections")] {
            for flag in ["--markdown", "--check"] {
                let error = parsed(&format!("{table} {setting} {flag}")).unwrap_err();
                assert!(error.contains("cannot be used with"), "{error}");
            }
        }
    }

    #[test]
    fn litmus_tests_are_asked_for_with_a_memory_model() {
        let expected = Command::FenceLitmus {
            file: "f.litmus".to_owned(),
            memory_model: "relaxed".to_owned(),
            is_json: true,
        };
        assert_eq!(parsed("fence --litmus f.litmus --memory-model relaxed --json"), Ok(expected));
        for words in ["--litmus f", "--memory-model sc", "--litmus f --memory-model power", "--large --check"]
        {
            assert!(parsed(&format!("fence {words}")).is_err(), "{words}");
        }
        assert_eq!(parsed("fence --large"), Ok(Command::Fence { show: PRINT, is_large: true }));
    }

    #[test]
    fn what_means_nothing_is_refused() {
        for words in
            ["", "figure7", "executions --engine genmc", "injections --engine loom", "executions --freed off"]
        {
            assert!(parsed(words).is_err(), "{words}");
        }
    }
}
