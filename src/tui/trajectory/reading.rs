//! How the run comes here: read by a job, indexed and executed in portions between the keys, followed
//! while it grows.

use super::items::{Item, Items};
use super::loaded::{Loaded, Source};
use super::timeline::Timeline;
use super::{Reading, Trajectory};
use crate::run::{More, Tail};
use crate::tui::job::Payload;
use crate::tui::open::Run;
use crate::tui::screen::Ctx;
use crate::tui::shelf::Shelf;

/// Bytes of a log that are read before anything is shown.
const FIRST: u64 = 1 << 20;
/// Bytes that a growing log hands over at a time.
const CHUNK: u64 = 1 << 22;
/// How often a growing log is looked at.
const LOOK: std::time::Duration = std::time::Duration::from_millis(200);

/// What a job has for the run: which reading it belongs to, for an older one may still report.
struct News {
    reading: u32,
    found: Found,
}

enum Found {
    /// The first part of the log, with its world.
    Begun(Box<Loaded>),
    /// All of the log, its first part included: one buffer, for parts in a queue would double it.
    Rest(Vec<u8>),
    /// What the file has grown by.
    More(More),
    /// The log is here to its end.
    Whole,
    /// It cannot be read, or not any longer.
    Failed(String),
}

/// A portion of the log is due.
struct Tick;

impl Trajectory {
    /// Reads the log from its beginning.
    pub(super) fn read(&mut self, ctx: &mut Ctx) {
        self.reading_now += 1;
        self.source = Source::Coming;
        let (reading, run, shelf) = (self.reading_now, self.run.clone(), self.shelf.clone());
        ctx.spawn(move |handle| {
            let found = begin(&run, &shelf, |found| handle.report(News { reading, found }), || handle.cancelled());
            News { reading, found: found.unwrap_or_else(|error| Found::Failed(error.to_string())) }
        });
    }

    /// Takes in what a job found.
    pub(super) fn report(&mut self, payload: Payload, ctx: &mut Ctx) {
        let news = match payload.downcast::<News>() {
            Ok(news) if news.reading == self.reading_now => news.found,
            Ok(_) => return,
            Err(payload) if payload.is::<Tick>() => {
                self.ticking = false;
                return self.portion(ctx);
            }
            Err(_) => return,
        };
        match news {
            Found::Begun(run) => {
                self.items = Items::default();
                self.timeline = Timeline::default();
                self.reading = Reading::Here(run);
                self.portion(ctx);
                self.catch_up(ctx);
            }
            Found::Rest(whole) => {
                let Reading::Here(run) = &mut self.reading else { return };
                if !run.complete(whole) {
                    return self.grown(More::StartOver, ctx);
                }
                self.whole(ctx);
            }
            Found::More(more) => self.grown(more, ctx),
            Found::Whole => self.whole(ctx),
            Found::Failed(why) if self.following.take().is_some() => ctx.warn(format!("no longer followed: {why}")),
            Found::Failed(why) => {
                self.reading = Reading::Failed(format!("{} cannot be read: {why}", self.run.name()));
            }
        }
    }

    /// Whether commands have to wait: nothing is here yet, or a small log is about to be whole.
    pub(super) fn too_early(&self) -> bool {
        let begun = self.loaded().is_some_and(|run| run.log.len() as u64 >= FIRST);
        !matches!(self.reading, Reading::Failed(_)) && self.source == Source::Coming && !begun
    }

    /// Runs the commands that came too early.
    fn catch_up(&mut self, ctx: &mut Ctx) {
        if !self.too_early() {
            let early = std::mem::take(&mut self.early);
            early.iter().for_each(|call| self.command(call, ctx));
        }
    }

    fn whole(&mut self, ctx: &mut Ctx) {
        self.source = Source::Whole;
        self.portion(ctx);
        self.catch_up(ctx);
    }

    fn portion(&mut self, ctx: &mut Ctx) {
        let source = self.source;
        let Reading::Here(run) = &mut self.reading else { return };
        if !run.portion(source) && !self.ticking {
            self.ticking = true;
            ctx.spawn(|_| Tick);
        }
        let (steps, read) = (run.steps(), run.log.finished());
        let at_end = self.cursors.steps.cursor + 1 >= self.items.len();
        self.items.refresh(run, self.cursors.rows);
        if let Some(step) = self.wanted.filter(|&step| step <= steps || read) {
            self.wanted = None;
            let item = Item::of_step(run, step.min(steps));
            self.select(item);
        } else if source == Source::Growing && at_end {
            // Follow mode holds the end as long as the reader is there.
            self.select(self.items.get(self.items.len().saturating_sub(1)));
        }
    }

    fn grown(&mut self, more: More, ctx: &mut Ctx) {
        match (more, &mut self.reading) {
            (More::Bytes(bytes), Reading::Here(run)) => {
                run.append(&bytes);
                self.portion(ctx);
            }
            (More::StartOver, _) => {
                ctx.say("the log was written anew: read again");
                self.following = None;
                self.read(ctx);
            }
            _ => {}
        }
    }

    /// Watches the file until it is told to stop.
    pub(super) fn follow(&mut self, ctx: &mut Ctx) {
        if let Some(job) = self.following.take() {
            ctx.cancel(job);
            self.source = Source::Whole;
            self.portion(ctx);
            return ctx.say("no longer following");
        }
        let (Some(path), Some(run)) = (self.run.path(), self.loaded()) else {
            return ctx.warn("no file stands behind this run, so it does not grow");
        };
        if self.source == Source::Coming {
            return ctx.warn("the log is still being read");
        }
        let (mut tail, reading) = (Tail::new(path, run.log.len() as u64), self.reading_now);
        self.following = Some(ctx.spawn(move |handle| {
            while !handle.cancelled() {
                match tail.more(CHUNK) {
                    Ok(More::Bytes(bytes)) if bytes.is_empty() => std::thread::sleep(LOOK),
                    Ok(more) => handle.report(News { reading, found: Found::More(more) }),
                    Err(error) => return News { reading, found: Found::Failed(error.to_string()) },
                }
            }
            News { reading, found: Found::More(More::Bytes(Vec::new())) }
        }));
        self.source = Source::Growing;
        self.select(self.items.get(self.items.len().saturating_sub(1)));
        ctx.say("following: what is appended to the log appears here");
    }
}

/// Reads the first part of a log, which is on the screen before the rest is here, then all of it.
fn begin(run: &Run, shelf: &Shelf, report: impl Fn(Found), cancelled: impl Fn() -> bool) -> std::io::Result<Found> {
    let first = match run.path().map(|path| Tail::new(path, 0).more(FIRST)).transpose()? {
        Some(More::Bytes(bytes)) => bytes,
        Some(More::StartOver) | None => run.read()?,
    };
    let more = first.len() as u64 == FIRST && run.path().is_some();
    report(Found::Begun(Box::new(Loaded::begin(first, run, shelf))));
    if more && !cancelled() { run.read().map(Found::Rest) } else { Ok(Found::Whole) }
}
