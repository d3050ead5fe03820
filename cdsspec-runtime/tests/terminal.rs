//! What is printed is as wide as the terminal: this program runs itself on one.

#![cfg(unix)]

use cdsspec_runtime::model::Builder;
use cdsspec_runtime::sync::atomic::{AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use cdsspec_runtime::sync::{Arc, Mutex};
use cdsspec_runtime::thread;
use cdsspec_runtime::weaken::{advise, weaken};
use std::fs::File;
use std::io::Read;
use std::os::fd::{FromRawFd, OwnedFd};
use std::process::{Command, Stdio};

/// Set in the child.
const CHILD: &str = "CHILD_OF_THE_TEST";

fn two_locks() {
    let locks = Arc::new((Mutex::new(()), Mutex::new(())));
    let other = locks.clone();
    let thread = thread::spawn(move || {
        let _first = other.1.lock();
        drop(other.0.lock());
    });
    let _first = locks.0.lock();
    drop(locks.1.lock());
    thread.join().expect("it does not panic");
}

fn hand_over() {
    let (data, flag) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            data.store(1, Relaxed);
            flag.store(1, SeqCst);
        });
        assert!(flag.load(SeqCst) == 0 || data.load(Relaxed) == 1);
    });
}

#[test]
fn prints() {
    if std::env::var_os(CHILD).is_some() {
        let outcome = Builder::new().name("two_locks").check(two_locks);
        println!("{outcome}");
        println!("kept: {}", widest(outcome.report().lines()));
        // The lines of its patch are those of the source.
        let advice = advise([("hand_over", hand_over)]).to_string();
        println!(
            "{}",
            advice.split("\n\n").filter(|part| !part.starts_with("---")).collect::<Vec<_>>().join("\n")
        );
        println!("{}", weaken([("hand_over", hand_over)]));
    }
}

/// A terminal of so many columns: what is shown there, and what programs write to.
fn terminal(columns: u16) -> (File, OwnedFd) {
    let size = libc::winsize { ws_row: 50, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    let (mut shown, mut written) = (-1, -1);
    // SAFETY: the two descriptors are written to places of ours; a null pointer stands for a name and settings that are not wanted.
    let result = unsafe {
        libc::openpty(
            &raw mut shown,
            &raw mut written,
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            &raw const size as _,
        )
    };
    assert_eq!(result, 0, "there are terminals");
    // SAFETY: the descriptor was just opened, and nobody else has it.
    let shown = unsafe { File::from_raw_fd(shown) };
    // SAFETY: as above.
    (shown, unsafe { OwnedFd::from_raw_fd(written) })
}

/// What the child prints on a terminal of so many columns; the bars that it draws there and takes away are left out.
fn on_terminal(columns: u16) -> Vec<String> {
    let (mut shown, written) = terminal(columns);
    let mut command = Command::new(std::env::current_exe().expect("a test has a file"));
    command.args(["--exact", "terminal::prints", "--nocapture"]).env(CHILD, "1").stdin(Stdio::null());
    command.stderr(written.try_clone().expect("it can be cloned")).stdout(written);
    let mut child = command.spawn().expect("it runs");
    // Its end is seen when nobody has what it writes to.
    drop(command);
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    // The end is an error.
    while let Ok(count @ 1..) = shown.read(&mut buffer) {
        bytes.extend_from_slice(&buffer[..count]);
    }
    assert!(child.wait().expect("it has run").success());
    let text = String::from_utf8(bytes).expect("it is text").replace("\r\n", "\n");
    // The last lines are the harness's.
    let own = text.split("\ntest result: ").next().unwrap_or_default();
    own.lines().map(|line| line.rsplit(['\r', 'K']).next().unwrap_or_default().to_owned()).collect()
}

/// The command that runs the execution again stays one line, to be copied.
fn is_command(line: &str) -> bool {
    line.starts_with("CDSSPEC_REPLAY=")
}

fn widest<'l>(lines: impl Iterator<Item = &'l str>) -> usize {
    lines.filter(|line| !is_command(line)).map(|line| line.chars().count()).max().unwrap_or(0)
}

#[test]
fn what_is_printed_is_as_wide_as_the_terminal() {
    for columns in [50, 72, 100, 160] {
        let lines = on_terminal(columns);
        let text = lines.join("\n");
        assert!(
            text.contains("deadlock: 2 threads can never go on") && text.contains("programs: 0 of 2 found"),
            "{text}"
        );
        let widest = widest(lines.iter().map(String::as_str));
        assert!(
            (columns - 8..=columns).contains(&u16::try_from(widest).expect("it is small")),
            "{widest}\n{text}"
        );
        assert!(lines.iter().any(|line| line.starts_with("kept: ") && line.len() <= 9), "{text}");
        let kept = lines.iter().find_map(|line| line.strip_prefix("kept: ")?.parse::<usize>().ok());
        assert!(kept.is_some_and(|kept| (92..=100).contains(&kept)), "{text}");
    }
}
