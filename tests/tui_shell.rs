//! The shell of the inspector, driven through its own loop.

#[path = "tui_shell/toy.rs"]
mod toy;

use proptest::prelude::*;
use ratatui::crossterm::event::{Event, KeyCode, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use refract::tui::command::{self, COMMANDS};
use refract::tui::highlight::Syntax;
use refract::tui::model::Msg;
use refract::tui::screen::Screen;
use refract::tui::testing::Harness;
use refract::tui::text_screen::TextScreen;
use refract::tui::theme::{Palette, Theme};
use toy::Toy;

fn text(lines: usize) -> TextScreen {
    let text: String = (1..=lines).map(|n| format!("line {n} of pump-{n}\n")).collect();
    TextScreen::new("a text", "text", &text, Syntax::Plain)
}

/// The line of the screen that bears the cursor's sign.
fn at_cursor(harness: &Harness) -> String {
    let screen = harness.screen();
    let line = screen.lines().find(|l| l.starts_with('▌'));
    line.map(|l| l.trim_start_matches('▌').trim().to_owned()).unwrap_or_default()
}

/// The screen without its message line.
fn without_message(harness: &Harness) -> String {
    let screen = harness.screen();
    let lines: Vec<_> = screen.lines().collect();
    lines.iter().enumerate().filter(|(i, _)| *i != lines.len() - 2).map(|(_, l)| format!("{l}\n")).collect()
}

#[test]
fn motions_and_search() {
    for (keys, expected) in [
        ("", "1  line 1 of pump-1"),
        ("1 2 j", "13  line 13 of pump-13"),
        ("4 0 G", "40  line 40 of pump-40"),
        ("G g", "1  line 1 of pump-1"),
        ("/ text:pump-7 Enter", "7  line 7 of pump-7"),
        ("/ text:pump-7 Enter n", "70  line 70 of pump-70"),
        ("/ text:pump-7 Enter 3 n N", "71  line 71 of pump-71"),
        ("/ text:pump-7 Enter N", "79  line 79 of pump-79"),
        ("/ text:PUMP-7 Enter", "1  line 1 of pump-1"),
        ("/ text:pump-7 Esc", "1  line 1 of pump-1"),
        ("/ text:pump-7 Enter ' '", "1  line 1 of pump-1"),
        ("4 0 G ' '", "1  line 1 of pump-1"),
        ("4 0 G ' ' ' '", "40  line 40 of pump-40"),
        ("4 0 G 7 G Ctrl-o Ctrl-o", "1  line 1 of pump-1"),
        ("m a 9 j ' a", "1  line 1 of pump-1"),
        (": text:40 Enter", "40  line 40 of pump-40"),
        (": text:last_line Enter", "99  line 99 of pump-99"),
        (": text:last Esc", "1  line 1 of pump-1"),
    ] {
        let mut harness = Harness::new(text(99), 80, 24);
        assert_eq!(at_cursor(harness.keys(keys)), expected, "{keys}");
    }
}

#[test]
fn messages() {
    for (keys, expected) in [
        ("~", "~: no command; ? shows the keys"),
        ("] v", "]v: nothing to do here; in trajectory: next call that fails a gate"),
        ("Enter", "Enter: this is plain text: nothing opens from here"),
        ("n", "nothing searched for: / begins a search"),
        ("/ text:zzz Enter", "not found: zzz"),
        ("' b", "no mark b here: mb sets it"),
        ("' '", "no jump to go back from"),
        (": text:theme_pink Enter", "theme: one of dark, light, colour-blind, mono"),
        ("Tab", "there is one pane"),
        ("y s", "text#1: sent to the terminal's clipboard"),
    ] {
        let mut harness = Harness::new(text(99), 80, 24);
        assert_eq!(harness.keys(keys).model.message(), Some(expected), "{keys}");
    }
}

#[test]
fn every_command_on_every_screen_acts_or_gives_its_reason() {
    for table in command::screens() {
        for command in COMMANDS {
            let listed = command::find(table.kind, command.cmd).is_some();
            let reason = command::reason(table.kind, command.cmd);
            let exists = command::screens().iter().any(|t| t.uses.iter().any(|u| u.cmd == command.cmd))
                || command::SHELL.iter().any(|u| u.cmd == command.cmd);
            assert!(listed || reason.is_some() || !exists, "{}: {} is dead", table.name, command.name);
        }
    }
}

#[test]
fn help_and_manual_name_what_the_keys_do() {
    let mut harness = Harness::new(text(9), 100, 60);
    let help = harness.keys("?").screen();
    for u in command::uses(refract::tui::screen::Kind::Text) {
        assert!(help.contains(u.doc), "{} is not in the help", u.doc);
    }
    // Enter in the help runs the command.
    let mut harness = Harness::new(text(99), 100, 60);
    assert_eq!(at_cursor(harness.keys("? j j Enter")), "99  line 99 of pump-99");
}

#[test]
fn the_footer_drops_the_least_needed_first() {
    for (width, words) in [
        (80, " j k scroll   / search   yy copy   e edit                       ? keys   q quit"),
        (58, " / search   yy copy   e edit             ? keys   q quit"),
        (44, " / search   e edit         ? keys   q quit"),
        (33, " / search        ? keys   q quit"),
        (30, " / search ? keys   q quit"),
    ] {
        let harness = Harness::new(text(9), width, 20);
        let footer = harness.screen().lines().last().map(str::to_owned).unwrap_or_default();
        let squeezed = |s: &str| s.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(squeezed(&footer), squeezed(words), "{width}");
    }
}

#[test]
fn a_prefix_shows_what_may_follow() {
    let mut harness = Harness::new(text(9), 80, 20);
    let footer = harness.keys("3 y").screen().lines().last().map(str::to_owned);
    assert_eq!(footer.as_deref(), Some(" 3y   y copy   s copy the link to this place   p copy the path"));
}

/// Esc takes one layer off after the other, and then nothing.
#[test]
fn esc_peels() {
    let mut harness = Harness::new(Toy::new("toy", 90), 120, 30);
    let mut states = vec![without_message(&harness)];
    for keys in ["Tab", "z", "/ text:row_7 Enter", ":", "Esc 4 2"] {
        harness.keys(keys);
        states.push(without_message(&harness));
    }
    // What was searched moved the focus to the pane of the hit: the screen after the search differs.
    assert_ne!(states[2], states[3]);
    harness.keys("Esc");
    assert_eq!(without_message(&harness), states[3], "the count");
    harness.keys("Esc");
    assert!(!harness.screen().contains("/row 7"), "the search");
    harness.keys("Esc");
    assert!(harness.screen().contains("Middle"), "the zoom");
    let peeled = without_message(&harness);
    harness.keys("Esc Esc Esc");
    assert_eq!(without_message(&harness), peeled);
    assert_eq!(harness.model.depth(), 1);
}

#[test]
fn esc_gives_the_focus_back_to_the_main_list() {
    let mut harness = Harness::new(Toy::new("toy", 90), 120, 30);
    let before = harness.screen();
    assert_ne!(harness.keys("Tab Tab").screen(), before);
    assert_eq!(harness.keys("Esc").screen(), before);
}

#[test]
fn panes_by_tab_and_direction() {
    let address = |harness: &Harness| {
        let screen = harness.screen();
        screen.lines().filter(|l| l.contains('▌')).count()
    };
    // The cursor's bold sign stands in one pane; where it is tells the focus.
    for (keys, column) in
        [("", 0), ("Tab", 31), ("Ctrl-w l", 31), ("Tab Ctrl-w h", 0), ("Shift-Tab", 0), ("Ctrl-w j", 0)]
    {
        let mut harness = Harness::new(Toy::new("toy", 9), 120, 30);
        let screen = harness.keys(keys).screen();
        assert_eq!(address(&harness), 1, "{keys}");
        let at = screen.lines().find_map(|l| l.chars().position(|c| c == '▌'));
        assert_eq!(at, Some(column), "{keys}\n{screen}");
    }
}

#[test]
fn leaving_a_screen_restores_the_one_below_cell_for_cell() {
    let mut harness = Harness::new(Toy::new("below", 90), 120, 30);
    harness.keys("4 7 j Tab 3 0 j / text:row_7 Enter z");
    let before = harness.buffer().clone();
    harness.keys("y p 9 j Tab Ctrl-d q");
    assert_eq!(harness.buffer(), &before);
}

#[test]
fn a_screen_already_below_is_gone_back_to() {
    let mut harness = Harness::new(Toy::new("below", 90), 120, 30);
    harness.keys("5 j y p");
    assert_eq!((harness.model.depth(), harness.model.top().map(|s| s.address())), (2, Some("above#0".into())));
    harness.keys("y p");
    assert_eq!((harness.model.depth(), harness.model.top().map(|s| s.address())), (1, Some("below#5".into())));
    assert!(!harness.ended);
    assert!(harness.keys("q").ended);
}

#[test]
fn work_shows_itself_and_esc_stops_it() {
    let mut harness = Harness::new(Toy::new("toy", 9), 100, 20);
    assert_eq!(harness.keys("e").model.message(), Some("counted"));

    let mut harness = Harness::new(Toy::new("toy", 9), 100, 20).hold();
    let screen = harness.keys("1 e").screen();
    assert!(screen.contains("a job that never ends, Esc stops"), "{screen}");
    assert_eq!(at_cursor(harness.keys("j")).split("  ").next(), Some("toy row 1"), "keys are answered meanwhile");
    assert_eq!(harness.keys("Esc").model.message(), Some("stopped: a job that never ends"));
    assert!(!harness.work().screen().contains("Esc stops"));

    let mut harness = Harness::new(Toy::new("toy", 9), 100, 20);
    let message = harness.keys("1 3 e").model.message().map(str::to_owned);
    assert_eq!(message.as_deref(), Some("internal error, the work was given up: thirteen"));
}

#[test]
fn a_question_takes_one_key() {
    for (keys, said) in [("y y y", Some("sure: y")), ("y y n", None), ("y y Esc", None)] {
        let mut harness = Harness::new(Toy::new("toy", 9), 100, 20);
        assert_eq!(harness.keys(keys).model.message(), said, "{keys}");
        assert_eq!(harness.model.depth(), 1);
    }
}

#[test]
fn the_mouse() {
    let mut harness = Harness::new(Toy::new("toy", 90), 120, 30);
    harness.click(5, 7);
    assert_eq!(at_cursor(&harness).split("  ").next(), Some("toy row 4"));
    assert_eq!(harness.model.message(), None, "a click selects");
    assert_eq!(harness.click(9, 7).model.message(), Some("opened 4"), "a second one is Enter");
    assert_eq!(harness.click(9, 8).keys("j").click(9, 8).model.message(), None, "with a key between it is a first one");

    let mut harness = Harness::new(Toy::new("toy", 90), 120, 30);
    let screen = harness.wheel(60, 7, true).screen();
    let row = screen.lines().nth(3).unwrap_or_default();
    assert!(row.contains("toy row 0") && row.contains("toy row 3"), "the wheel scrolls what is under it: {row}");

    let mut harness = Harness::new(Toy::new("toy", 90), 79, 30);
    let tabs = harness.screen().lines().nth(1).map(str::to_owned).unwrap_or_default();
    assert!(tabs.starts_with("─ [Left]  Middle   Right ─"), "{tabs}");
    let tabs = harness.click(12, 1).screen().lines().nth(1).map(str::to_owned).unwrap_or_default();
    assert!(tabs.starts_with("─  Left  [Middle]  Right ─"), "{tabs}");
    // A word of the footer is its command.
    let column =
        u16::try_from(harness.screen().lines().last().and_then(|l| l.find("q quit")).unwrap_or(0)).unwrap_or(0);
    assert!(harness.click(column, 29).ended);
}

#[test]
fn what_changes_nothing_does_not_keep_a_change_from_being_drawn() {
    let mouse =
        |kind| Msg::Terminal(Event::Mouse(MouseEvent { kind, column: 5, row: 7, modifiers: KeyModifiers::NONE }));
    let left = MouseButton::Left;
    let mut harness = Harness::new(Toy::new("toy", 90), 120, 30);
    harness.at_once(vec![
        mouse(MouseEventKind::Down(left)),
        mouse(MouseEventKind::Up(left)),
        Msg::Terminal(Event::FocusLost),
    ]);
    assert_eq!(at_cursor(&harness).split("  ").next(), Some("toy row 4"));
}

#[test]
fn a_paste_that_comes_as_keys_is_one_paste_where_text_is_taken_and_keys_elsewhere() {
    let keys =
        |text: &str| text.chars().map(|c| Msg::Terminal(Event::Key(KeyCode::Char(c).into()))).collect::<Vec<_>>();
    // Commands stay commands, however many wait.
    let mut harness = Harness::new(Toy::new("toy", 90), 120, 30);
    harness.at_once(keys(&"j".repeat(40)));
    assert_eq!(at_cursor(&harness).split("  ").next(), Some("toy row 40"));
    // Text stays text, in order, with the key that ends it.
    for length in [5, 31, 32, 33, 100] {
        let mut harness = Harness::new(Toy::new("toy", 90), 120, 30);
        let mut typed = keys(&format!("/toy row 7{}", "x".repeat(length)));
        typed.extend((0..length).map(|_| Msg::Terminal(Event::Key(KeyCode::Backspace.into()))));
        typed.push(Msg::Terminal(Event::Key(KeyCode::Enter.into())));
        harness.at_once(typed);
        assert_eq!(at_cursor(&harness).split("  ").next(), Some("toy row 7"), "{length}");
    }
}

#[test]
fn rules_join() {
    let harness = Harness::new(Toy::new("toy", 2), 112, 18);
    let lines: Vec<String> = harness.screen().lines().map(|l| l.chars().take(40).collect()).collect();
    assert_eq!(lines[2], "─ Left ─────────────────── 2 ─┬─ Middle ");
    assert!(lines[3].starts_with("▌toy row 0                   0│╎toy row"), "{}", lines[3]);
    assert_eq!(lines[11].chars().nth(30), Some('┴'), "{}", lines[11]);
}

#[test]
fn wide_and_joined_characters_keep_their_columns() {
    let rows = ["plain", "漢字漢字", "e\u{301}te\u{301}", "👩‍🔧 mechanic", "\u{1b}[31mred\u{7}", "a\u{202e}b", "ﾊﾟﾋﾟ"];
    let toy = Toy { rows: rows.map(str::to_owned).to_vec(), ..Toy::new("toy", 0) };
    let harness = Harness::new(toy, 112, 18);
    let buffer = harness.buffer();
    for y in 3..10 {
        assert_eq!(buffer[(30, y)].symbol(), "│", "row {y}");
        assert_eq!(buffer[(29, y)].symbol(), (y - 3).to_string(), "row {y}");
    }
    let all: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
    assert!(!all.contains(['\u{1b}', '\u{7}', '\u{202e}']));
    assert!(all.contains("␛[31mred␇") && all.contains("a<U+202E>b"));
}

#[test]
fn ascii_signs_leave_nothing_else() {
    let mut harness = Harness::themed(Toy::new("toy", 90), 120, 30, Theme { palette: Palette::Mono, ascii: true });
    for keys in ["", "m", "Esc ?", "Esc :", "Esc / text:7 Enter", "z"] {
        let screen = harness.keys(keys).screen();
        assert!(screen.is_ascii(), "{keys}\n{screen}");
    }
}

#[test]
fn any_size_draws() {
    for (w, h) in [
        (0, 0),
        (1, 1),
        (3, 2),
        (29, 7),
        (30, 8),
        (79, 15),
        (80, 16),
        (109, 40),
        (110, 40),
        (300, 100),
        (300, 1),
        (1, 100),
    ] {
        for keys in ["", "?", ":", "/ text:row", "z", "m", "y y", "Tab"] {
            let mut harness = Harness::new(Toy::new("toy", 90), w, h);
            harness.keys(keys).click(0, 0).wheel(0, 0, true);
            let mut harness = Harness::new(text(90), w, h);
            harness.keys(keys);
        }
    }
}

#[test]
fn a_tiny_window_shows_the_row_under_the_cursor() {
    let mut harness = Harness::new(Toy::new("toy", 90), 28, 2);
    assert!(harness.keys("4 2 j").screen().contains("▌toy row 42"));
}

#[test]
fn long_lines_break_and_the_cursor_keeps_its_line() {
    let text: String = (1..30).map(|n| format!("{n} {}\n", "word ".repeat(30))).collect();
    let mut harness = Harness::new(TextScreen::new("t", "t", &text, Syntax::Plain), 100, 20);
    harness.keys("1 5 G");
    let line = |h: &Harness| h.model.top().map(Screen::address);
    for (w, h) in [(40, 10), (200, 50), (31, 9), (100, 20)] {
        assert_eq!(line(harness.resize(w, h)).as_deref(), Some("t#15"), "{w}×{h}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    /// Whatever is typed in whatever window: no panic, and the way back is exact. (Enter in an open
    /// help may run `back`: the walk closes it.)
    #[test]
    fn any_walk_and_back(
        walk in prop::collection::vec(prop::sample::select(vec![
            "j", "k", "G", "g", "Ctrl-d", "Tab", "z", "/ r o w Enter", "n", "N", "m a", "' a", "' '", "? G Esc", "Esc", ": t h Esc", "7", "]",
        ]), 0..25),
        w in 0u16..130, h in 0u16..40,
    ) {
        let mut harness = Harness::new(Toy::new("below", 40), w, h);
        harness.keys("3 j");
        let before = harness.buffer().clone();
        harness.keys("y p");
        for keys in &walk {
            harness.keys(keys);
        }
        // Whatever is still open is closed first.
        harness.keys("Esc Esc Esc q");
        prop_assert_eq!(harness.model.depth(), 1);
        prop_assert_eq!(harness.buffer(), &before);
    }

    #[test]
    fn resizing_never_moves_the_cursor(sizes in prop::collection::vec((0u16..200, 0u16..60), 1..8), at in 0usize..90) {
        let mut harness = Harness::new(Toy::new("toy", 90), 120, 30);
        harness.keys(&format!("text:{} G", at + 1));
        for (w, h) in sizes {
            harness.resize(w, h);
            prop_assert_eq!(harness.model.top().map(Screen::address), Some(format!("toy#{at}")));
        }
    }
}
