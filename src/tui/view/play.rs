//! Play, drawn: header, story, side, and the prompt.

use ratatui::text::{Line, Span};

use crate::run::EndReason;
use crate::text::count;
use crate::tui::canvas::Canvas;
use crate::tui::cells;
use crate::tui::layout::PaneId;
use crate::tui::page::a;
use crate::tui::play::{Choice, FINISH, Game, KNOWN, Mark, PROMPT, Row, STORY, Seen, Stage};
use crate::tui::screen::Title;
use crate::tui::sign::Sign;
use crate::tui::theme::Role;

/// The line above: the entry, who is served, the tool set, blind or open, and the calls left.
pub fn header(game: &Game, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let seen = &game.session.seen;
    let mode = if game.session.open { "OPEN" } else { "BLIND" };
    let left_over = seen.opening.budget.saturating_sub(seen.calls);
    let calls = match seen.end {
        Some(EndReason::Stopped) => "stopped".to_owned(),
        Some(EndReason::Budget) => "no calls left".to_owned(),
        Some(_) => "finished".to_owned(),
        None => format!("{left_over} of {} left", count(seen.opening.budget, "call")),
    };
    let calls_role = if left_over <= 2 && seen.end.is_none() { Role::Warn } else { Role::Title };
    let mut right = vec![
        Span::raw(theme.words(format!("{} · {}", seen.role, seen.toolset)).into_owned()),
        Span::raw("   "),
        theme.span(if game.session.open { Role::Changed } else { Role::Dim }, mode),
        Span::raw("   "),
        theme.span(calls_role, calls),
        Span::raw(" "),
    ];
    let counted = [(game.hints(), count(game.hints(), "hint")), (game.undone(), format!("{} undone", game.undone()))];
    for (_, words) in counted.into_iter().filter(|(n, _)| *n > 0) {
        right.splice(1..1, [Span::raw("   "), theme.span(Role::Changed, words)]);
    }
    if game.trouble.is_some() {
        right.insert(0, theme.span(Role::Fault, "NOT RECORDED   "));
    }
    let taken: usize = right.iter().map(|span| cells::width(&crate::text::visible(&span.content))).sum();
    // A title keeps away from who is served, and ends with a word.
    let room = usize::from(canvas.width()).saturating_sub(taken + cells::width(&seen.id) + 5);
    let title = cells::words(&seen.title, room, theme.ascii);
    let left = vec![theme.span(Role::Title, seen.id.as_str()), Span::raw(" "), Span::raw(title)];
    canvas.sides(1, 0, Line::from(left), Line::from(right));
}

/// The heading of a pane.
pub fn title(game: &Game, pane: PaneId) -> Title {
    let seen = &game.session.seen;
    match pane {
        STORY => {
            let calls = (seen.calls > 0).then(|| count(seen.calls, "call"));
            let below = (game.panes.below() > 0).then(|| format!("{} below", count(game.panes.below(), "line")));
            Title::new("Story").right(calls.into_iter().chain(below).collect::<Vec<_>>().join(", "))
        }
        KNOWN => Title::new("Known").right(format!("{}, {} in hand", count(seen.known.len(), "fact"), seen.hand.len())),
        _ if game.words.is_some() => Title::new("Say").right("every key is text"),
        _ => Title::new("Call").right(match game.call.stage {
            Stage::Tool => count(seen.opening.tools.len(), "tool"),
            Stage::Argument(_, _) if game.call.values.is_empty() => "no arguments".to_owned(),
            Stage::Argument(_, at) => format!("argument {} of {}", at + 1, game.call.values.len()),
            Stage::Finish => String::new(),
        }),
    }
}

/// A pane's body.
pub fn pane(game: &Game, pane: PaneId, canvas: &mut Canvas) {
    if pane == PROMPT {
        return prompt(game, canvas);
    }
    let focused = canvas.focused;
    let canvas = &mut canvas.part(0, 0, canvas.width().saturating_sub(1), u16::MAX).focused(focused);
    match pane {
        STORY => {
            for seen in game.panes.at.seen(game.panes.story.len(), canvas.height(), |_| 1) {
                row(&game.panes.story[seen.row], seen.y, seen.cursor && canvas.focused, canvas);
            }
        }
        KNOWN => {
            let rows = &game.panes.visible;
            let tall = |row: usize| game.panes.side[rows[row]].height();
            for seen in game.panes.beside.seen(rows.len(), canvas.height(), tall) {
                row(&game.panes.side[rows[seen.row]], seen.y, seen.cursor && canvas.focused, canvas);
            }
        }
        _ => {}
    }
}

fn row(row: &Row, y: u16, cursor: bool, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let fold = row.folded.map(|folded| if folded { Sign::Folded } else { Sign::Unfolded });
    let indent = if fold.is_some() { row.indent.max(2) } else { row.indent };
    if cursor {
        canvas.cursor(y);
    }
    if let Some(sign) = fold.or(row.sign) {
        canvas.line(1 + indent.saturating_sub(2), y, theme.sign(sign));
    }
    let parts: Vec<Span> = row.parts.iter().map(|(role, text)| theme.span(*role, text.as_str())).collect();
    canvas.sides(1 + indent, y, Line::from(parts), theme.span(Role::Dim, row.right.as_str()));
    for &(at, mark) in &row.marks {
        let x = 1 + indent + u16::try_from(at).unwrap_or(u16::MAX);
        match mark {
            Mark::Sign(sign) => canvas.line(x, y, theme.sign(sign)),
            Mark::Bar(cells) => canvas.line(x, y, theme.span(Role::Bar, theme.bar(8).repeat(usize::from(cells)))),
        }
    }
    for (i, line) in (1..).zip(&row.more) {
        canvas.line(1 + row.hang, y + i, line.as_str());
    }
}

/// Lines of the prompt's pane above the choices.
pub fn above_choices(height: u16) -> u16 {
    if height >= 6 { 3 } else { 2 }
}

/// The lines of a choice: `finish` stands apart.
pub fn choice_height(choices: &[Choice], at: usize) -> u16 {
    if at > 0 && choices.get(at) == Some(&Choice::Finish) { 2 } else { 1 }
}

fn prompt(game: &Game, canvas: &mut Canvas) {
    if let Some(words) = &game.words {
        let x = label(canvas, "say");
        let (text, caret) = words.window(usize::from(canvas.width().saturating_sub(x + 1)));
        canvas.line(x, 0, text);
        return canvas.caret(x + u16::try_from(caret).unwrap_or(0), 0);
    }
    let width = canvas.width();
    let checks = game.likely.as_ref().filter(|_| width >= 60);
    let half = if checks.is_some() { width / 2 } else { width };
    let x = call_line(game, canvas);
    let mut y = 1;
    let tall = canvas.height() >= 6;
    let about = about(game);
    let (doc, argument) = (about.doc, about.argument);
    if tall || argument.is_none() {
        canvas.line(x, y, doc);
        y += 1;
    }
    if let Some((name, kind)) = argument {
        let theme = canvas.theme;
        canvas.line_in(
            x,
            y,
            half.saturating_sub(x),
            Line::from(vec![theme.span(Role::Title, name), theme.span(Role::Dim, kind)]),
        );
    }
    let first = above_choices(canvas.height());
    let mut list = canvas.part(x - 1, first, half.saturating_sub(x), u16::MAX);
    choices(game, &mut list);
    if let Some(likely) = checks {
        let mut part = canvas.part(half + 1, first - 1, u16::MAX, u16::MAX);
        let theme = part.theme;
        let role = match likely.fires {
            Some(true) => Role::Good,
            Some(false) => Role::Warn,
            None => Role::Dim,
        };
        part.line(0, 0, theme.span(role, likely.sentence.as_str()));
        let room = usize::from(part.height().saturating_sub(1));
        let hidden = likely.checks.len().saturating_sub(room);
        let shown = if hidden > 0 { room.saturating_sub(1) } else { room };
        // What fails is never the part that is left out.
        let mut checks: Vec<_> = likely.checks.iter().collect();
        if hidden > 0 {
            checks.sort_by_key(|(sign, _)| matches!(sign, Sign::Holds));
        }
        for (i, (sign, text)) in (1..).zip(checks.iter().take(shown)) {
            part.line(0, i, Line::from(vec![theme.sign(*sign), Span::raw(" "), Span::raw(text.as_str())]));
        }
        if hidden > 0 {
            let y = part.height().saturating_sub(1);
            part.line(2, y, theme.span(Role::Dim, format!("{} more", likely.checks.len() - shown)));
        }
    }
}

fn label(canvas: &mut Canvas, word: &str) -> u16 {
    let theme = canvas.theme;
    canvas.line(1, 0, theme.span(Role::Key, theme.words(format!("{word} ›"))));
    8
}

/// `call › tool  asset=pump-101  order=▏`; gives the column where it begins.
fn call_line(game: &Game, canvas: &mut Canvas) -> u16 {
    let theme = canvas.theme;
    let x = label(canvas, "call");
    let seen = &game.session.seen;
    let mut before: Vec<Span> = Vec::new();
    let mut label = String::new();
    match game.call.stage {
        Stage::Tool => {}
        Stage::Finish => before.push(theme.span(Role::Title, FINISH)),
        Stage::Argument(tool, at) => {
            let tool = &seen.opening.tools[tool];
            before.push(theme.span(Role::Title, tool.name.as_str()));
            for (arg, value) in tool.args.iter().zip(&game.call.values).take(at) {
                before.push(theme.span(Role::Dim, format!("  {}=", arg.name)));
                match value {
                    Some(value) => before.push(Span::raw(value.as_str())),
                    None => before.push(theme.span(Role::Dim, "(left out)")),
                }
            }
            if let Some(arg) = tool.args.get(at) {
                label = format!("  {}=", crate::text::visible(&arg.name));
            }
        }
    }
    let taken: usize = before.iter().map(|span| cells::width(&crate::text::visible(&span.content))).sum();
    let room = canvas.width().saturating_sub(x + 1);
    // What is being typed keeps its name and its room; what stands before it yields.
    let width = cells::width(&label) + cells::width(&game.call.input.text) + 1;
    let wanted = u16::try_from(width).unwrap_or(u16::MAX).min(room / 2);
    let used = u16::try_from(taken).unwrap_or(u16::MAX).min(room.saturating_sub(wanted));
    canvas.line_in(x, 0, used, Line::from(before));
    if game.call.stage == Stage::Finish {
        return x;
    }
    canvas.line_in(x + used, 0, room - used, label.as_str());
    let at = x + used + u16::try_from(cells::width(&label)).unwrap_or(0).min(room - used);
    let left = (x + room).saturating_sub(at);
    let (text, caret) = game.call.input.window(usize::from(left));
    canvas.line_in(at, 0, left + 1, text);
    canvas.caret(at + u16::try_from(caret).unwrap_or(0), 0);
    x
}

/// What is said of the tool, and of the argument.
struct About<'a> {
    doc: Span<'a>,
    argument: Option<(&'a str, String)>,
}

fn about(game: &Game) -> About<'_> {
    let seen = &game.session.seen;
    let plain = |text: &'_ str| About { doc: Span::raw(text.to_owned()), argument: None };
    match game.call.stage {
        Stage::Finish => plain("Enter ends the run: you are done. Shift-Tab goes back."),
        Stage::Tool if !game.call.has_choice() => {
            plain("Type some of a tool's name, or choose one with the arrows; \" speaks.")
        }
        Stage::Tool => match game.call.choices.get(game.call.list.cursor) {
            Some(Choice::Tool(tool)) => plain(&seen.opening.tools[*tool].doc),
            Some(Choice::Finish) => plain("Say that you are done: this ends the run."),
            _ => plain("No tool is called so."),
        },
        Stage::Argument(tool, at) => {
            let tool = &seen.opening.tools[tool];
            let argument = tool.args.get(at).map(|arg| (arg.name.as_str(), format!(": {}", a(&arg.kind))));
            let none = "It takes no arguments: Enter sends it.".to_owned();
            let argument = argument.or_else(|| tool.args.is_empty().then_some(("", none)));
            About { doc: Span::raw(tool.doc.as_str()), argument }
        }
    }
}

fn choices(game: &Game, canvas: &mut Canvas) {
    let theme = canvas.theme;
    let seen = &game.session.seen;
    let all = &game.call.choices;
    let names = all.iter().filter_map(|choice| match choice {
        Choice::Tool(tool) => Some(cells::width(&seen.opening.tools[*tool].name)),
        _ => None,
    });
    let widest = names.max().unwrap_or(0).min(usize::from(canvas.width() / 3));
    for place in game.call.list.seen(all.len(), canvas.height(), |at| choice_height(all, at)) {
        let y = if choice_height(all, place.row) == 2 { place.y + 1 } else { place.y };
        let (left, right) = match &all[place.row] {
            Choice::Tool(tool) => {
                let tool = &seen.opening.tools[*tool];
                let name = cells::fit(&tool.name, widest + 2, theme.ascii);
                (vec![Span::raw(name), theme.span(Role::Dim, signature(seen, tool))], String::new())
            }
            Choice::Finish => (
                vec![theme.span(Role::Title, FINISH), Span::raw("   "), theme.span(Role::Dim, "you are done")],
                String::new(),
            ),
            Choice::Value(value, None) => (vec![Span::raw(value.as_str())], String::new()),
            Choice::Value(value, Some(0)) => (vec![Span::raw(value.as_str())], "given".to_owned()),
            Choice::Value(value, Some(step)) => (vec![Span::raw(value.as_str())], format!("by {step}")),
            Choice::AsTyped => {
                let typed = game.call.input.text.trim();
                (vec![theme.span(Role::Dim, "as typed: "), Span::raw(typed)], String::new())
            }
            Choice::Unfit => {
                (vec![theme.span(Role::Dim, "(nothing is called so)   Ctrl-x sends it as it stands")], String::new())
            }
            Choice::Nothing => (vec![theme.span(Role::Dim, "(none in hand)   type one")], String::new()),
            Choice::LeaveOut => {
                (vec![theme.span(Role::Dim, "leave it out   (makes a bad call: all are needed)")], String::new())
            }
        };
        canvas.row(y, place.cursor && game.call.has_choice(), Line::from(left), theme.span(Role::Dim, right));
    }
}

/// The arguments of a tool: `asset, finding, order`.
fn signature(_seen: &Seen, tool: &crate::exec::OfferedTool) -> String {
    let names: Vec<&str> = tool.args.iter().map(|arg| arg.name.as_str()).collect();
    names.join(", ")
}
