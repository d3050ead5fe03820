//! `linearize`: judges the histories of a file.

mod drawing;
mod json;
mod text;

use cdsspec_linearize::file::{FileHistory, Model, Value, decode, parse_value, read_edn, read_json_lines};
use cdsspec_linearize::{Limits, Verdict};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A history is not linearizable.
const NOT_LINEARIZABLE: u8 = 1;
/// There are no histories, or no command.
const REFUSED: u8 = 2;
/// A limit was reached.
const INCONCLUSIVE: u8 = 3;

/// What the command line may say.
pub(crate) fn command() -> Command {
    let file = Arg::new("file")
        .value_name("FILE")
        .help("JSON lines, a history a line; or a history of Jepsen, as EDN")
        .required(true)
        .value_parser(value_parser!(PathBuf));
    let model = Arg::new("model")
        .long("model")
        .value_name("MODEL")
        .help("What the calls are of; needed where the file does not say")
        .value_parser(Model::ALL.map(|(_, name)| name));
    let format = Arg::new("format")
        .long("format")
        .value_name("FORMAT")
        .help("The form of the file; else that of its name, .edn or .jsonl, and else that of its first characters")
        .value_parser(["json", "edn"]);
    let initial = Arg::new("initial")
        .long("initial")
        .value_name("VALUE")
        .help("What a register has at first, as JSON; else 0 in JSON lines, nil in EDN. Other models are empty at first: it is refused");
    let steps = Arg::new("steps-max")
        .long("steps-max")
        .value_name("STEPS")
        .help(format!("How many steps a judgement may take; {} otherwise", Limits::default().steps_max))
        .value_parser(value_parser!(u64));
    let memory = Arg::new("memory-max-mib")
        .long("memory-max-mib")
        .value_name("MIB")
        .help(format!("How much memory a search may keep; {} otherwise", Limits::default().bytes_max >> 20))
        .value_parser(value_parser!(u32).range(1..1 << 20));
    let json =
        Arg::new("json").long("json").help("Prints one JSON object a history").action(ArgAction::SetTrue);
    Command::new("linearize")
        .about("Judges whether histories are linearizable")
        .after_help(
            "Exit code: 0 if every history is linearizable, 1 if one is not, 2 if the file or the command \
             line is wrong, 3 if a limit was reached, and no history is known not to be linearizable.",
        )
        .args([file, model, format, initial, steps, memory, json])
}

/// Judges, and prints.
pub(crate) fn run(matches: &ArgMatches) -> ExitCode {
    let path: &PathBuf = matches.get_one("file").expect("clap asks for it");
    let histories = match read(path, matches) {
        Ok(histories) => histories,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(REFUSED);
        }
    };
    let limits = limits(matches);
    let (mut code, mut output) = (0, std::io::stdout().lock());
    for (index, history) in histories.iter().enumerate() {
        let verdict = history.judge(limits);
        code = match verdict {
            Verdict::NotLinearizable(_) => NOT_LINEARIZABLE,
            Verdict::Inconclusive(_) if code == 0 => INCONCLUSIVE,
            _ => code,
        };
        let text = match matches.get_flag("json") {
            true => json::of(history, &verdict).to_string(),
            false => text::of(index + 1, history, &verdict),
        };
        // Whoever read it may have seen enough.
        if writeln!(output, "{text}").is_err() {
            break;
        }
    }
    ExitCode::from(code)
}

fn limits(matches: &ArgMatches) -> Limits {
    let default = Limits::default();
    let mib = |mib: &u32| *mib as usize * (1 << 20);
    Limits {
        steps_max: matches.get_one("steps-max").copied().unwrap_or(default.steps_max),
        bytes_max: matches.get_one("memory-max-mib").map_or(default.bytes_max, mib),
    }
}

/// The histories of a file.
fn read(path: &Path, matches: &ArgMatches) -> Result<Vec<FileHistory>, String> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
    let text = decode(&bytes).map_err(|error| format!("{name}:{error}"))?;
    let model: Option<&String> = matches.get_one("model");
    let model = model.and_then(|name| Model::named(name));
    let initial: Option<&String> = matches.get_one("initial");
    let initial: Option<Value> = initial
        .map(|text| parse_value(text).map_err(|error| format!("--initial {text}: {error}")))
        .transpose()?;
    let format: Option<&String> = matches.get_one("format");
    let is_edn = format.map_or_else(|| is_edn(path, text), |format| format == "edn");
    let histories = if is_edn {
        let model = model.ok_or_else(|| format!("{name}: EDN does not say what it is of: give --model"))?;
        read_edn(text, model, initial.as_ref()).map(|history| vec![history])
    } else {
        read_json_lines(text, model, initial.as_ref())
    };
    histories.map_err(|error| format!("{name}:{error}"))
}

/// Whether a file is EDN: by its name; and if that says nothing, JSON lines begin with `{"`.
fn is_edn(path: &Path, text: &str) -> bool {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("edn") => true,
        Some("json" | "jsonl" | "ndjson") => false,
        _ => {
            !text.trim_start().strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with(['"', '}']))
        }
    }
}
