//! Crates that are written for a benchmark, and what building them costs.

use std::fs;
use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};

/// The folder of this workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this package is one folder down")
}

/// Writes an empty crate with the lock file of this workspace; `sections` stand in its manifest behind the package.
pub(crate) fn write_crate(name: &str, sections: &str) -> PathBuf {
    let krate = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let package =
        format!("[package]\nname = {name:?}\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n");
    fs::create_dir_all(krate.join("src")).expect("the target folder can be written to");
    fs::write(krate.join("Cargo.toml"), package + sections).expect("the target folder can be written to");
    fs::copy(root().join("Cargo.lock"), krate.join("Cargo.lock")).expect("the workspace has a lock file");
    krate
}

/// The processor's time of all processes that this one has waited for.
pub(crate) fn children_seconds() -> f64 {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is to memory of that type, which the call fills in.
    let result = unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr()) };
    assert_eq!(result, 0, "the times of children can be asked for");
    // SAFETY: zeros are a value of the type, and the call has filled it in.
    let usage = unsafe { usage.assume_init() };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}
