//! What a set of runs says, and how sure it is: 95 % intervals.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rand_distr::{Binomial, Distribution};
use serde::Serialize;

use super::tables::rounded;

/// How many of how many, with the Wilson score interval (E. B. Wilson, "Probable Inference, the Law of
/// Succession, and Statistical Inference", JASA 22, 1927).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Proportion {
    /// How many.
    pub n: usize,
    /// Their share.
    #[serde(serialize_with = "rounded")]
    pub share: f64,
    /// The lower end of the interval.
    #[serde(serialize_with = "rounded")]
    pub low: f64,
    /// The upper end.
    #[serde(serialize_with = "rounded")]
    pub high: f64,
}

/// The 97.5 % quantile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

impl Proportion {
    /// `n` of `of`; `None` of nothing.
    pub fn of(n: usize, of: usize) -> Option<Proportion> {
        if of == 0 {
            return None;
        }
        let (count, total) = (n as f64, of as f64);
        let share = count / total;
        let z2 = Z * Z;
        let middle = (share + z2 / (2.0 * total)) / (1.0 + z2 / total);
        let half = Z / (1.0 + z2 / total) * (share * (1.0 - share) / total + z2 / (4.0 * total * total)).sqrt();
        // At the ends the interval ends there too; arithmetic would leave a trace.
        let low = if n == 0 { 0.0 } else { middle - half };
        let high = if n == of { 1.0 } else { middle + half };
        Some(Proportion { n, share, low, high })
    }
}

/// The difference of two independent shares, with Newcombe's hybrid score interval (R. G. Newcombe, "Interval
/// estimation for the difference between independent proportions", Statistics in Medicine 17, 1998, method 10).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// The one share less the other.
    pub gap: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Gap {
    /// `share` less `other`.
    pub fn of(share: Proportion, other: Proportion) -> Gap {
        let gap = share.share - other.share;
        let low = (share.share - share.low).hypot(other.high - other.share);
        let high = (share.high - share.share).hypot(other.share - other.low);
        Gap { gap, low: gap - low, high: gap + high }
    }

    /// Whether the interval leaves no doubt about its sign.
    pub fn is_clear(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// A mean, with the percentile bootstrap interval of 1,000 samples from a fixed seed (B. Efron,
/// "Bootstrap Methods: Another Look at the Jackknife", Annals of Statistics 7, 1979).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mean {
    /// Of how many values.
    pub n: usize,
    /// The mean.
    #[serde(serialize_with = "rounded")]
    pub mean: f64,
    /// The lower end of the interval.
    #[serde(serialize_with = "rounded")]
    pub low: f64,
    /// The upper end.
    #[serde(serialize_with = "rounded")]
    pub high: f64,
}

const SAMPLES: usize = 1000;
const SEED: u64 = 0x5eed;

impl Mean {
    /// The mean of these values; `None` of nothing.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Mean> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_unstable_by(f64::total_cmp);
        let n = values.len();
        if n == 0 {
            return None;
        }
        // Scores take few values, so a sample is drawn as how often each comes: the cost does not grow with n.
        let counts: Vec<(f64, usize)> = values.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect();
        let mean = counts.iter().map(|&(value, count)| value * count as f64).sum::<f64>() / n as f64;
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        let mut means: Vec<f64> = (0..SAMPLES).map(|_| sample(&counts, n, &mut rng)).collect();
        means.sort_unstable_by(f64::total_cmp);
        let quantile = |share: f64| means[(share * (SAMPLES - 1) as f64).round() as usize];
        Some(Mean { n, mean, low: quantile(0.025), high: quantile(0.975) })
    }
}

/// The mean of as many values, drawn with replacement.
fn sample(counts: &[(f64, usize)], n: usize, rng: &mut ChaCha8Rng) -> f64 {
    let (mut left, mut rest, mut sum) = (n as u64, n, 0.0);
    for &(value, count) in counts {
        let share = count as f64 / rest as f64;
        let drawn = if count == rest { left } else { Binomial::new(left, share).map_or(0, |d| d.sample(rng)) };
        sum += value * drawn as f64;
        (left, rest) = (left - drawn, rest - count);
    }
    sum / n as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(n: usize, of: usize, low: f64, high: f64) {
        let found = Proportion::of(n, of);
        let close = |a: f64, b: f64| (a - b).abs() < 5e-4;
        assert!(found.is_some_and(|found| close(found.low, low) && close(found.high, high)), "{n} of {of}: {found:?}");
    }

    /// The examples of R. G. Newcombe, "Two-sided confidence intervals for the single proportion",
    /// Statistics in Medicine 17 (1998), method 3.
    #[test]
    fn wilson_as_published() {
        check(81, 263, 0.2553, 0.3662);
        check(15, 148, 0.0624, 0.1605);
        check(0, 20, 0.0, 0.1611);
        check(1, 29, 0.0061, 0.1718);
        assert_eq!(Proportion::of(0, 0), None);
    }

    /// The examples of that article's table II, method 10.
    #[test]
    fn newcombe_as_published() {
        for (n, of, m, out_of, low, high) in [
            (56, 70, 48, 80, 0.0524, 0.3339),
            (9, 10, 3, 10, 0.1705, 0.8090),
            (10, 10, 0, 20, 0.6791, 1.0),
            (5, 56, 0, 29, -0.0381, 0.1926),
        ] {
            let gap = Proportion::of(n, of).zip(Proportion::of(m, out_of)).map(|(a, b)| Gap::of(a, b));
            let close = |gap: Gap| (gap.low - low).abs() < 6e-5 && (gap.high - high).abs() < 6e-5;
            assert!(gap.is_some_and(close), "{n}/{of} - {m}/{out_of}: {gap:?}");
        }
    }

    #[test]
    fn a_bootstrap_interval_is_about_two_standard_errors() {
        let values = (0..400).map(|n| f64::from(n % 2));
        let Some(Mean { n: 400, mean: 0.5, low, high }) = Mean::of(values) else { panic!() };
        // The standard error of the mean is 0.025.
        assert!((0.44..0.46).contains(&low) && (0.54..0.56).contains(&high), "{low} {high}");
        assert_eq!(Mean::of([]), None);
        assert_eq!(Mean::of([2.0; 7]), Some(Mean { n: 7, mean: 2.0, low: 2.0, high: 2.0 }));
    }

    #[test]
    fn the_same_values_give_the_same_interval_in_any_order() {
        let values = [0.1, 0.7, 0.7, 0.2, 1.0];
        assert_eq!(Mean::of(values), Mean::of(values.into_iter().rev()));
    }
}
