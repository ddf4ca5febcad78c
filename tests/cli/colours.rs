//! Colours on a terminal, and what `NO_COLOR` and `TERM=dumb` leave of them.
#![cfg(unix)]

use std::{
    io::{Read, Write},
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::Duration,
};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use super::fixtures;

/// Quits, wherever one is.
const CTRL_C: &str = "\x03";

/// Longer than any machine should need.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a terminal of 80 columns receives from a replay.
fn on_a_terminal(variables: &[(&str, &str)]) -> String {
    received(&["replay", "technician-overreach"], variables, "")
}

/// What a terminal of 80 columns receives; these keys are typed once a screen is there.
fn received(args: &[&str], variables: &[(&str, &str)], keys: &str) -> String {
    let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(assert_cmd::cargo::cargo_bin!("refract"));
    command.args(["--root", "pump"]);
    command.args(args);
    command.cwd(fixtures());
    for name in ["LC_ALL", "LC_CTYPE", "LANG", "NO_COLOR"] {
        command.env_remove(name);
    }
    command.env("TERM", "xterm");
    command.env("XDG_CONFIG_HOME", "/nonexistent");
    command.env("XDG_DATA_HOME", "/nonexistent");
    variables.iter().for_each(|(name, value)| command.env(name, value));
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        // A terminal whose other end is gone says so with an error.
        while let Ok(n @ 1..) = reader.read(&mut buffer) {
            if sender.send(buffer[..n].to_vec()).is_err() {
                return;
            }
        }
    });
    let mut typed = pair.master.take_writer().unwrap();
    let (mut bytes, mut waiting) = (Vec::new(), !keys.is_empty());
    loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(more) => bytes.extend(more),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                child.kill().unwrap();
                panic!("it does not end: {}", String::from_utf8_lossy(&bytes).escape_debug());
            }
        }
        // The end of a first frame.
        if waiting && String::from_utf8_lossy(&bytes).contains("\x1b[?2026l") {
            waiting = false;
            typed.write_all(keys.as_bytes()).unwrap();
            typed.flush().unwrap();
        }
    }
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

/// The screens take the same options as the texts.
#[test]
fn ascii_and_no_color_reach_the_inspector() {
    for args in [&[][..], &["inspect", "technician-overreach#2"], &["play", "ph-1"]] {
        let unicode = received(args, &[], CTRL_C);
        assert!(!unicode.is_ascii() && unicode.contains("\x1b[?1049l"), "{args:?}: {}", unicode.escape_debug());
        let args: Vec<&str> = args.iter().copied().chain(["--ascii"]).collect();
        let ascii = received(&args, &[("NO_COLOR", "1")], CTRL_C);
        assert!(ascii.is_ascii() && ascii.contains("\x1b[?1049l"), "{args:?}: {}", ascii.escape_debug());
        for colour in 31..=36 {
            let sent = [format!("\x1b[{colour}m"), format!("\x1b[38;5;{}m", colour - 30), format!(";{colour}m")];
            assert!(!sent.iter().any(|sent| ascii.contains(sent)), "{args:?}: {}", ascii.escape_debug());
        }
    }
}

#[test]
fn lines_fit_the_terminal() {
    for args in [
        &["list"][..],
        &["replay", "technician-overreach"],
        &["replay", "technician-overreach#6"],
        &["replay", "technician-overreach#4"],
        &["replay", "technician-overreach#2"],
    ] {
        let text = received(args, &[("TERM", "dumb")], "");
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{args:?}: {line}");
        }
    }
}
