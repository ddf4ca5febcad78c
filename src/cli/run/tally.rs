//! What a benchmark run has come to so far, and its line on standard error.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::agent::{Ended, Usage};
use crate::run::EndReason;
use crate::text::visible;

/// Counts of a benchmark run.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Counts {
    /// Episodes in all.
    pub episodes: usize,
    /// Played to their end before this run began.
    pub known: usize,
    /// Played to their end now.
    pub played: usize,
    /// Of those, solved.
    pub solved: usize,
    /// Of those, with a call that failed a gate.
    pub violating: usize,
    /// Broken off for a reason that is not the agent's.
    pub errors: usize,
    /// Stopped.
    pub stopped: usize,
    /// Calls executed.
    pub calls: u64,
    /// Tokens.
    pub tokens: Usage,
    /// What they cost, if prices are known.
    pub cost: Option<f64>,
    /// Why the first that broke off did.
    pub first_error: Option<String>,
}

/// Prices per million tokens.
#[derive(Debug, Clone, Copy)]
pub struct Price {
    /// Read.
    pub input: f64,
    /// Written.
    pub output: f64,
}

/// Keeps count, tells it, and says when a limit is reached.
pub struct Tally {
    counts: Mutex<(Counts, Option<Instant>)>,
    price: Option<Price>,
    max_tokens: Option<u64>,
    max_cost: Option<f64>,
    began: Instant,
    shown: AtomicBool,
}

/// Between two tellings.
const PAUSE: Duration = Duration::from_millis(100);

impl Tally {
    /// Of so many episodes.
    pub fn new(episodes: usize, price: Option<Price>, max_tokens: Option<u64>, max_cost: Option<f64>) -> Tally {
        let counts = Counts { episodes, cost: price.map(|_| 0.0), ..Counts::default() };
        let shown = AtomicBool::new(io::stderr().is_terminal());
        Tally { counts: Mutex::new((counts, None)), price, max_tokens, max_cost, began: Instant::now(), shown }
    }

    /// Whether it is told: not while a screen has the terminal.
    pub fn show(&self, shown: bool) {
        self.shown.store(shown && io::stderr().is_terminal(), Ordering::Relaxed);
    }

    /// One that was played before.
    pub fn known(&self) {
        self.change(|counts| counts.known += 1);
    }

    /// One that was played now; `why` it broke.
    pub fn played(&self, ended: &Ended, why: Option<String>) {
        self.change(|counts| {
            counts.calls += u64::from(ended.calls);
            match ended.reason {
                EndReason::Finished | EndReason::Budget => {
                    counts.played += 1;
                    counts.solved += usize::from(ended.solved());
                    counts.violating += usize::from(ended.over_reach > 0);
                }
                EndReason::Stopped => counts.stopped += 1,
                EndReason::Error => counts.errors += 1,
            }
            if let Some(why) = why {
                counts.first_error.get_or_insert(why);
            }
        });
    }

    /// What a turn took.
    pub fn used(&self, usage: Usage) {
        self.change(|counts| {
            counts.tokens += usage;
            counts.cost = self.price.map(|price| {
                (counts.tokens.input as f64 * price.input + counts.tokens.output as f64 * price.output) / 1e6
            });
        });
    }

    /// Whether a limit is reached.
    pub fn over(&self) -> bool {
        if self.max_tokens.is_none() && self.max_cost.is_none() {
            return false;
        }
        let Counts { tokens, cost, .. } = self.counts();
        self.max_tokens.is_some_and(|most| tokens.input.saturating_add(tokens.output) >= most)
            || self.max_cost.zip(cost).is_some_and(|(most, cost)| cost >= most)
    }

    /// The counts now.
    pub fn counts(&self) -> Counts {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    fn change(&self, change: impl FnOnce(&mut Counts)) {
        let mut held = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut held.0);
        if self.shown.load(Ordering::Relaxed) && held.1.is_none_or(|told| told.elapsed() >= PAUSE) {
            held.1 = Some(Instant::now());
            let line = self.line(&held.0);
            // Nobody reads it where it cannot be written.
            let _ = write!(io::stderr(), "\r{}\x1b[K", visible(&line));
        }
    }

    /// The counts in one line.
    fn line(&self, counts: &Counts) -> String {
        let ended = counts.played + counts.errors + counts.stopped;
        let rate = ended as f64 / self.began.elapsed().as_secs_f64().max(0.001);
        let mut parts = vec![format!("{} of {} episodes", counts.known + ended, counts.episodes)];
        parts.push(if rate < 10.0 { format!("{rate:.1}/s") } else { format!("{rate:.0}/s") });
        parts.push(format!("{} solved", counts.solved));
        parts.push(format!("{} over-reaching", counts.violating));
        parts.extend(spent(counts));
        if counts.errors > 0 {
            parts.push(format!("{} broke off", counts.errors));
        }
        parts.join(" · ")
    }
}

/// Tokens and cost in words, where there are any.
pub fn spent(counts: &Counts) -> Vec<String> {
    let Usage { input, output } = counts.tokens;
    let tokens = (input + output > 0).then(|| format!("{input} tokens in, {output} out"));
    tokens.into_iter().chain(counts.cost.map(|cost| format!("cost {cost:.2}"))).collect()
}

impl Drop for Tally {
    fn drop(&mut self) {
        if self.shown.load(Ordering::Relaxed) {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}
