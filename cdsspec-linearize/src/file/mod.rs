//! Histories from files.
//!
//! **JSON lines**, a history a line:
//!
//! ```json
//! {"model": "stack", "calls": [{"thread": 0, "op": "push", "argument": 1, "result": null, "invoked": 1, "returned": 2}, {"thread": 1, "op": "pop", "argument": null, "result": null, "invoked": 3, "returned": null}]}
//! ```
//!
//! `invoked` and `returned` are moments; a call precedes another one if it returned before the other was invoked. A pending call has `null` for `returned` and `result`. Other keys are passed over. A line may lack the
//! model, if it is given otherwise.
//!
//! **Jepsen's EDN**, a history a file: maps `{:process 0, :type :invoke, :f :write, :value 1}`, one after the other, or in a vector. `:ok` is a return. `:fail` is a call that had no effect. After `:info` a call is pending, and so it is
//! without an end. What processes without a number do is passed over (those with a name, as `:nemesis`), and so are other keys.
//!
//! | model | operations in JSON: argument, result | in EDN |
//! |---|---|---|
//! | `register` | `write`: a value, `null`; `read`: `null`, a value. 0 at first | `:write 1`, `:read 1`; `nil` at first |
//! | `cas-register` | as well `cas`: `[expected, new]`, a boolean | `:cas [1 2]` |
//! | `queue` | `enq`: a value, `null`; `deq`: `null`, a value or `null` | `:enqueue 1`, `:dequeue 1` |
//! | `stack` | `push`: a value, `null`; `pop`: `null`, a value or `null` | `:push 1`, `:pop 1` |
//! | `set` | `add`, `remove`, `contains`: a value, a boolean | `:add 1`; the answer is `true`, or `[1 true]`, and else not known |
//! | `kv` | `get`: a key, a value or `null`; `put`: `[key, value]`, `null`; `delete`: a key, `null`; `cas`: `[key, expected, new]`, a boolean | `:read [k nil]`, `:write [k 1]`, `:cas [k [1 2]]`, `:delete [k nil]` |
//! | `mutex` | `lock`, `unlock`: `null`, `true` | `:acquire`, `:release` |
//!
//! The names of each column are taken in the other as well. In `kv` null stands for nothing, wherever a value does: `put` and `cas` to null delete, `cas` from null finds nothing there.
//!
//! Values are compared, and nothing is rounded. Numbers of JSON by their value: `1`, `1.0` and `1e0` are one, and `1.5` and `1.50`, and 0 and -0. Numbers of EDN by their value and their kind, as EDN has it: `7` and `7N` are one, and `1.5` and `1.50`, and `1.0` and
//! `1e0`; `1`, `1.0` and `1M` are three. Ratios, and what is written in another base, are told apart as they are written. Of maps and
//! sets the order in which they are written is no matter; vectors and lists are one.

mod any;
mod edn;
mod jepsen;
mod json_lines;
mod number;
mod position;
mod raw;
mod value;
mod word;

pub use any::{Attempt, FileHistory};
pub use jepsen::read_edn;
pub use json_lines::{parse_value, read_json_lines};
pub use position::{FileError, Position, decode};
pub use value::Value;
pub use word::Model;
