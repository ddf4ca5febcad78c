//! How the run comes here: read by a job, indexed and executed in portions between the keys, followed
//! while it grows.

use std::sync::Arc;
use std::time::Duration;

use super::appraisal::Judged;
use super::items::{Item, Items};
use super::loaded::{Loaded, Source};
use super::onward::Found as Onward;
use super::timeline::Timeline;
use super::{Reading, Trajectory};
use crate::run::{More, Tail};
use crate::tui::job::{JobId, Payload};
use crate::tui::open::Run;
use crate::tui::screen::Ctx;
use crate::tui::shelf::Shelf;

/// Bytes of a log that are read before anything is shown.
const FIRST: u64 = 1 << 20;
/// Bytes that a growing log hands over at a time.
const CHUNK: u64 = 1 << 22;
/// How often a growing log is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// What a job has for the run: which reading it belongs to, for an older one may still report.
pub(super) struct News {
    reading: u32,
    found: Found,
}

enum Found {
    /// The first part of the log, with its world.
    Begun(Box<Loaded>),
    /// All of the log, its first part included: one buffer, for parts in a queue would double it.
    Rest(Vec<u8>),
    /// What the file has grown by, and who looks next.
    More(More, Tail),
    /// The log is here to its end.
    Whole,
    /// It cannot be read, or not any longer.
    Failed(String),
}

/// A portion of the log is due.
struct Tick;

/// What has come, and is taken in when no search holds the run.
pub(super) enum Owed {
    News(News),
    Tick,
    Judged(Judged),
}

impl Trajectory {
    /// Reads the log from its beginning. What is shown stays until the new reading has begun.
    pub(super) fn read(&mut self, ctx: &mut Ctx) {
        if let Some(job) = self.following.take() {
            ctx.cancel(job);
            self.refollow = true;
        }
        self.reading_now += 1;
        let (reading, run, shelf) = (self.reading_now, self.run.clone(), self.shelf.clone());
        let job = ctx.spawn(move |handle| {
            let found = begin(&run, &shelf, |found| handle.report(News { reading, found }), || handle.cancelled());
            News { reading, found: found.unwrap_or_else(|error| Found::Failed(error.to_string())) }
        });
        self.reader = Some(job);
    }

    /// A job panicked: what it was to find is not known.
    pub(super) fn failed(&mut self, job: JobId, why: String, ctx: &mut Ctx) {
        let job = Some(job);
        if job == self.judging {
            self.owed.extend(self.not_judged().map(Owed::Judged));
        } else if job == self.reader || job == self.following {
            self.owed.push_back(Owed::News(News { reading: self.reading_now, found: Found::Failed(why) }));
        } else {
            self.no_onward(job);
        }
        self.take_in(ctx);
    }

    /// Takes in what a job found.
    pub(super) fn report(&mut self, payload: Payload, ctx: &mut Ctx) {
        match payload.downcast::<News>() {
            Ok(news) => self.owed.push_back(Owed::News(*news)),
            Err(payload) if payload.is::<Tick>() => self.owed.push_back(Owed::Tick),
            Err(payload) => match payload.downcast::<Judged>() {
                Ok(judged) => self.owed.push_back(Owed::Judged(*judged)),
                Err(payload) => {
                    if let Ok(found) = payload.downcast::<Onward>() {
                        self.found_onward(*found);
                    }
                }
            },
        }
        self.take_in(ctx);
    }

    /// Takes in what has come, in order, unless a search holds the run: then when that has ended.
    pub(super) fn take_in(&mut self, ctx: &mut Ctx) {
        while !self.owed.is_empty() {
            if self.loaded().is_some() && self.running().is_none() {
                return;
            }
            match self.owed.pop_front() {
                Some(Owed::News(news)) if news.reading == self.reading_now => self.take(news.found, ctx),
                Some(Owed::Tick) => {
                    self.ticking = false;
                    self.portion(ctx);
                }
                Some(Owed::Judged(judged)) => {
                    if judged.reading == self.shown {
                        // Only now may the next stretch begin: it follows this one.
                        self.judging = None;
                    }
                    self.judged(judged);
                }
                _ => {}
            }
        }
    }

    fn take(&mut self, found: Found, ctx: &mut Ctx) {
        match found {
            Found::Begun(run) => self.begun(*run, ctx),
            Found::Rest(whole) => {
                let Some(run) = self.running() else { return };
                if !run.complete(whole) {
                    return self.grown(More::StartOver, ctx);
                }
                self.whole(ctx);
            }
            Found::More(..) if self.following.is_none() => {}
            Found::More(more, tail) => {
                let pause = if more == More::Bytes(Vec::new()) { LOOK } else { Duration::ZERO };
                self.following = Some(self.look(tail, pause, ctx));
                self.grown(more, ctx);
            }
            Found::Whole => self.whole(ctx),
            Found::Failed(why) if self.following.take().is_some() => {
                self.whole(ctx);
                ctx.warn(format!("no longer followed: {why}"));
            }
            Found::Failed(why) if self.loaded().is_some() => {
                self.refollow = false;
                ctx.warn(format!("{} cannot be read again, this is as it was: {why}", self.run.name()));
                if self.source == Source::Coming {
                    self.whole(ctx);
                }
            }
            Found::Failed(why) => {
                self.reading = Reading::Failed(format!("{} cannot be read: {why}", self.run.name()));
            }
        }
    }

    /// The first part of the log is here. The reader stays at a row that is still there.
    fn begun(&mut self, run: Loaded, ctx: &mut Ctx) {
        if let Some(job) = self.judging.take() {
            ctx.cancel(job);
        }
        self.again = self.loaded().is_some();
        let step = self.step();
        self.items = Items::default();
        self.timeline = Timeline::default();
        self.reading = Reading::Here(Arc::new(run));
        self.shown = self.reading_now;
        self.source = Source::Coming;
        self.portion(ctx);
        if self.again && self.wanted.is_none() && !self.items.holds(self.cursors.item) {
            self.wanted = Some(step);
        }
        self.catch_up(ctx);
    }

    /// The run, to be changed: no search holds it.
    pub(super) fn running(&mut self) -> Option<&mut Loaded> {
        match &mut self.reading {
            Reading::Here(run) => Arc::get_mut(run),
            _ => None,
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
        if std::mem::take(&mut self.again) {
            ctx.say("read again");
        }
        if std::mem::take(&mut self.refollow) {
            self.follow(ctx);
        }
    }

    fn portion(&mut self, ctx: &mut Ctx) {
        let source = self.source;
        let Some(run) = self.running() else { return };
        let more = !run.portion(source);
        let Reading::Here(run) = &self.reading else { return };
        let (steps, read) = (run.steps(), run.log.finished());
        let at_end = self.cursors.steps.cursor + 1 >= self.items.len();
        self.items.refresh(run, self.cursors.rows, &self.cursors.filter);
        self.tick(more || self.items.behind(), ctx);
        let Reading::Here(run) = &self.reading else { return };
        if let Some(step) = self.wanted.filter(|&step| step <= steps || read) {
            self.wanted = None;
            let item = Item::of_step(run, step.min(steps));
            self.select(item);
        } else if source == Source::Growing && at_end {
            // Follow mode holds the end as long as the reader is there.
            self.select(self.items.get(self.items.len().saturating_sub(1)));
        }
    }

    /// The filter looks at its first portion.
    pub(super) fn go_on_filtering(&mut self, ctx: &mut Ctx) {
        let Reading::Here(run) = &self.reading else { return };
        self.items.refresh(run, self.cursors.rows, &self.cursors.filter);
        self.tick(self.items.behind(), ctx);
    }

    /// Asks for the next portion, if there is one.
    fn tick(&mut self, more: bool, ctx: &mut Ctx) {
        if more && !self.ticking {
            self.ticking = true;
            ctx.spawn(|_| Tick);
        }
    }

    fn grown(&mut self, more: More, ctx: &mut Ctx) {
        match more {
            More::Bytes(bytes) => {
                let Some(run) = self.running() else { return };
                let headed = run.log.header_row().is_some();
                run.append(&bytes);
                self.portion(ctx);
                if !headed && self.loaded().is_some_and(|run| run.log.header_row().is_some()) {
                    self.read(ctx); // only now it says which entry it is of
                }
            }
            More::StartOver => {
                ctx.say("the log was written anew: read again");
                self.read(ctx);
            }
        }
    }

    /// Watches the file until it is told to stop.
    pub(super) fn follow(&mut self, ctx: &mut Ctx) {
        if let Some(job) = self.following.take() {
            ctx.cancel(job);
            self.source = Source::Whole;
            self.owed.push_back(Owed::Tick);
            self.take_in(ctx);
            return ctx.say("no longer following");
        }
        let (Some(path), Some(run)) = (self.run.path(), self.loaded()) else {
            return ctx.warn("no file stands behind this run, so it does not grow");
        };
        if self.source == Source::Coming {
            return ctx.warn("the log is still being read");
        }
        let tail = Tail::new(path, run.log.bytes());
        self.following = Some(self.look(tail, Duration::ZERO, ctx));
        self.source = Source::Growing;
        self.select(self.items.get(self.items.len().saturating_sub(1)));
        ctx.say("following: what is appended to the log appears here");
    }
}

impl Trajectory {
    /// Looks after a while at what a followed file has grown by.
    fn look(&self, mut tail: Tail, pause: Duration, ctx: &mut Ctx) -> JobId {
        let reading = self.reading_now;
        ctx.spawn_after(pause, move |_| {
            let found = tail.more(CHUNK).map(|more| Found::More(more, tail));
            News { reading, found: found.unwrap_or_else(|error| Found::Failed(error.to_string())) }
        })
    }
}

/// Reads the first part of a log, which is on the screen before the rest is here, then all of it.
fn begin(run: &Run, shelf: &Shelf, report: impl Fn(Found), cancelled: impl Fn() -> bool) -> std::io::Result<Found> {
    let first = match run.path().map(|path| Tail::new(path, &[]).more(FIRST)).transpose()? {
        Some(More::Bytes(bytes)) => bytes,
        Some(More::StartOver) | None => run.read()?,
    };
    let more = first.len() as u64 == FIRST && run.path().is_some();
    report(Found::Begun(Box::new(Loaded::begin(first, run, shelf))));
    if more && !cancelled() { run.read().map(Found::Rest) } else { Ok(Found::Whole) }
}
