//! Waiting that a stop ends.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How often whoever waits looks whether it is to stop.
pub(super) const LOOK: Duration = Duration::from_millis(20);
/// Why an agent gives no answer then.
pub(super) const STOPPED: &str = "stopped while it was waited for";

/// Waits; false as soon as `stop` is set.
pub(super) fn pause(long: Duration, stop: &AtomicBool) -> bool {
    let end = Instant::now() + long;
    while !stop.load(Ordering::Relaxed) {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        thread::sleep(left.min(LOOK));
    }
    false
}

/// The wait before try `tries + 2`: twice as long each time, and between half and all of that, so that
/// those who failed together do not come back together.
pub(super) fn back_off(base: Duration, tries: u32) -> Duration {
    const LONGEST: Duration = Duration::from_secs(60);
    let long = base.saturating_mul(1 << tries.min(16)).min(LONGEST);
    // The standard library's own source of chance, enough for a wait.
    let chance = RandomState::new().hash_one(tries) as f64 / u64::MAX as f64;
    long.mul_f64(0.5 + chance / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_minute() {
        for (tries, most) in [(0, 1.0), (1, 2.0), (4, 16.0), (6, 60.0), (u32::MAX, 60.0)] {
            for _ in 0..50 {
                let wait = back_off(Duration::from_secs(1), tries).as_secs_f64();
                assert!((most / 2.0..=most).contains(&wait), "{tries}: {wait}");
            }
        }
    }

    #[test]
    fn a_stop_ends_a_wait() {
        assert!(!pause(Duration::MAX / 4, &AtomicBool::new(true)));
        assert!(pause(Duration::ZERO, &AtomicBool::new(false)));
    }
}
