//! What it costs to open a run log of the benchmark: time and memory, from the file to the replay.
//!
//!     cargo run --release --example measure -- out.jsonl
#![allow(clippy::cast_precision_loss)]

use std::{fs, io, time::Instant};

use refract::{
    run::{Log, Replay, Setup},
    world::Library,
};

fn main() -> io::Result<()> {
    let path = std::env::args().nth(1).ok_or_else(|| io::Error::other("usage: measure LOG"))?;
    let start = Instant::now();
    let library = Library::embedded();
    told("the benchmark is loaded", start);
    let bytes = fs::read(&path)?;
    let megabytes = bytes.len() as f64 / 1e6;
    told("the file is read", start);

    let mut log = Log::from_bytes(bytes);
    log.index_some(1_000);
    told("1,000 lines are in the index", start);
    let before = Instant::now();
    log.finish();
    let indexed = before.elapsed().as_secs_f64();
    told("all lines are in the index", start);
    println!("{:>10.0} MB/s, {} rows, {} steps", megabytes / indexed, log.rows().len(), log.steps());
    memory("with the index", megabytes);

    let header = log.header().unwrap_or_default();
    let world = header.problem.as_deref().and_then(|id| library.worlds.get(id));
    let world = world.ok_or_else(|| io::Error::other("not a run of the benchmark"))?;
    let setup = Setup::of(&header, world).map_err(io::Error::other)?;
    let world_match = setup.matches(&header);
    let before = Instant::now();
    let replay = Replay::whole(setup, world_match, &log);
    told("it is executed", start);
    println!("{:>10.0} steps/s", log.steps() as f64 / before.elapsed().as_secs_f64());
    println!("{:>10.0} steps/s, index included", log.steps() as f64 / (before.elapsed().as_secs_f64() + indexed));
    println!("{:>10} diverges", replay.diverged());
    memory("with the replay", megabytes);
    Ok(())
}

/// Prints the seconds since the start.
fn told(what: &str, start: Instant) {
    println!("{:>10.3} s {what}", start.elapsed().as_secs_f64());
}

/// Prints the peak of this process, where the system tells it.
fn memory(what: &str, megabytes: f64) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    if let Some(kilobytes) = peak {
        let peak: f64 = kilobytes;
        println!("{:>10.0} MB at most {what}, {:.1} times the file", peak / 1e3, peak / 1e3 / megabytes);
    }
}
