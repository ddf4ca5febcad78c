//! The header: which run, how far, and the verdict as a sentence.

use ratatui::text::{Line, Span};

use super::loaded::Loaded;
use super::words;
use crate::tui::canvas::Canvas;
use crate::tui::cells;
use crate::tui::theme::Role;

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
        let mut left = vec![theme.span(Role::Title, entry.unwrap_or_else(|| self.file.to_owned()))];
        if let Some(title) = setup.map(|s| s.world.problem.title.clone()).filter(|_| roomy) {
            left.push(theme.span(Role::Title, format!(" {title}")));
        }
        left.push(Span::raw(if roomy { "   " } else { "  " }));
        left.push(theme.span(Role::Good, theme.words(self.served())));
        canvas.sides(1, 0, Line::from(left), self.progress(theme, roomy));
        if !roomy {
            return;
        }
        let (verdict, faults) = words::verdict(self.run);
        let bad = if self.run.over_reach.count > 0 { Role::Bad } else { Role::Warn };
        let left = vec![Span::raw(verdict), theme.span(bad, faults)];
        let place = self.place.map(|(at, of)| format!("   {at} of {of} runs")).unwrap_or_default();
        let right = format!("{}   {}{place} ", words::world(self.run), self.file);
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

    fn progress(&self, theme: crate::tui::theme::Theme, roomy: bool) -> Line<'static> {
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
        let calls = run.steps();
        let budget = run.budget().map_or(String::new(), |budget| format!("/{budget}"));
        spans.push(Span::raw(format!("{gap}calls {calls}{budget} ")));
        Line::from(spans)
    }
}

/// The header while the log is being read, or could not be.
pub fn waiting(name: &str, what: &str, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let room = usize::from(canvas.width().saturating_sub(2));
    canvas.line(1, 0, theme.span(Role::Title, cells::clip(name, room, theme.ascii).into_owned()));
    canvas.line(1, 1, theme.span(Role::Dim, what.to_owned()));
}
