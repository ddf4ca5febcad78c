//! The timeline along the bottom: the whole run at once, with a lens where it does not fit.

use ratatui::style::Modifier;
use ratatui::text::Span;

use super::loaded::Loaded;
use crate::plan::Distance;
use crate::tui::canvas::Canvas;
use crate::tui::sign::Sign;
use crate::tui::theme::Role;

/// Columns for the scale, and their gap.
const SCALE: u16 = 4;

/// How the steps share the columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Plan {
    /// So many columns each, with numbers.
    Roomy(u16),
    /// One column each.
    #[default]
    Single,
    /// Several steps in a column.
    Bins,
}

/// A column of the overview.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Bin {
    /// The worst step.
    worst: usize,
    /// The longest distance.
    height: Height,
}

/// How high a step's bar is. What is no number has a letter, never a height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Height {
    /// The goal is so many calls away.
    Calls(u32),
    /// Not judged yet.
    Pending,
    /// The planner gave up.
    Unknown,
    /// Out of reach.
    Never,
}

/// What is computed once per change.
#[derive(Debug, Default)]
pub struct Timeline {
    plan: Plan,
    width: u16,
    steps: usize,
    known: usize,
    /// The steps that were judged.
    judged: usize,
    /// What else they may come to differ by: lines of the log, whether it is here to its end, how far and how
    /// often it was judged.
    of: (usize, bool, Option<(u32, usize, bool)>),
    bins: Vec<Bin>,
}

impl Timeline {
    /// Fits it to the run and the room.
    pub fn settle(&mut self, run: &Loaded, width: u16) {
        let width = width.saturating_sub(SCALE + 1);
        let (steps, known) = (run.steps(), run.kinds.len());
        let judged = run.appraisal.as_ref().map_or(0, |appraisal| appraisal.judged());
        let progress = run.appraisal.as_ref().map(|appraisal| appraisal.progress());
        let of = (run.log.rows().len(), run.log.finished(), progress);
        if (self.width, self.steps, self.known, self.of) == (width, steps, known, of) {
            return;
        }
        // While a large log is read, the overview grows in few large leaps: each looks at every step.
        let leap = |now: usize, then: usize| now == steps || now < then || now >= then + then / 8;
        let leap = leap(known, self.known) && (judged == self.judged || leap(judged, self.judged));
        if !leap && self.plan == Plan::Bins && self.width == width {
            return;
        }
        let digits = u16::try_from(steps.to_string().len()).unwrap_or(u16::MAX);
        let points = steps + 1;
        let each = u16::try_from(usize::from(width) / points).unwrap_or(u16::MAX).min(6);
        self.plan = match each {
            0 => Plan::Bins,
            each if each > digits + 1 => Plan::Roomy(each),
            _ => Plan::Single,
        };
        (self.width, self.steps, self.known, self.judged, self.of) = (width, steps, known, judged, of);
        self.bins = match self.plan {
            Plan::Bins => (0..usize::from(width)).map(|column| self.bin(run, column)).collect(),
            _ => Vec::new(),
        };
    }

    /// The steps of a column of the overview.
    fn range(&self, column: usize) -> std::ops::Range<usize> {
        let points = self.steps + 1;
        let width = usize::from(self.width).max(1);
        let at = |column: usize| column * points / width;
        at(column)..at(column + 1).max(at(column) + 1).min(points)
    }

    fn bin(&self, run: &Loaded, column: usize) -> Bin {
        let range = self.range(column);
        let badness = |&step: &usize| (run.sign(step).severity(), std::cmp::Reverse(step));
        let worst = range.clone().max_by_key(badness).unwrap_or(0);
        Bin { worst, height: range.map(|step| height(run, step)).max().unwrap_or(Height::Pending) }
    }

    /// The step at a column of the pane; in a bin, the worst.
    pub fn step_at(&self, x: u16, y: u16, cursor: usize) -> usize {
        let column = usize::from(x.saturating_sub(SCALE));
        match self.plan {
            Plan::Roomy(each) => (column / usize::from(each)).min(self.steps),
            Plan::Single => column.min(self.steps),
            Plan::Bins if y >= 2 => (self.lens(cursor) + column).min(self.steps),
            Plan::Bins => self.bins.get(column).map_or(self.steps, |bin| bin.worst),
        }
    }

    /// The first step of the lens.
    fn lens(&self, cursor: usize) -> usize {
        let width = usize::from(self.width);
        cursor.saturating_sub(width / 2).min((self.steps + 1).saturating_sub(width))
    }

    /// Draws it.
    pub fn draw(&self, run: &Loaded, cursor: usize, canvas: &mut Canvas) {
        let height = canvas.height();
        if self.width == 0 || height == 0 {
            return;
        }
        let planned = run.appraisal.is_some();
        match self.plan {
            Plan::Roomy(each) => self.roomy(run, cursor, each, planned, canvas),
            Plan::Single => {
                let bars = if planned { height.saturating_sub(1).min(3) } else { 0 };
                let columns = 0..=self.steps;
                self.columns(run, cursor, columns, (0, bars), canvas);
            }
            Plan::Bins => {
                self.overview(run, cursor, canvas);
                if height >= 4 {
                    let from = self.lens(cursor);
                    let to = (from + usize::from(self.width)).min(self.steps + 1);
                    self.columns(run, cursor, from..=to.saturating_sub(1), (2, 1), canvas);
                }
            }
        }
    }

    /// Dims the columns of steps that are left out.
    pub fn dim(&self, canvas: &mut Canvas, cursor: usize, left_out: impl Fn(std::ops::Range<usize>) -> bool) {
        let (style, height) = (canvas.theme.style(Role::Dim), canvas.height());
        let mut column = |x: u16, width: u16, rows: std::ops::Range<u16>, steps: std::ops::Range<usize>| {
            if left_out(steps) {
                rows.for_each(|y| canvas.restyle(SCALE + x, y, width, style));
            }
        };
        let columns = (0..self.width).zip(0..);
        match self.plan {
            Plan::Roomy(each) => {
                (0..=self.steps).zip(0..).for_each(|(step, x)| column(x * each, each, 0..height, step..step + 1));
            }
            Plan::Single => {
                columns.take(self.steps + 1).for_each(|(x, step)| column(x, 1, 0..height, step..step + 1));
            }
            Plan::Bins => {
                columns.clone().for_each(|(x, at)| column(x, 1, 0..2, self.range(at)));
                let from = self.lens(cursor);
                columns.for_each(|(x, at)| column(x, 1, 2..height, from + at..from + at + 1));
            }
        }
    }

    fn roomy(&self, run: &Loaded, cursor: usize, each: u16, planned: bool, canvas: &mut Canvas) {
        let height = canvas.height();
        let under = if height >= 3 { 2 } else { 1 };
        let bars = if planned { height.saturating_sub(under).min(3) } else { 0 };
        scale(run, 0, bars, canvas);
        for step in 0..=self.steps {
            let x = SCALE + u16::try_from(step).unwrap_or(0) * each;
            bar(run, self::height(run, step), (x, each), (0, bars), canvas);
            let here = step == cursor;
            let theme = canvas.theme;
            let mut number = theme.span(if here { Role::Title } else { Role::Dim }, step.to_string());
            let sign = telling(run, step);
            if let Some(sign) = sign {
                number = Span::styled(number.content, theme.sign_style(sign).remove_modifier(Modifier::REVERSED));
            }
            if here && under == 1 {
                number = number.patch_style(theme.style(Role::Hit));
            }
            let digits = u16::try_from(step.to_string().len()).unwrap_or(1);
            canvas.line(x, bars, number);
            if let Some(sign) = sign {
                canvas.line(x + digits, bars, theme.sign(sign));
            }
            if here && under == 2 {
                canvas.line(x, bars + 1, theme.sign(Sign::Here));
            }
        }
    }

    /// One column a step: bars, and signs under them.
    fn columns(
        &self,
        run: &Loaded,
        cursor: usize,
        steps: std::ops::RangeInclusive<usize>,
        (top, bars): (u16, u16),
        canvas: &mut Canvas,
    ) {
        let theme = canvas.theme;
        if top > 0 {
            let first = (*steps.start()).to_string();
            if first.len() < usize::from(SCALE) {
                canvas.line(0, top, theme.span(Role::Dim, first));
            }
        } else {
            scale(run, top, bars, canvas);
        }
        for (x, step) in (SCALE..).zip(steps) {
            bar(run, height(run, step), (x, 1), (top, bars), canvas);
            let sign = column_sign(run, step, step == cursor);
            canvas.line(x, top + bars, theme.sign(sign));
            if step == cursor {
                canvas.restyle(x, top + bars.saturating_sub(1), 1, theme.style(Role::Hit));
            }
        }
    }

    fn overview(&self, run: &Loaded, cursor: usize, canvas: &mut Canvas) {
        let theme = canvas.theme;
        scale(run, 0, 1, canvas);
        for (column, bin) in self.bins.iter().enumerate() {
            let x = SCALE + u16::try_from(column).unwrap_or(0);
            let here = self.range(column).contains(&cursor);
            bar(run, bin.height, (x, 1), (0, 1), canvas);
            canvas.line(x, 1, theme.sign(column_sign(run, bin.worst, here)));
            if here {
                canvas.restyle(x, 0, 1, theme.style(Role::Hit));
            }
        }
    }
}

fn column_sign(run: &Loaded, step: usize, here: bool) -> Sign {
    telling(run, step).unwrap_or(if here { Sign::Here } else { Sign::Nothing })
}

/// The sign of a step that is worth a look.
fn telling(run: &Loaded, step: usize) -> Option<Sign> {
    run.kind(step)?;
    Some(run.sign(step)).filter(|sign| ![Sign::Fired, Sign::FiredIdle].contains(sign))
}

fn height(run: &Loaded, step: usize) -> Height {
    match run.appraisal.as_ref().and_then(|appraisal| appraisal.after(step)) {
        None => Height::Pending,
        Some(Distance::Calls(calls)) => Height::Calls(calls),
        Some(Distance::Never) => Height::Never,
        Some(Distance::Unknown) => Height::Unknown,
    }
}

/// The longest distance, at the top of the bars.
fn farthest(run: &Loaded) -> u32 {
    run.appraisal.as_ref().map_or(0, |appraisal| appraisal.farthest())
}

fn scale(run: &Loaded, top: u16, bars: u16, canvas: &mut Canvas) {
    if run.appraisal.is_none() {
        return;
    }
    let theme = canvas.theme;
    let mut label = |y: u16, n: u32| canvas.line(0, y, theme.span(Role::Dim, format!("{n:>2}")));
    if bars > 0 {
        label(top, farthest(run));
    }
    if bars > 1 {
        label(top + bars - 1, 0);
    }
}

/// A step's bar, over so many columns and rows.
fn bar(run: &Loaded, height: Height, (x, columns): (u16, u16), (top, rows): (u16, u16), canvas: &mut Canvas) {
    let theme = canvas.theme;
    let letter = match height {
        Height::Calls(_) => None,
        Height::Pending => Some(Sign::Pending),
        Height::Unknown => Some(Sign::Unknown),
        Height::Never => Some(Sign::Infinite),
    };
    let eighths = match height {
        Height::Calls(calls) => u64::from(calls) * u64::from(rows) * 8 / u64::from(farthest(run).max(1)),
        _ => 0,
    };
    for row in 0..rows {
        let below = u64::from(rows - 1 - row) * 8;
        let part = u8::try_from(eighths.saturating_sub(below).min(8)).unwrap_or(8);
        let bottom = row + 1 == rows;
        for column in x..x + columns {
            match letter {
                Some(sign) if bottom && column == x => canvas.line(column, top + row, theme.sign(sign)),
                None if part > 0 || bottom => cell(part, column, top + row, canvas),
                _ => {}
            }
        }
    }
}

/// The goal reached is a line, not a gap.
fn cell(part: u8, x: u16, y: u16, canvas: &mut Canvas) {
    const HEIGHTS: [&str; 9] = ["▁", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
    const ASCII: [&str; 9] = ["_", "_", "_", "-", "-", "=", "=", "#", "#"];
    let theme = canvas.theme;
    let glyphs = if theme.ascii { ASCII } else { HEIGHTS };
    let role = if part == 0 { Role::Dim } else { Role::Bar };
    canvas.line(x, y, theme.span(role, glyphs[usize::from(part.min(8))]));
}
