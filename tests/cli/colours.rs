//! Colours on a terminal, and what `NO_COLOR` and `TERM=dumb` leave of them.
#![cfg(unix)]

use std::io::Read;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use super::fixtures;

/// What a terminal of 80 columns receives.
fn on_a_terminal(variables: &[(&str, &str)]) -> String {
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(assert_cmd::cargo::cargo_bin!("refract"));
    command.args(["--root", "pump", "replay", "technician-overreach"]);
    command.cwd(fixtures());
    for name in ["LC_ALL", "LC_CTYPE", "LANG", "NO_COLOR"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm");
    variables.iter().for_each(|(name, value)| command.env(name, value));
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut bytes = Vec::new();
    // A terminal whose other end is gone says so with an error.
    let _ = pair.master.try_clone_reader().unwrap().read_to_end(&mut bytes);
    assert!(child.wait().unwrap().success());
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_terminal_gets_colours() {
    let text = on_a_terminal(&[]);
    assert!(text.contains("\x1b[7;31mB\x1b[0m  \x1b[1mrelease_order\x1b[0m"), "{}", text.escape_debug());
    assert!(text.contains("\x1b[32m+\x1b[0m \x1b[32misolated(pump-101)\x1b[0m"), "{}", text.escape_debug());
}

#[test]
fn no_color_keeps_the_attributes_and_dumb_nothing() {
    let text = on_a_terminal(&[("NO_COLOR", "1")]);
    assert!(text.contains("\x1b[7mB\x1b[0m"), "{}", text.escape_debug());
    for colour in 31..=36 {
        assert!(!text.contains(&format!("{colour}m")), "{}", text.escape_debug());
    }
    assert!(!on_a_terminal(&[("TERM", "dumb")]).contains('\x1b'));
}
