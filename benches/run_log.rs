//! Indexing a run log, against parsing every line into a `serde_json::Value`; and reading it.

use divan::Bencher;
use divan::counter::BytesCount;
use refract::run::Log;

fn main() {
    divan::main();
}

/// A log of so many calls, each with a result and every third with words before it.
fn log(calls: usize) -> Vec<u8> {
    let mut text =
        r#"{"type":"run","version":1,"id":"r","domain":"d","problem":"p","role":"technician"}"#.to_owned() + "\n";
    for n in 1..=calls {
        if n % 3 == 0 {
            text += r#"{"type":"message","from":"agent","text":"First I look at the pump, then I ask for an order: \"nothing\" must be skipped.","reasoning":true}"#;
            text += "\n";
        }
        text += &format!(
            r#"{{"type":"call","id":"call_{n:024}","tool":"diagnose_vibration","args":{{"asset":"pump-{n}","finding":"diagnosis(pump-{n}, bearing_wear)"}}}}"#
        );
        text += "\n";
        text += &format!(
            r#"{{"type":"result","call":"call_{n:024}","fired":true,"observation":"The spectrum of pump-{n} points to bearing wear.","added":["status(pump-{n}, repaired)"],"removed":["status(pump-{n}, faulty)"],"produced":["diagnosis(pump-{n}, bearing_wear)"]}}"#
        );
        text += "\n";
    }
    text.into_bytes()
}

#[divan::bench(args = [10_000, 600_000], max_time = 10)]
fn index(bencher: Bencher, calls: usize) {
    let bytes = log(calls);
    bencher.counter(BytesCount::new(bytes.len())).with_inputs(|| bytes.clone()).bench_values(Log::read);
}

#[divan::bench(args = [10_000], max_time = 10)]
fn parse_every_line(bencher: Bencher, calls: usize) {
    let bytes = log(calls);
    bencher.counter(BytesCount::new(bytes.len())).bench(|| {
        bytes
            .split(|byte| *byte == b'\n')
            .filter_map(|line| serde_json::from_slice::<serde_json::Value>(line).ok())
            .filter(|value| value["type"] == "call")
            .count()
    });
}

/// Every call and outcome in full, as a replay reads them.
#[divan::bench(args = [10_000], max_time = 10)]
fn read_every_step(bencher: Bencher, calls: usize) {
    let log = Log::read(log(calls));
    bencher.counter(BytesCount::new(log.len())).bench(|| {
        (1..=log.steps())
            .filter_map(|step| Some((log.call(log.call_of(step)?)?, log.recorded(step)?)))
            .map(|(call, recorded)| call.args.get().len() + recorded.added.len())
            .sum::<usize>()
    });
}
