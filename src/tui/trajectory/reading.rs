//! How the run comes here: read by a job, indexed and executed in portions between the keys, followed
//! while it grows.

use super::items::{Item, Items};
use super::loaded::Loaded;
use super::timeline::Timeline;
use super::{Reading, Trajectory};
use crate::run::{More, Tail};
use crate::tui::job::Payload;
use crate::tui::screen::Ctx;

/// Bytes of a growing log that are taken in at a time.
const GROWTH: u64 = 1 << 20;
/// How often a growing log is looked at.
const LOOK: std::time::Duration = std::time::Duration::from_millis(200);

/// A portion of the log is due.
struct Tick;

/// What a followed log has grown by, or why it can no longer be read.
struct Grown(Result<More, String>);

impl Trajectory {
    pub(super) fn read(&mut self, ctx: &mut Ctx) {
        let (run, shelf) = (self.run.clone(), self.shelf.clone());
        ctx.spawn(move |_| Loaded::read(&run, &shelf).map_err(|error| error.to_string()));
    }

    /// Takes in what a job found.
    pub(super) fn report(&mut self, payload: Payload, ctx: &mut Ctx) {
        let payload = match payload.downcast::<Result<Loaded, String>>() {
            Ok(read) => {
                self.built = None;
                self.items = Items::default();
                self.timeline = Timeline::default();
                self.reading = match *read {
                    Ok(run) => Reading::Here(Box::new(run)),
                    Err(why) => Reading::Failed(format!("{} cannot be read: {why}", self.run.name())),
                };
                self.portion(ctx);
                let early = std::mem::take(&mut self.early);
                return early.iter().for_each(|call| self.command(call, ctx));
            }
            Err(payload) => payload,
        };
        match payload.downcast::<Grown>() {
            Ok(grown) => self.grown(*grown, ctx),
            Err(payload) if payload.is::<Tick>() => self.portion(ctx),
            Err(_) => {}
        }
    }

    fn portion(&mut self, ctx: &mut Ctx) {
        let following = self.following.is_some();
        let Reading::Here(run) = &mut self.reading else { return };
        if !run.portion(!following) {
            ctx.spawn(|_| Tick);
        }
        let (steps, read) = (run.steps(), run.log.finished());
        let at_end = self.cursors.steps.cursor + 1 >= self.items.len();
        self.items.refresh(run, self.cursors.rows);
        if let Some(step) = self.wanted.filter(|&step| step <= steps || read) {
            self.wanted = None;
            let item = Item::of_step(run, step.min(steps));
            self.select(item);
        } else if following && at_end {
            // Follow mode holds the end as long as the reader is there.
            self.select(self.items.get(self.items.len().saturating_sub(1)));
        }
    }

    fn grown(&mut self, Grown(more): Grown, ctx: &mut Ctx) {
        match (more, &mut self.reading) {
            (Ok(More::Bytes(bytes)), Reading::Here(run)) => {
                run.append(&bytes);
                self.built = None;
                self.portion(ctx);
            }
            (Ok(More::StartOver), _) => {
                ctx.say("the log was written anew: read again");
                self.read(ctx);
            }
            (Err(why), _) => ctx.warn(format!("not followed any longer: {why}")),
            _ => {}
        }
    }

    /// Watches the file until it is told to stop.
    pub(super) fn follow(&mut self, ctx: &mut Ctx) {
        if let Some(job) = self.following.take() {
            ctx.cancel(job);
            return ctx.say("no longer following");
        }
        let (Some(path), Some(run)) = (self.run.path(), self.loaded()) else {
            return ctx.warn("no file stands behind this run, so it does not grow");
        };
        let mut tail = Tail::new(path, run.log.len() as u64);
        self.following = Some(ctx.spawn(move |handle| {
            while !handle.cancelled() {
                match tail.more(GROWTH) {
                    Ok(More::Bytes(bytes)) if bytes.is_empty() => std::thread::sleep(LOOK),
                    Ok(more) => handle.report(Grown(Ok(more))),
                    Err(error) => return Grown(Err(error.to_string())),
                }
            }
            Grown(Ok(More::Bytes(Vec::new())))
        }));
        self.select(self.items.get(self.items.len().saturating_sub(1)));
        ctx.say("following: what is appended to the log appears here");
    }
}
