//! The header: which run, how far, and the verdict as a sentence.

use ratatui::text::{Line, Span};

use super::loaded::Loaded;
use super::words;
use crate::text::visible;
use crate::tui::canvas::Canvas;
use crate::tui::cells;
use crate::tui::theme::{Role, Theme};

/// What the header shows besides the run.
pub struct Header<'a> {
    /// The run.
    pub run: &'a Loaded,
    /// The step that the reader is at.
    pub step: usize,
    /// The name of the run's file.
    pub file: &'a str,
    /// Its place in the list it came from, and how many there are.
    pub place: Option<(usize, usize)>,
}

impl Header<'_> {
    /// Draws one or two lines.
    pub fn draw(&self, canvas: &mut Canvas) {
        let theme = canvas.theme;
        let roomy = canvas.height() > 1;
        let setup = self.run.replay.as_ref().map(|replay| &replay.setup);
        let entry = setup.map(|s| s.world.problem.id.clone()).or_else(|| self.run.header.problem.clone());
        let entry = entry.unwrap_or_else(|| self.file.to_owned());
        let gap = if roomy { "   " } else { "  " };
        let served = theme.words(self.served()).into_owned();
        let room = usize::from(canvas.width().saturating_sub(2));
        let names = wide(&entry) + gap.len() + wide(&served);
        // The title gives way first, word by word, then what is said of the way, never a name.
        let mut ways =
            [(roomy, true), (false, true), (false, false)].map(|(long, calls)| self.progress(theme, long, calls));
        let fitting = ways.iter().position(|way| names + way.width() <= room).unwrap_or(ways.len() - 1);
        let right = std::mem::take(&mut ways[fitting]);
        let mut left = vec![theme.span(Role::Title, entry)];
        if let Some(title) = setup.map(|s| visible(&s.world.problem.title)).filter(|_| roomy) {
            let room = room.saturating_sub(names + right.width() + 1);
            left.push(theme.span(Role::Title, format!(" {}", cells::words(&title, room, theme.ascii))));
        }
        left.extend([Span::raw(gap), theme.span(Role::Good, served)]);
        canvas.sides(1, 0, Line::from(left), right);
        if roomy {
            self.draw_verdict(canvas);
        }
    }

    /// The second line: what the run came to, and which it is.
    fn draw_verdict(&self, canvas: &mut Canvas) {
        let theme = canvas.theme;
        let (verdict, faults) = words::verdict(self.run);
        let bad = if self.run.over_reach.count > 0 { Role::Bad } else { Role::Warn };
        let place = self.place.map(|(at, of)| format!("   {at} of {}", words::count(of, "run"))).unwrap_or_default();
        let name = format!("{}{place} ", self.file);
        let room = usize::from(canvas.width().saturating_sub(2));
        let need = wide(&verdict) + wide(&faults);
        let ways = [format!("{}   {name}", words::world(self.run)), name, format!("{} ", self.file)];
        let right = ways.into_iter().find(|way| need + wide(way) <= room).unwrap_or_default();
        let faults = cells::words(&visible(&faults), room.saturating_sub(wide(&verdict)), theme.ascii);
        let left = vec![Span::raw(verdict), theme.span(bad, faults)];
        canvas.sides(1, 1, Line::from(left), theme.span(Role::Dim, right));
    }

    fn served(&self) -> String {
        let setup = self.run.replay.as_ref().map(|replay| &replay.setup);
        let role = setup.map(|s| s.world.domain.role_name(s.role).to_owned()).or_else(|| self.run.header.role.clone());
        let set =
            setup.and_then(|s| s.world.problem.toolsets.get_index(s.toolset.index()).map(|(name, _)| name.clone()));
        let set = set.or_else(|| self.run.header.toolset.clone());
        role.into_iter().chain(set).collect::<Vec<_>>().join(" · ")
    }

    fn progress(&self, theme: Theme, roomy: bool, calls: bool) -> Line<'static> {
        let run = self.run;
        let gap = if roomy { "   " } else { "  " };
        let mut spans = vec![Span::raw(format!("step {}/{}", self.step, run.steps()))];
        let replay = run.replay.as_ref();
        let here = replay.filter(|_| self.step <= run.kinds.len()).and_then(|replay| replay.goal_after(self.step));
        let end = replay.filter(|_| run.kinds.len() == run.steps()).and_then(|replay| replay.goal_after(run.steps()));
        if let (Some(here), Some(end)) = (here, end) {
            let role = if end.complete() { Role::Good } else { Role::Warn };
            let words = match (roomy, run.log.finished()) {
                (true, true) => format!("goal {}/{} here, {}/{} at end", here.held, here.of, end.held, end.of),
                (false, true) => format!("goal {}/{}, end {}/{}", here.held, here.of, end.held, end.of),
                (_, false) => format!("goal {}/{}, so far {}/{}", here.held, here.of, end.held, end.of),
            };
            spans.push(Span::raw(gap));
            spans.push(theme.span(role, words));
        }
        if calls {
            let budget = run.budget().map_or(String::new(), |budget| format!("/{budget}"));
            spans.push(Span::raw(format!("{gap}calls {}{budget}", run.steps())));
        }
        spans.push(Span::raw(" "));
        Line::from(spans)
    }
}

/// The cells that a text takes as it is shown.
fn wide(text: &str) -> usize {
    cells::width(&visible(text))
}

/// The header while the log is being read, or could not be.
pub fn waiting(name: &str, what: &str, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let room = usize::from(canvas.width().saturating_sub(2));
    canvas.line(1, 0, theme.span(Role::Title, cells::clip(name, room, theme.ascii).into_owned()));
    canvas.line(1, 1, theme.span(Role::Dim, what.to_owned()));
}
