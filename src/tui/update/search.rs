//! The search in force: its hits at once where a screen is small, else from a job that the next key
//! stops, so that keys stay live whatever the size of what is searched.

use super::super::job::{Effect, Job, JobId, Payload};
use super::super::layout::Panes;
use super::super::model::{Aim, Model, Purpose, Search};
use super::super::pattern::Pattern;
use super::super::screen::{LongSearch, Place, ScreenId, Spot};
use super::stack;

/// What a job found, in order.
struct Found {
    job: JobId,
    hits: Vec<Spot>,
    /// All from the cursor to the end is looked through.
    around: bool,
}

/// A job looked everywhere, or was stopped.
pub struct Ended;

/// Searches the screen on top; the cursor goes to the first hit from a spot on, once it is known.
pub fn begin(model: &mut Model, pattern: Pattern, from: Spot, effects: &mut Vec<Effect>) {
    stop(model, effects);
    let Some(layer) = model.stack.last_mut() else { return };
    let long = layer.screen.long_search(&pattern, from, None);
    let hits = if long.is_some() { Vec::new() } else { layer.screen.search(&pattern) };
    let aim = Some(Aim { from, jump: None });
    layer.search = Some(Search { pattern, hits, job: None, reach: None, aim });
    match long {
        Some(long) => start(model, long, effects),
        None => {
            land(model, model.stack.len() - 1, true);
            give_up(model, model.stack.len() - 1);
        }
    }
}

/// Ends the search of the screen on top. Says whether there was one.
pub fn stop(model: &mut Model, effects: &mut Vec<Effect>) -> bool {
    let Some(search) = model.stack.last_mut().and_then(|layer| layer.search.take()) else { return false };
    if let Some(job) = search.job {
        let effect = Effect::Cancel(job);
        stack::note(model, &effect);
        effects.push(effect);
    }
    true
}

/// The reader moves on: the cursor does not go to hits that are still to be found.
pub fn stay(model: &mut Model) {
    if let Some(search) = model.stack.last_mut().and_then(|layer| layer.search.as_mut()) {
        search.aim = None;
    }
}

/// Looks through what has come to the screen on top since.
pub fn keep_up(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(layer) = model.stack.last_mut() else { return };
    let Some(search) = layer.search.as_mut().filter(|search| search.job.is_none()) else { return };
    let Some(reach) = search.reach else { return };
    let Some(long) = layer.screen.long_search(&search.pattern, layer.screen.spot(), Some(reach)) else { return };
    if long.reach.edition != reach.edition {
        search.hits.clear();
    }
    start(model, long, effects);
}

fn start(model: &mut Model, long: LongSearch, effects: &mut Vec<Effect>) {
    let Some(layer) = model.stack.last_mut() else { return };
    let Some(search) = &mut layer.search else { return };
    model.next_job += 1;
    let id = JobId(model.next_job);
    search.job = Some(id);
    search.reach = Some(long.reach);
    let work = long.work;
    let work = move |handle: &super::super::job::Handle| {
        work(handle, &|hits, around| handle.report(Found { job: id, hits, around }));
        Box::new(Ended) as Payload
    };
    let effect = Effect::Spawn(Job::new(id, layer.id, None, Box::new(work)));
    stack::note(model, &effect);
    effects.push(effect);
}

/// Takes in what a job found; hands back what was no search's.
pub fn found(model: &mut Model, screen: ScreenId, payload: Payload) -> Option<Payload> {
    let found = match payload.downcast::<Found>() {
        Ok(found) => found,
        Err(payload) => return Some(payload),
    };
    let at = model.stack.iter().position(|layer| layer.id == screen)?;
    let search = model.stack[at].search.as_mut().filter(|search| search.job == Some(found.job));
    match search {
        Some(search) => {
            merge(&mut search.hits, found.hits);
            land(model, at, found.around);
        }
        None => model.unchanged = true,
    }
    None
}

/// A job has ended. Says whether it was a search that is in force.
pub fn ended(model: &mut Model, job: JobId) -> bool {
    let looked = |search: &Search| search.job == Some(job);
    let Some(at) = model.stack.iter().position(|layer| layer.search.as_ref().is_some_and(looked)) else {
        return false;
    };
    if let Some(search) = &mut model.stack[at].search {
        search.job = None;
    }
    land(model, at, true);
    give_up(model, at);
    true
}

/// Adds hits, which are in order themselves. They fill a gap between two others, but for the edges.
fn merge(hits: &mut Vec<Spot>, more: Vec<Spot>) {
    let (Some(first), Some(last)) = (more.first(), more.last()) else { return };
    let range = hits.partition_point(|hit| hit < first)..hits.partition_point(|hit| hit <= last);
    if range.is_empty() {
        hits.splice(range, more);
        return;
    }
    let mut both = [&hits[range.clone()], &more].concat();
    both.sort_unstable();
    both.dedup();
    hits.splice(range, both);
}

/// Where the search began, while its text is still typed.
fn origin(model: &Model, at: usize) -> Option<(Panes, Place)> {
    match model.prompt.as_ref().map(|prompt| &prompt.purpose) {
        Some(Purpose::Search { panes, place, .. }) if at + 1 == model.stack.len() => {
            Some((panes.clone(), place.clone()))
        }
        _ => None,
    }
}

/// Goes to the hit that is aimed at, if it is known by now.
fn land(model: &mut Model, at: usize, around: bool) {
    let origin = origin(model, at);
    let layer = &mut model.stack[at];
    let Some(search) = &mut layer.search else { return };
    let Some(aim) = &search.aim else { return };
    let next = search.hits.partition_point(|hit| *hit < aim.from);
    let around = search.hits.first().filter(|_| around);
    let Some(spot) = search.hits.get(next).or(around).copied() else { return };
    let pattern = search.pattern.clone();
    if let Some(jump) = search.aim.take().and_then(|aim| aim.jump) {
        layer.jumps.push(jump);
    }
    if let Some(origin) = origin {
        // What an earlier text had opened closes again.
        stack::put(layer, origin);
    }
    layer.panes.focus(spot.pane);
    layer.screen.sought(&pattern);
    layer.screen.reveal(spot);
    // That nothing was found so far, say.
    model.message = None;
}

/// Nothing was found.
fn give_up(model: &mut Model, at: usize) {
    let origin = origin(model, at);
    let layer = &mut model.stack[at];
    let Some(search) = &mut layer.search else { return };
    let Some(aim) = search.aim.take() else { return };
    let text = search.pattern.text.clone();
    if let Some(origin) = origin {
        stack::put(layer, origin);
    }
    if aim.jump.is_some() {
        model.warn(format!("not found: {text}"));
    }
}

/// `n` and `N`.
pub fn step(model: &mut Model, forward: bool, times: usize) {
    let Some(layer) = model.stack.last_mut() else { return };
    let Some(search) = &mut layer.search else { return model.warn("nothing searched for: / begins a search") };
    if search.reach.is_none() {
        // What is on the screen may have changed since.
        search.hits = layer.screen.search(&search.pattern);
    }
    let (text, looking) = (search.pattern.text.clone(), search.job.is_some());
    if search.hits.is_empty() {
        return model.warn(if looking { format!("not found so far: {text}") } else { format!("not found: {text}") });
    }
    search.aim = None;
    let here = layer.screen.spot();
    let len = search.hits.len();
    let before = search.hits.partition_point(|hit| *hit < here);
    let after = search.hits.partition_point(|hit| *hit <= here);
    let by = (times - 1) % len;
    let (at, around) = if forward {
        ((after + by) % len, after + by >= len)
    } else {
        ((before + 2 * len - 1 - by) % len, before < by + 1)
    };
    if around && looking {
        return model.warn(format!("no further so far: {text} is still searched for"));
    }
    let spot = search.hits[at];
    layer.panes.focus(spot.pane);
    layer.screen.sought(&search.pattern);
    layer.screen.reveal(spot);
    if around {
        model.say(if forward { "from the top again" } else { "from the end again" });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_come_together_in_order() {
        let spots = |rows: &[usize]| rows.iter().map(|&row| Spot { pane: 0, row }).collect::<Vec<_>>();
        for (hits, more, expected) in [
            (&[][..], &[1, 2][..], &[1, 2][..]),
            (&[5, 9], &[], &[5, 9]),
            (&[5, 9], &[10, 11], &[5, 9, 10, 11]),
            (&[5, 9], &[1, 2], &[1, 2, 5, 9]),
            (&[5, 9], &[6, 7], &[5, 6, 7, 9]),
            (&[5, 7, 9], &[4, 7, 8], &[4, 5, 7, 8, 9]),
            (&[5, 9], &[5, 9], &[5, 9]),
        ] {
            let mut all = spots(hits);
            merge(&mut all, spots(more));
            assert_eq!(all, spots(expected), "{hits:?} and {more:?}");
        }
    }
}
