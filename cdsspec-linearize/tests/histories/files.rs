//! Files: both forms, and what is wrong in them, with line and column.

use cdsspec_linearize::file::{FileHistory, Model, read_edn, read_json_lines};
use cdsspec_linearize::{CallId, Limits, Verdict};

fn is_linearizable(history: &FileHistory) -> bool {
    match history.judge(Limits::default()) {
        Verdict::Linearizable(_) => true,
        Verdict::NotLinearizable(_) => false,
        Verdict::Inconclusive(stopped) => panic!("{stopped:?}"),
    }
}

fn json_error(text: &str) -> String {
    read_json_lines(text, None, None).expect_err("something is wrong").to_string()
}

fn edn_error(text: &str, model: Model) -> String {
    read_edn(text, model, None).expect_err("something is wrong").to_string()
}

fn edn(model: Model, events: &[&str]) -> bool {
    let text = events.join("\n");
    let is_one = is_linearizable(&read_edn(&text, model, None).expect("it is a history"));
    // In a vector it is the same history.
    let vector = format!("[{text}]");
    assert_eq!(is_linearizable(&read_edn(&vector, model, None).expect("it is a history")), is_one);
    is_one
}

#[test]
fn a_register_of_jepsen() {
    let events = |value: &str| {
        [
            "{:process 0, :type :invoke, :f :write, :value 1, :index 0, :time 12}".to_owned(),
            "{:process :nemesis, :type :info, :f :start, :value nil}".to_owned(),
            "{:process 1, :type :invoke, :f :read, :value nil}".to_owned(),
            format!("#jepsen.history.Op{{:process 1, :type :ok, :f :read, :value {value}}}"),
            "{:process 0, :type :ok, :f :write, :value 1}".to_owned(),
        ]
    };
    let judged = |value: &str| edn(Model::Register, &events(value).each_ref().map(String::as_str));
    assert!(judged("1"));
    assert!(judged("nil"), "nothing at first");
    assert!(!judged("0"));
    let text = events("0").join("\n");
    let initial = cdsspec_linearize::file::parse_value("0").expect("it is JSON");
    assert!(is_linearizable(&read_edn(&text, Model::Register, Some(&initial)).expect("it is a history")));
}

#[test]
fn what_failed_had_no_effect_and_what_has_no_end_may_have_had_one() {
    let end = |kind: &str, value: u8| {
        let end = format!("{{:process 0 :type :{kind} :f :cas :value [nil 1]}}");
        let read =
            format!("{{:process 1 :type :ok :f :read :value {}}}", if value == 0 { "nil" } else { "1" });
        edn(
            Model::CasRegister,
            &[
                "{:process 0 :type :invoke :f :cas :value [nil 1]}",
                &end,
                "{:process 1 :type :invoke :f :read :value nil}",
                &read,
            ],
        )
    };
    assert_eq!([end("ok", 0), end("ok", 1)], [false, true]);
    assert_eq!([end("fail", 0), end("fail", 1)], [true, false]);
    assert_eq!([end("info", 0), end("info", 1)], [true, true]);
}

#[test]
fn keys_are_judged_by_themselves() {
    let judged = |value: &str| {
        let read = format!("{{:process 1 :type :ok :f :read :value [:x {value}]}}");
        edn(
            Model::KeyValue,
            &[
                "{:process 0 :type :invoke :f :write :value [:x 1]}",
                "{:process 0 :type :ok :f :write :value [:x 1]}",
                "{:process 0 :type :invoke :f :cas :value [:x [1 2]]}",
                "{:process 0 :type :ok :f :cas :value [:x [1 2]]}",
                "{:process 0 :type :invoke :f :write :value [:y 3]}",
                "{:process 0 :type :ok :f :write :value [:y 3]}",
                "{:process 1 :type :invoke :f :read :value [:x nil]}",
                &read,
            ],
        )
    };
    assert_eq!(["1", "2", "3", "nil"].map(judged), [false, true, false, false]);
}

#[test]
fn queues_stacks_sets_and_locks_of_jepsen() {
    let pair = |process: u8, f: &str, invoked: &str, ok: &str| {
        format!(
            "{{:process {process} :type :invoke :f :{f} :value {invoked}}} {{:process {process} :type :ok :f :{f} :value {ok}}}"
        )
    };
    let (one, two) = (pair(0, "enqueue", "1", "1"), pair(0, "enqueue", "2", "2"));
    assert!(edn(Model::Queue, &[&one, &two, &pair(1, "dequeue", "nil", "1")]));
    assert!(!edn(Model::Queue, &[&one, &two, &pair(1, "dequeue", "nil", "2")]));
    let (one, two) = (pair(0, "push", "1", "1"), pair(0, "push", "2", "2"));
    assert!(edn(Model::Stack, &[&one, &two, &pair(1, "pop", "nil", "2")]));
    assert!(!edn(Model::Stack, &[&one, &two, &pair(1, "pop", "nil", "1")]));
    // What an `add` came to is not said; what `contains` says is.
    let add = pair(0, "add", "1", "1");
    assert!(edn(Model::Set, &[&add, &add, &pair(1, "contains", "1", "[1 true]")]));
    assert!(!edn(Model::Set, &[&add, &pair(1, "contains", "1", "false")]));
    let (lock, unlock) = (pair(0, "acquire", "nil", "nil"), pair(0, "release", "nil", "nil"));
    assert!(edn(Model::Mutex, &[&lock, &unlock, &lock]));
    assert!(!edn(Model::Mutex, &[&lock, &lock]));
}

fn line(model: &str, calls: &[&str]) -> String {
    format!("{{\"model\": \"{model}\", \"calls\": [{}], \"linearizable\": null}}", calls.join(", "))
}

fn call(op: &str, argument: &str, result: &str, invoked: u64) -> String {
    let returned = invoked + 1;
    format!(
        "{{\"thread\": 0, \"op\": \"{op}\", \"argument\": {argument}, \"result\": {result}, \"invoked\": {invoked}, \"returned\": {returned}}}"
    )
}

#[test]
fn maps_in_json() {
    let judged = |calls: &[String]| {
        let calls: Vec<&str> = calls.iter().map(String::as_str).collect();
        let histories = read_json_lines(&line("kv", &calls), None, None).expect("it is a history");
        is_linearizable(&histories[0])
    };
    let put = call("put", "[\"x\", 1]", "null", 1);
    assert!(judged(&[put.clone(), call("get", "\"x\"", "1", 3)]));
    assert!(!judged(&[put.clone(), call("get", "\"x\"", "null", 3)]));
    assert!(judged(&[put.clone(), call("delete", "\"x\"", "null", 3), call("get", "\"x\"", "null", 5)]));
    assert!(judged(&[put.clone(), call("cas", "[\"x\", 1, 2]", "true", 3), call("read", "\"x\"", "2", 5)]));
    assert!(judged(&[put.clone(), call("cas", "[\"y\", null, 2]", "true", 3), call("get", "\"y\"", "2", 5)]));
    // Null is nothing: to set it deletes, and to expect it finds nothing there.
    let to_null = call("cas", "[\"x\", 1, null]", "true", 3);
    let gets =
        ["null", "1"].map(|value| judged(&[put.clone(), to_null.clone(), call("get", "\"x\"", value, 5)]));
    assert_eq!(gets, [true, false]);
    let again = |result: &str| call("cas", "[\"x\", [null, 3]]", result, 5);
    let sets = ["true", "false"].map(|result| judged(&[put.clone(), to_null.clone(), again(result)]));
    assert_eq!(sets, [true, false]);
    let of_nothing = |result: &str| [put.clone(), call("cas", "[\"x\", null, null]", result, 3)];
    assert_eq!(["true", "false"].map(|result| judged(&of_nothing(result))), [false, true]);
}

#[test]
fn a_compare_and_set_to_nil_in_edn_deletes() {
    let judged = |value: &str| {
        let read = format!("{{:process 0 :type :ok :f :read :value [x {value}]}}");
        edn(
            Model::KeyValue,
            &[
                "{:process 0 :type :invoke :f :write :value [x 1]}",
                "{:process 0 :type :ok :f :write :value [x 1]}",
                "{:process 0 :type :invoke :f :cas :value [x [1 nil]]}",
                "{:process 0 :type :ok :f :cas :value [x [1 nil]]}",
                "{:process 0 :type :invoke :f :read :value [x nil]}",
                &read,
            ],
        )
    };
    assert_eq!(["nil", "1"].map(judged), [true, false]);
}

/// Whether a register that got one value has the other one then.
fn is_read_in_json(written: &str, read: &str) -> bool {
    let calls = [call("write", written, "null", 1), call("read", "null", read, 3)];
    let lines = line("register", &[&calls[0], &calls[1]]);
    is_linearizable(&read_json_lines(&lines, None, None).expect("it is a history")[0])
}

fn is_read_in_edn(written: &str, read: &str) -> bool {
    let event =
        |kind: &str, f: &str, value: &str| format!("{{:process 0 :type :{kind} :f :{f} :value {value}}}");
    let events = [
        event("invoke", "write", written),
        event("ok", "write", written),
        event("invoke", "read", "nil"),
        event("ok", "read", read),
    ];
    edn(Model::Register, &events.each_ref().map(String::as_str))
}

#[test]
fn numbers_are_never_rounded() {
    for (one, other, expected) in [
        ("123456789012345678901", "123456789012345678902", (false, false)),
        ("123456789012345678901", "123456789012345678901", (true, true)),
        ("18446744073709551616", "18446744073709551617", (false, false)),
        ("0.1", "0.10000000000000000001", (false, false)),
        ("9007199254740993.0", "9007199254740992.0", (false, false)),
        ("1.5", "1.50", (true, true)),
        // JSON has one kind of numbers, EDN has several.
        ("1", "1.0", (true, false)),
        ("1e2", "100", (true, false)),
        ("1e0", "1.0", (true, true)),
        ("1e400", "1e401", (false, false)),
    ] {
        assert_eq!((is_read_in_json(one, other), is_read_in_edn(one, other)), expected, "{one} {other}");
    }
    let nested = |value: &str| format!("[1, {{\"a\": {value}}}]");
    assert!(!is_read_in_json(&nested("0.1"), &nested("0.10000000000000000001")));
    assert!(is_read_in_json(&nested("0.1"), &nested("0.10")));
    let large = "123456789012345678901";
    assert!(is_read_in_edn(large, "123456789012345678901N"));
    assert!(!is_read_in_edn(large, "123456789012345678902N"));
    let initial = cdsspec_linearize::file::parse_value(large).expect("it is JSON");
    let judged = |read: &str| {
        let lines = line("register", &[&call("read", "null", read, 1)]);
        is_linearizable(&read_json_lines(&lines, None, Some(&initial)).expect("it is one")[0])
    };
    assert_eq!([large, "123456789012345678902"].map(judged), [true, false]);
}

#[test]
fn maps_and_sets_of_edn_have_no_order() {
    for (one, other, expected) in [
        ("#{1 2}", "#{2 1}", true),
        ("#{1 2}", "#{1 3}", false),
        ("#{1 2}", "#{1 2 3}", false),
        ("{:a 1 :b 2}", "{:b 2, :a 1}", true),
        ("{:a 1 :b 2}", "{:a 2, :b 1}", false),
        ("{:a {:c #{2 1} :d 1}}", "{:a {:d 1 :c #{1 2}}}", true),
        ("#{:a 1}", "{:a 1}", false),
        ("#{}", "{}", false),
        ("[1 2]", "[2 1]", false),
        ("[1 2]", "#{1 2}", false),
    ] {
        assert_eq!(is_read_in_edn(one, other), expected, "{one} {other}");
    }
}

#[test]
fn what_is_no_value_of_json_has_a_place() {
    let error = |value: &str| json_error(&line("register", &[&call("write", value, "null", 1)]));
    let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert_eq!(error("1e99999999999999999999"), "1:74: the exponent of 1e99999999999999999999 is too large");
    assert!(read_json_lines(&line("register", &[&call("write", &deep(65), "null", 1)]), None, None).is_ok());
    assert_eq!(error(&deep(100_000)), "1:139: values are in values more than 64 deep");
    assert_eq!(error("[1, \"\\ud800\"]"), "1:85: unexpected end of hex escape");
}

#[test]
fn the_last_moment_is_no_return() {
    let read = |moment: u64| {
        let read =
            call("read", "null", "1", 3).replace("\"returned\": 4", &format!("\"returned\": {moment}"));
        line("register", &[&call("write", "2", "null", 1), &read])
    };
    let error = "1:123: call 1 returned at the moment 18446744073709551615, which is too late: a call is pending if \
                 it has no such moment";
    assert_eq!(json_error(&read(u64::MAX)), error);
    // The one before it is.
    let late = read_json_lines(&read(u64::MAX - 1), None, None).expect("it is a history");
    assert!(!is_linearizable(&late[0]));
}

#[test]
fn calls_look_as_they_do_in_the_file() {
    let text = line(
        "cas-register",
        &[&call("cas", "[0, 1]", "true", 1), &call("write", "2", "null", 3), &call("read", "null", "2", 5)],
    );
    let history = &read_json_lines(&text, None, None).expect("it is a history")[0];
    let texts = [0, 1, 2].map(|id| history.text(CallId(id)));
    assert_eq!(texts, ["cas(0, 1) -> true", "write(2)", "read() -> 2"]);
    let attempts = history.attempts(&[CallId(0)], u64::MAX, CallId(2));
    assert_eq!((attempts[0].state.as_str(), attempts[0].results.as_slice()), ("1", &["1".to_owned()][..]));
}

#[test]
fn calls_of_jepsen_do_not_repeat_their_arguments() {
    let text = "{:process 0 :type :invoke :f :write :value [:x 1]} {:process 0 :type :ok :f :write :value [:x 1]}
                {:process 0 :type :invoke :f :read :value [:x nil]} {:process 0 :type :ok :f :read :value [:x 1]}";
    let history = read_edn(text, Model::KeyValue, None).expect("it is a history");
    assert_eq!([0, 1].map(|id| history.text(CallId(id))), ["write(:x, 1)", "read(:x, null) -> [:x, 1]"]);
}

#[test]
fn mistakes_in_json_have_places() {
    let good = line("stack", &[&call("push", "1", "null", 1)]);
    assert_eq!(json_error(""), "1:1: there is no history in this file");
    assert_eq!(json_error(&format!("{good}\n\nno")), "3:2: expected ident");
    assert_eq!(
        json_error("{\"calls\": []}"),
        "1:1: the line names no `model`, and none is given: register, cas-register, queue, stack, set, kv, mutex"
    );
    assert_eq!(
        json_error("{\"model\": \"heap\", \"calls\": []}"),
        "1:11: there is no model `heap`: there are register, cas-register, queue, stack, set, kv, mutex"
    );
    assert_eq!(json_error("{\"model\": \"stack\"}"), "1:18: missing field `calls`");
    let at = |calls: &[&str]| json_error(&format!("{good}\n{}", line("stack", calls)));
    assert_eq!(at(&["1"]), "2:30: invalid type: integer `1`, expected struct JsonCall");
    let (good, bad) = (call("push", "1", "null", 1), call("enq", "1", "null", 3));
    assert_eq!(at(&[&good, &bad]), "2:139: the model stack has no operation `enq`: it has push and pop");
    assert_eq!(
        at(&[&call("push", "null", "null", 1)]),
        "2:70: the argument of `push` is a value: null stands for none, and not null"
    );
    assert_eq!(at(&[&call("push", "1", "true", 1)]), "2:83: the result of `push` is null, and not true");
    let late = good.replace("\"invoked\": 1", "\"invoked\": 9");
    assert_eq!(at(&[&late]), "2:30: call 0 returned before it was invoked");
    let pending = call("pop", "null", "2", 1).replace("\"returned\": 2", "\"returned\": null");
    assert_eq!(at(&[&pending]), "2:85: a pending call, which did not return, has no result");
    let stack = line("stack", &[]);
    let error = read_json_lines(&stack, Some(Model::Queue), None).expect_err("it is another").to_string();
    assert_eq!(error, "1:11: the line is about the model stack, and queue is asked for");
}

#[test]
fn a_value_at_first_is_refused_where_it_would_be_ignored() {
    let one = cdsspec_linearize::file::parse_value("1").expect("it is JSON");
    for (model, name) in Model::ALL {
        let json = read_json_lines(&line(name, &[]), None, Some(&one)).map(|_| ());
        let given = read_json_lines("{\"calls\": []}", Some(model), Some(&one)).map(|_| ());
        let edn = read_edn("{:process :nemesis}", model, Some(&one)).map(|_| ());
        if name.ends_with("register") {
            assert_eq!((json, given, edn), (Ok(()), Ok(()), Ok(())));
            continue;
        }
        let message =
            format!("the model {name} has no value at first that can be given: it is empty, or free");
        let errors = [json, given, edn].map(|result| result.expect_err("it is refused").to_string());
        assert_eq!(errors, ["1:11: ", "1:1: ", "1:1: "].map(|place| place.to_owned() + &message));
    }
}

#[test]
fn mistakes_in_edn_have_places() {
    let invoke = "{:process 0 :type :invoke :f :write :value 1}";
    let of = |more: &str| edn_error(&format!("{invoke}\n {more}"), Model::Register);
    assert_eq!(of(invoke), "2:2: process 0 invokes again before its call has ended");
    assert_eq!(of("{:process 1 :type :ok :f :write}"), "2:2: a call of process 1 ends that was not invoked");
    assert_eq!(
        of("{:process 0 :type :ok :f :read :value 1}"),
        "2:2: process 0 invoked `write`, and returns from `read`"
    );
    assert_eq!(
        of("{:process 0 :type :done}"),
        "2:20: there is no type `:done`: there are :invoke, :ok, :fail and :info"
    );
    assert_eq!(of("{:process 0}"), "2:2: this event has no `:type`");
    assert_eq!(of("{:type :ok}"), "2:2: this event has no `:process`");
    assert_eq!(of("{:process -1}"), "2:12: a process has a number from 0 to 9223372036854775807, or a name");
    for process in ["nil", "1.5", "9223372036854775808", "true", "[0]", "{}"] {
        let error = of(&format!("{{:process {process} :type :invoke :f :write :value 2}}"));
        assert_eq!(error, "2:12: a process has a number from 0 to 9223372036854775807, or a name");
    }
    assert_eq!(of("7"), "2:2: this is to be a map with :process, :type, :f and :value");
    assert_eq!(
        of("{:process 1 :type :invoke :f :cas}"),
        "2:31: the model register has no operation `cas`: it has write and read; the model cas-register has it"
    );
    assert_eq!(of("{:process 1 :type :invoke"), "2:2: `{` is not closed");
    assert_eq!(edn_error("", Model::Register), "1:1: there is no history in this file");
    let pair = "{:process 1 :type :invoke :f :cas :value 3}";
    assert_eq!(
        edn_error(pair, Model::CasRegister),
        "1:42: the argument of `cas` is [expected, new], and not 3"
    );
}
