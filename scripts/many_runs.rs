//! Writes many run logs of about ten calls: the sample runs one after the other, each made again with
//! other calls on its entry put in by lot. The same for the same number. With `--read` it reads them
//! as any program would, every line into a JSON value: what the scores are measured against.
//!
//!     cargo run --release --example many_runs -- 100000 FOLDER
//!     cargo run --release --example many_runs -- --read FOLDER

#[path = "../tests/support/mod.rs"]
mod support;

use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use rayon::prelude::*;
use refract::{
    exec::{Episode, Json, Terms},
    run::{self, EndReason, Event, Header, Log, Setup, Speaker, Writer},
    world::{Library, World},
};
use support::rng::Rng;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--read", folder] => read(Path::new(folder)),
        [runs, folder] => write(runs.parse().map_err(io::Error::other)?, Path::new(folder)),
        _ => Err(io::Error::other("usage: many_runs RUNS FOLDER, or many_runs --read FOLDER")),
    }
}

/// Tool and arguments, as sent.
type Sent = (String, String);

/// What new runs are made from.
struct Sample {
    terms: Terms,
    world: Arc<World>,
    header: Header,
    calls: Vec<Sent>,
    messages: Vec<Event>,
    end: Option<EndReason>,
}

fn write(runs: usize, folder: &Path) -> io::Result<()> {
    let library = Library::embedded();
    let samples: Vec<Sample> =
        run::embedded().iter().filter_map(|source| Sample::of(&library, &source.open().ok()?)).collect();
    let mut pools: HashMap<&str, Vec<&Sent>> = HashMap::new();
    for sample in &samples {
        pools.entry(&sample.world.problem.id).or_default().extend(&sample.calls);
    }
    let write = |number: usize| {
        let sample = &samples[number % samples.len()];
        let id = format!("run-{number:06}");
        let log = sample.vary(&pools[&*sample.world.problem.id], &id, &mut Rng(number as u64))?;
        fs::write(folder.join(&id).with_extension("jsonl"), &log)?;
        Ok(log.len())
    };
    let bytes: io::Result<Vec<usize>> = (0..runs).into_par_iter().map(write).collect();
    println!("{runs} runs, {} MB", bytes?.iter().sum::<usize>() / 1_000_000);
    Ok(())
}

impl Sample {
    fn of(library: &Library, log: &Log) -> Option<Sample> {
        let header = log.header()?;
        let world = library.worlds.get(header.problem.as_deref()?)?.clone();
        let Setup { role, toolset, feedback, .. } = Setup::of(&header, &world).ok()?;
        let call = |step| {
            let call = log.call(log.call_of(step)?)?;
            Some((call.tool.get().to_owned(), call.args.get().to_owned()))
        };
        let messages = log.row_ids().filter_map(|row| log.message(row));
        let said = |message: run::Message| Event::Message {
            from: Speaker::Agent,
            text: message.text.into_owned(),
            reasoning: message.reasoning,
        };
        Some(Sample {
            terms: Terms { role, toolset, budget: None, feedback },
            world,
            header,
            calls: (1..=log.steps()).filter_map(call).collect(),
            messages: messages.map(said).collect(),
            end: log.end(),
        })
    }

    /// The sample with eight to twelve calls, made through the executor.
    fn vary(&self, pool: &[&Sent], id: &str, rng: &mut Rng) -> io::Result<Vec<u8>> {
        let mut calls: Vec<&Sent> = self.calls.iter().collect();
        let wanted = 8 + rng.below(5);
        while calls.len() < wanted {
            let call = rng.pick(pool).copied().ok_or(io::ErrorKind::InvalidData)?;
            calls.insert(rng.below(calls.len() + 1), call);
        }
        let budget = self.world.problem.budget.max(calls.len() as u32);
        let mut episode = Episode::new(self.world.clone(), Terms { budget: Some(budget), ..self.terms });
        let mut writer = Writer::new(Vec::new());
        let header = Header { id: Some(id.to_owned()), budget: Some(budget.into()), ..self.header.clone() };
        writer.write(&Event::Run(Box::new(header)))?;
        let mut messages = self.messages.iter();
        for (number, (tool, args)) in (1..).zip(calls) {
            messages.next().map_or(Ok(()), |message| writer.write(message))?;
            let id = format!("c{number}");
            let (step, observation) = episode.call(tool, args);
            writer.write(&Event::Call { id: id.clone(), tool: Json::new(tool), args: Json::new(args) })?;
            writer.write(&Event::result(&self.world, id, &step, &observation))?;
        }
        self.end.map_or(Ok(()), |reason| writer.write(&Event::End { reason }))?;
        Ok(writer.into_inner())
    }
}

/// Reads every line of every log into a JSON value, on all cores.
fn read(folder: &Path) -> io::Result<()> {
    let mut paths: Vec<_> = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    let events = |path: &PathBuf| {
        let bytes = fs::read(path)?;
        let values = bytes.split(|&byte| byte == b'\n').map(serde_json::from_slice::<serde_json::Value>);
        io::Result::Ok(values.filter(Result::is_ok).count())
    };
    let events: io::Result<Vec<usize>> = paths.par_iter().map(events).collect();
    println!("{} events", events?.iter().sum::<usize>());
    Ok(())
}
