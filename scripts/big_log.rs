//! Writes a large run log: calls drawn by lot through the executor on the benchmark, with messages
//! and reasoning between them. The same for the same size.
//!
//!     cargo run --release --example big_log -- --mb 200 out.jsonl

#[path = "../tests/support/mod.rs"]
mod support;

use std::{
    cell::Cell,
    fs::File,
    io::{self, BufWriter, Write},
    rc::Rc,
};

use refract::{
    run::Writer,
    world::{Library, ToolsetId},
};
use support::wander::Wanderer;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (megabytes, path) = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--mb", megabytes, path] => (megabytes.parse().map_err(io::Error::other)?, path),
        [path] => (200, path),
        _ => return Err(io::Error::other("usage: big_log [--mb MEGABYTES] OUT.jsonl")),
    };
    let written = Rc::new(Cell::new(0));
    let mut writer = Writer::new(Counted { sink: BufWriter::new(File::create_new(path)?), written: written.clone() });
    let calls = write(&mut writer, || written.get() < megabytes * 1_000_000)?;
    writer.into_inner().sink.flush()?;
    println!("{path}: {calls} calls");
    Ok(())
}

/// A sink that knows what went into it. A log is flushed per event; here once is enough.
struct Counted {
    sink: BufWriter<File>,
    written: Rc<Cell<usize>>,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.sink.write(bytes)?;
        self.written.set(self.written.get() + written);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a run while there is room; gives the number of calls.
fn write(writer: &mut Writer<Counted>, room: impl Fn() -> bool) -> io::Result<usize> {
    let world = Library::embedded().worlds[0].clone();
    let Some((&role, _)) = world.problem.perspectives.first() else { return Ok(0) };
    let widest = ToolsetId::from(world.problem.toolsets.len() - 1);
    let mut wanderer = Wanderer::new(world, role, widest, Some(u32::MAX), 1);
    wanderer.begin(writer)?;
    let mut calls = 0;
    while room() {
        calls += 1;
        if calls % 10 == 0 {
            wanderer.say(writer, format!("So far {calls} calls. What is left to try?\n\n1. the next one"), true)?;
        }
        if calls % 25 == 0 {
            wanderer.say(
                writer,
                "Still at it: \"nothing\" has turned up that would settle it – 漢字.".to_owned(),
                false,
            )?;
        }
        wanderer.step(writer, format!("call_{calls:08}"))?;
    }
    wanderer.end(writer)?;
    Ok(calls)
}
