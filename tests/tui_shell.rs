//! The shell of the inspector, driven through its own loop.

use refract::tui::highlight::Syntax;
use refract::tui::testing::Harness;
use refract::tui::text_screen::TextScreen;

fn text(lines: usize) -> TextScreen {
    let text: String = (1..=lines).map(|n| format!("line {n} of pump-{n}\n")).collect();
    TextScreen::new("a text", "text", &text, Syntax::Plain)
}

/// The line of the screen that bears the cursor's sign.
fn at_cursor(harness: &Harness) -> String {
    harness
        .screen()
        .lines()
        .find(|l| l.starts_with('▌'))
        .map(|l| l.trim_start_matches('▌').trim().to_owned())
        .unwrap_or_default()
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
        ("/ text:pump-7 Esc", "1  line 1 of pump-1"),
        ("4 0 G ' '", "1  line 1 of pump-1"),
        ("4 0 G ' ' ' '", "40  line 40 of pump-40"),
        ("m a 9 j ' a", "1  line 1 of pump-1"),
        (": text:40 Enter", "40  line 40 of pump-40"),
        (": text:lst_line Enter", "99  line 99 of pump-99"),
    ] {
        let mut harness = Harness::new(text(99), 80, 24);
        assert_eq!(at_cursor(harness.keys(keys)), expected, "{keys}");
    }
}
