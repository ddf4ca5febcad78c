//! The timeline along the bottom: the whole run at once, with a lens where it does not fit.

use ratatui::style::Modifier;
use ratatui::text::Span;

use super::loaded::Loaded;
use crate::run::StepKind;
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
    /// The fewest eighths that the goal bar has; `None` where not executed.
    level: Option<u8>,
}

/// What is computed once per change.
#[derive(Debug, Default)]
pub struct Timeline {
    plan: Plan,
    width: u16,
    steps: usize,
    known: usize,
    bins: Vec<Bin>,
}

impl Timeline {
    /// Fits it to the run and the room.
    pub fn settle(&mut self, run: &Loaded, width: u16) {
        let width = width.saturating_sub(SCALE + 1);
        let (steps, known) = (run.steps(), run.kinds.len());
        if (self.width, self.steps, self.known) == (width, steps, known) {
            return;
        }
        // While a large log is read, the overview grows in few large leaps: each looks at every step.
        let leap = known == steps || known < self.known || known >= self.known + self.known / 8;
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
        (self.width, self.steps, self.known) = (width, steps, known);
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
        let worst = range.clone().max_by_key(|&step| (run.kind(step), std::cmp::Reverse(step))).unwrap_or(0);
        let levels = range.map(|step| level(run, step, 8));
        Bin { worst, level: levels.min().flatten() }
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
        let goal = run.replay.as_ref().and_then(|replay| replay.goal_after(0)).is_some();
        match self.plan {
            Plan::Roomy(each) => self.roomy(run, cursor, each, goal, canvas),
            Plan::Single => {
                let bars = if goal { height.saturating_sub(1).min(3) } else { 0 };
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

    fn roomy(&self, run: &Loaded, cursor: usize, each: u16, goal: bool, canvas: &mut Canvas) {
        let height = canvas.height();
        let under = if height >= 3 { 2 } else { 1 };
        let bars = if goal { height.saturating_sub(under).min(3) } else { 0 };
        scale(run, 0, bars, canvas);
        for step in 0..=self.steps {
            let x = SCALE + u16::try_from(step).unwrap_or(0) * each;
            bar(run, step, (x, each), (0, bars), canvas);
            let kind = run.kind(step);
            let here = step == cursor;
            let theme = canvas.theme;
            let mut number = theme.span(if here { Role::Title } else { Role::Dim }, step.to_string());
            let sign = kind.filter(|kind| *kind > StepKind::FiredIdle).map(Sign::from);
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
            bar(run, step, (x, 1), (top, bars), canvas);
            let sign = column_sign(run.kind(step), step == cursor);
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
            cell(bin.level, x, 0, canvas);
            canvas.line(x, 1, theme.sign(column_sign(run.kind(bin.worst), here)));
            if here {
                canvas.restyle(x, 0, 1, theme.style(Role::Hit));
            }
        }
    }
}

fn column_sign(kind: Option<StepKind>, here: bool) -> Sign {
    match kind {
        Some(kind) if kind > StepKind::FiredIdle => Sign::from(kind),
        _ if here => Sign::Here,
        _ => Sign::Nothing,
    }
}

/// How many eighths of so many rows the goal bar of a step fills; `None` while not executed.
fn level(run: &Loaded, step: usize, eighths: u16) -> Option<u8> {
    let replay = run.replay.as_ref()?;
    if step > run.kinds.len() {
        return None;
    }
    let share = replay.goal_after(step)?;
    u8::try_from(share.held * usize::from(eighths) / share.of.max(1)).ok()
}

fn scale(run: &Loaded, top: u16, bars: u16, canvas: &mut Canvas) {
    let Some(share) = run.replay.as_ref().and_then(|replay| replay.goal_after(0)) else { return };
    let theme = canvas.theme;
    let mut label = |y: u16, n: usize| canvas.line(0, y, theme.span(Role::Dim, format!("{n:>2}")));
    if bars > 0 {
        label(top, share.of);
    }
    if bars > 1 {
        label(top + bars - 1, 0);
    }
}

/// A step's bar, over so many columns and rows.
fn bar(run: &Loaded, step: usize, (x, columns): (u16, u16), (top, rows): (u16, u16), canvas: &mut Canvas) {
    let level = level(run, step, rows * 8);
    for row in 0..rows {
        let below = u8::try_from((rows - 1 - row) * 8).unwrap_or(u8::MAX);
        let part = level.map(|level| level.saturating_sub(below).min(8));
        // The bottom row always has something: nothing held is a line, not a gap.
        if part == Some(0) && row + 1 < rows {
            continue;
        }
        for column in 0..columns {
            cell(part, x + column, top + row, canvas);
        }
    }
}

fn cell(part: Option<u8>, x: u16, y: u16, canvas: &mut Canvas) {
    const HEIGHTS: [&str; 9] = ["▁", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
    const ASCII: [&str; 9] = ["_", "_", "_", "-", "-", "=", "=", "#", "#"];
    let theme = canvas.theme;
    let span = match part {
        None => theme.sign(Sign::Pending),
        Some(part) => {
            let glyphs = if theme.ascii { ASCII } else { HEIGHTS };
            theme.span(if part == 0 { Role::Dim } else { Role::Bar }, glyphs[usize::from(part.min(8))])
        }
    };
    canvas.line(x, y, span);
}
