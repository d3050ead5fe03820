//! Reads Jepsen's histories.

use super::any::FileHistory;
use super::edn::{Form, Node, read};
use super::position::{FileError, Mistake};
use super::raw::{Dialect, Places, RawCall};
use super::value::Value;
use super::word::Model;
use std::collections::BTreeMap;

/// Reads a history in Jepsen's EDN, with a register's value at first: nil, if none is given.
///
/// # Errors
/// What is no such history, with line and column; or a value at first of what is no register.
pub fn read_edn(text: &str, model: Model, initial: Option<&Value>) -> Result<FileHistory, FileError> {
    history(text, model, initial).map_err(|mistake| mistake.in_text(text, 1))
}

fn history(text: &str, model: Model, initial: Option<&Value>) -> Result<FileHistory, Mistake> {
    model.check_initial(initial, 0)?;
    let forms = read(text)?;
    let forms = match forms.as_slice() {
        [Form { node: Node::List(forms), .. }] => forms,
        forms => forms,
    };
    let mut calls = Calls::default();
    for (moment, form) in (1..).zip(forms) {
        calls.event(moment, form)?;
    }
    let initial = initial.cloned().unwrap_or(Value::Null);
    let all: Vec<RawCall> = calls.all.into_iter().flatten().collect();
    if forms.is_empty() {
        return Err(Mistake::new(0, "there is no history in this file"));
    }
    FileHistory::new(1, model, Dialect::Jepsen, &initial, &all)
}

/// The calls so far. Those that failed are gone.
#[derive(Default)]
struct Calls {
    all: Vec<Option<RawCall>>,
    /// By process.
    open: BTreeMap<u64, usize>,
}

/// What is said of an event.
#[derive(Default)]
struct Event<'f> {
    process: Option<&'f Form>,
    kind: Option<&'f Form>,
    function: Option<&'f Form>,
    value: Option<&'f Form>,
}

/// Something is wrong with this form.
fn wrong<T>(form: &Form, message: impl Into<String>) -> Result<T, Mistake> {
    Err(Mistake::new(form.at, message))
}

fn needed<'f>(whole: &Form, part: Option<&'f Form>, key: &str) -> Result<&'f Form, Mistake> {
    part.map_or_else(|| wrong(whole, format!("this event has no `{key}`")), Ok)
}

fn word(form: &Form) -> Result<String, Mistake> {
    match &form.node {
        Node::Atom(Value::Word(word)) => Ok(word.trim_start_matches(':').to_owned()),
        Node::Atom(Value::Text(word)) => Ok(word.clone()),
        _ => wrong(form, "this is to be a keyword"),
    }
}

impl Calls {
    fn event(&mut self, moment: u64, form: &Form) -> Result<(), Mistake> {
        let Node::Map(entries) = &form.node else {
            return wrong(form, "this is to be a map with :process, :type, :f and :value");
        };
        let mut event = Event::default();
        for entry in entries.chunks_exact(2) {
            let Node::Atom(Value::Word(key)) = &entry[0].node else { continue };
            match key.as_str() {
                ":process" => event.process = Some(&entry[1]),
                ":type" => event.kind = Some(&entry[1]),
                ":f" => event.function = Some(&entry[1]),
                ":value" => event.value = Some(&entry[1]),
                _ => {}
            }
        }
        let process = needed(form, event.process, ":process")?;
        let process = match &process.node {
            // The nemesis, say.
            Node::Atom(Value::Word(_) | Value::Text(_)) => return Ok(()),
            Node::Atom(Value::Int(number)) if *number >= 0 => number.unsigned_abs(),
            _ => {
                let last = i64::MAX;
                return wrong(process, format!("a process has a number from 0 to {last}, or a name"));
            }
        };
        let kind = needed(form, event.kind, ":type")?;
        match word(kind)?.as_str() {
            "invoke" => self.invoke(moment, form, process, &event),
            "ok" => self.ok(moment, form, process, &event),
            "fail" => self.end(form, process).map(|call| self.all[call] = None),
            // It stays pending. One that was never invoked is a remark.
            "info" => {
                self.open.remove(&process);
                Ok(())
            }
            other => {
                wrong(kind, format!("there is no type `:{other}`: there are :invoke, :ok, :fail and :info"))
            }
        }
    }

    fn invoke(&mut self, moment: u64, form: &Form, process: u64, event: &Event<'_>) -> Result<(), Mistake> {
        if self.open.insert(process, self.all.len()).is_some() {
            return wrong(form, format!("process {process} invokes again before its call has ended"));
        }
        let function = needed(form, event.function, ":f")?;
        let places = Places {
            call: form.at,
            name: function.at,
            argument: event.value.unwrap_or(form).at,
            result: form.at,
        };
        self.all.push(Some(RawCall {
            thread: process,
            name: word(function)?,
            argument: event.value.map_or(Value::Null, Form::value),
            result: None,
            invoked: moment,
            returned: None,
            places,
        }));
        Ok(())
    }

    /// The call that ends here.
    fn end(&mut self, form: &Form, process: u64) -> Result<usize, Mistake> {
        match self.open.remove(&process) {
            Some(call) => Ok(call),
            None => wrong(form, format!("a call of process {process} ends that was not invoked")),
        }
    }

    fn ok(&mut self, moment: u64, form: &Form, process: u64, event: &Event<'_>) -> Result<(), Mistake> {
        let call = self.end(form, process)?;
        let place = event.value.unwrap_or(form).at;
        let function = event.function.map(word).transpose()?;
        let name = self.all[call].as_ref().map(|call| call.name.clone()).unwrap_or_default();
        if let Some(function) = function.filter(|function| *function != name) {
            return wrong(form, format!("process {process} invoked `{name}`, and returns from `{function}`"));
        }
        if let Some(call) = &mut self.all[call] {
            call.returned = Some(moment);
            call.result = Some(event.value.map_or(Value::Null, Form::value));
            call.places.result = place;
        }
        Ok(())
    }
}
