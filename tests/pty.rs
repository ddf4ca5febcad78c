//! The inspector in a real pseudo-terminal: taken, kept and given back.
//!
//! The program under test is this test binary itself, which runs one screen when told so.
#![cfg(unix)]
#![allow(clippy::unwrap_used)]

#[path = "tui_shell/toy.rs"]
mod toy;

use std::io::{Read, Write};
use std::process::Command;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rayon::prelude::*;
use refract::plan::{Limits, Planners};
use refract::tui::canvas::Canvas;
use refract::tui::command::Cmd;
use refract::tui::layout::{Arranged, Layout, PaneId};
use refract::tui::play::{Out, Plan, Play};
use refract::tui::screen::{Ctx, Input, Kind, Place, Screen, Title};
use refract::tui::shelf::Shelf;
use refract::tui::start::start;
use refract::world::{Library, SourceFile, ToolsetId};
use toy::Toy;

/// Set for the child: which screen to run.
const CHILD: &str = "REFRACT_TEST_SCREEN";

/// Longer than any machine should need.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs a screen when this binary is the child; does nothing as a test.
#[test]
fn child() {
    match std::env::var(CHILD).as_deref() {
        Ok("toy") => start(Toy::new("toy", 90), "refract list", false).unwrap(),
        Ok("plays") => start(lamps(), "refract prompt", false).unwrap(),
        Ok("panics") => start(Panics(Toy::new("toy", 90)), "refract list", false).unwrap(),
        _ => return,
    }
    println!("left in peace");
}

/// Play in a world that no planner comes to an end with: lamps are switched by pairs, so that an odd
/// number of them is never lit, and only who looks at all of the states knows.
fn lamps() -> impl Screen {
    let names: Vec<String> = (0..24).map(|n| format!("lamp-{n}")).collect();
    let flip = |lamp: &str| {
        [("", "not "), ("not ", "")].map(|(is, then)| {
            serde_json::json!({"when": [format!("{is}lit(?{lamp})")], "then": [format!("{then}lit(?{lamp})")]})
        })
    };
    let flips = [flip("a"), flip("b")].concat();
    let domain = serde_json::json!({
        "version": 1, "name": "lamps", "types": {"lamp": "object"},
        "predicates": {"lit": {"params": {"lamp": "lamp"}}}, "taxonomy": {"switch": {}},
        "tools": {"flip": {"doc": "Switch two lamps.", "class": "switch", "params": {"a": "lamp", "b": "lamp"},
                           "precondition": ["?a != ?b"], "effect": flips}},
        "roles": {"one": {"doc": "", "capabilities": [], "knowledge": []}, "two": {"doc": "", "capabilities": [], "knowledge": []}},
    });
    let goal: Vec<String> = (0..24).map(|n| format!("{}lit(lamp-{n})", if n == 0 { "" } else { "not " })).collect();
    let perspective = serde_json::json!({"persona": "You switch.", "goal": goal,
        "reference": [{"tool": "flip", "args": {"a": "lamp-0", "b": "lamp-1"}}]});
    let problem = serde_json::json!({
        "version": 1, "id": "lamps-1", "domain": "lamps", "title": "Lamps", "query": "Light one.",
        "objects": names.iter().map(|name| (name.clone(), "lamp".into())).collect::<serde_json::Map<_, _>>(),
        "init": [], "toolsets": {"all": "all"}, "budget": 9, "perspectives": {"one": perspective, "two": perspective},
    });
    let files = [("domain.json", domain), ("problem.json", problem)];
    let files = files.map(|(name, json)| refract::world::Input::Text(SourceFile::new(name, json.to_string())));
    let library = Library::load(files.into(), None);
    let world = library.worlds.values().next().unwrap_or_else(|| panic!("{:#?}", library.diagnostics));
    let mut shelf = Shelf::home(None);
    shelf.planners = Planners::new(Limits { expansions: u64::MAX, bytes: 1 << 40, effort: u64::MAX });
    let out = Some(Out::Folder(std::env::var("REFRACT_TEST_OUT").unwrap().into()));
    let (role, toolset) = (world.domain.role_id("one"), Some(ToolsetId(0)));
    Play::new(&Arc::new(shelf), world, Plan { role, toolset, out, ..Plan::default() })
}

/// A toy that panics while it draws, once told to.
struct Panics(Toy);

impl Screen for Panics {
    fn kind(&self) -> Kind {
        self.0.kind()
    }
    fn address(&self) -> String {
        self.0.address()
    }
    fn layout(&self, size: ratatui::layout::Size) -> Layout {
        self.0.layout(size)
    }
    fn title(&self, pane: PaneId) -> Title {
        self.0.title(pane)
    }
    fn draw_header(&self, canvas: &mut Canvas) {
        assert!(self.0.lists[0].cursor != 3, "row three \u{1b}[31m");
        self.0.draw_header(canvas);
    }
    fn draw(&self, pane: PaneId, canvas: &mut Canvas) {
        self.0.draw(pane, canvas);
    }
    fn update(&mut self, input: Input, ctx: &mut Ctx) {
        match input {
            Input::Run(call) if call.cmd == Cmd::CopyPath => drop(ctx.spawn(|_| panic!("in a job"))),
            Input::Run(call) if call.cmd == Cmd::CopyValue => {
                ctx.spawn(|_| (0..99).into_par_iter().for_each(|n| assert!(n < 50, "in the pool")));
            }
            input => self.0.update(input, ctx),
        }
    }
    fn settle(&mut self, arranged: &Arranged) {
        self.0.settle(arranged);
    }
    fn place(&self) -> Place {
        self.0.place()
    }
    fn restore(&mut self, place: &Place) {
        self.0.restore(place);
    }
}

/// A program in a terminal.
struct Session {
    parser: vt100::Parser,
    bytes: Receiver<Vec<u8>>,
    keys: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
}

impl Session {
    fn run(screen: &str, variables: &[(&str, &str)]) -> Session {
        let pair = native_pty_system().openpty(PtySize { rows: 24, cols: 80, ..PtySize::default() }).unwrap();
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        command.args(["--exact", "child", "--nocapture", "--test-threads", "1"]);
        command.env(CHILD, screen);
        command.env("TERM", "xterm-256color");
        command.env("XDG_CONFIG_HOME", "/nonexistent");
        for (name, value) in variables {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (sender, bytes) = channel();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(n @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..n].to_vec()).is_err() {
                    return;
                }
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Session { parser: vt100::Parser::new(24, 80, 0), bytes, keys, master: pair.master, child }
    }

    /// Waits until the terminal is as asked.
    fn until(&mut self, what: &str, holds: impl Fn(&vt100::Screen) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !holds(self.parser.screen()) {
            let left = end.saturating_duration_since(Instant::now());
            match self.bytes.recv_timeout(left) {
                Ok(bytes) => self.parser.process(&bytes),
                Err(_) => panic!("never: {what}\n{}", self.parser.screen().contents()),
            }
        }
    }

    fn sees(&mut self, text: &str) {
        self.until(text, |screen| screen.contents().contains(text));
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    fn signal(&self, signal: &str) {
        let pid = self.child.process_id().unwrap().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
    }

    /// What the shell's `fg` does: the whole job goes on.
    fn go_on(&self) {
        let group = format!("-{}", self.child.process_id().unwrap());
        assert!(Command::new("kill").args(["-CONT", "--", &group]).status().unwrap().success());
    }

    /// Waits until the process is stopped, or runs.
    fn stopped(&self, stopped: bool) {
        let pid = self.child.process_id().unwrap().to_string();
        let end = Instant::now() + PATIENCE;
        loop {
            let out = Command::new("ps").args(["-o", "state=", "-p", &pid]).output().unwrap();
            if out.stdout.starts_with(b"T") == stopped {
                return;
            }
            assert!(Instant::now() < end, "never stopped: {stopped}");
        }
    }

    /// Waits for the end: the terminal is as before.
    fn ends(&mut self) -> portable_pty::ExitStatus {
        self.until("the main screen again", given_back);
        let status = self.child.wait().unwrap();
        while let Ok(bytes) = self.bytes.recv_timeout(Duration::from_millis(200)) {
            self.parser.process(&bytes);
        }
        status
    }
}

fn given_back(screen: &vt100::Screen) -> bool {
    !screen.alternate_screen()
        && !screen.hide_cursor()
        && !screen.bracketed_paste()
        && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
}

#[test]
fn starts_steps_resizes_and_quits() {
    let mut session = Session::run("toy", &[]);
    session.sees("toy row 0");
    assert!(session.parser.screen().alternate_screen() && session.parser.screen().bracketed_paste());
    session.press("jj");
    session.sees("▌toy row 2");
    session.press("\u{1b}[<0;5;8M\u{1b}[<0;5;8m");
    session.sees("▌toy row 5");
    session.press("\u{1b}[200~pasted\njjj\u{1b}[201~");
    session.sees("nothing to paste into here");
    session.parser.screen_mut().set_size(30, 120);
    session.master.resize(PtySize { rows: 30, cols: 120, ..PtySize::default() }).unwrap();
    session.until("the footer at the right edge", |screen| {
        screen.rows(0, 120).last().is_some_and(|line| line.chars().count() > 110)
    });
    session.sees("▌toy row 5");
    session.press("q");
    assert!(session.ends().success());
    session.sees("left in peace");
}

#[test]
fn a_signal_ends_it_with_the_terminal_given_back() {
    for (signal, name) in [("-TERM", "Terminated"), ("-INT", "Interrupt"), ("-HUP", "Hangup"), ("-QUIT", "Quit")] {
        let mut session = Session::run("toy", &[]);
        session.sees("toy row 0");
        session.signal(signal);
        let status = session.ends();
        assert_eq!(status.signal(), Some(name), "{signal}: {status:?}");
    }
}

#[test]
fn suspends_and_comes_back() {
    let mut session = Session::run("toy", &[]);
    session.sees("toy row 0");
    for stop in ["\u{1a}", "-TSTP"] {
        match stop {
            "-TSTP" => session.signal(stop),
            key => session.press(key),
        }
        session.until("the main screen", given_back);
        session.stopped(true);
        session.go_on();
        session.until("the screen again", |s| s.alternate_screen() && s.contents().contains("toy row 0"));
    }
    session.press("jjj");
    session.sees("▌toy row 3");
    session.press("\u{3}");
    assert!(session.ends().success());
}

#[test]
fn a_panic_gives_the_terminal_back_and_says_what_happened() {
    let mut session = Session::run("panics", &[("RUST_BACKTRACE", "1")]);
    session.sees("toy row 0");
    session.press("jjj");
    let status = session.ends();
    assert_eq!(status.exit_code(), 101);
    session.sees("refract: internal error: row three ␛[31m (tests/pty.rs:");
    assert!(!session.parser.screen().contents().contains("stack backtrace"));
}

#[test]
fn a_mouse_report_from_nowhere_is_passed_over() {
    let mut session = Session::run("toy", &[]);
    session.sees("toy row 0");
    for report in ["\u{1b}[<0;0;0M", "\u{1b}[<0;0;0m", "\u{1b}[<64;0;7M", "\u{1b}[<0;65535;65535M", "\u{1b}[M   "] {
        session.press(report);
    }
    session.press("jj");
    session.sees("▌toy row 2");
    session.press("q");
    assert!(session.ends().success());
}

#[test]
fn a_panic_in_a_job_is_told_and_the_screen_stays() {
    let mut session = Session::run("panics", &[]);
    session.sees("toy row 0");
    session.press("yp");
    session.sees("internal error, the work was given up: in a job");
    session.press("yy");
    session.sees("internal error, the work was given up: in the pool");
    session.press("j");
    session.sees("▌toy row 1");
    session.press("q");
    assert!(session.ends().success());
}

#[test]
fn without_a_terminal_it_names_the_twin() {
    let out = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--nocapture"])
        .env(CHILD, "toy")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(!out.status.success());
    assert!(String::from_utf8_lossy(&out.stderr).contains("refract list"));
}

/// Rule 1 of the screens: longer work shows itself, Esc stops it, and every key is answered meanwhile.
#[test]
fn a_planner_that_never_returns_leaves_play_alive() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::run("plays", &[("REFRACT_TEST_OUT", folder.path().to_str().unwrap())]);
    session.sees("9 of 9 calls left");
    session.press("\u{1b}");
    session.sees("s hint, counted");
    session.press("s");
    session.sees("looking for a hint, Esc stops");
    session.press("pflip\r");
    session.sees("call › flip  a=");
    session.press("\u{1b}");
    session.sees("s hint, counted");
    session.press("\u{1b}");
    session.sees("stopped: looking for a hint");
    // The end is there at once; only what it needs plans for is not.
    session.press("\"So be it.\r");
    session.sees("you: So be it.");
    session.press("\u{1b}");
    session.sees("s hint, counted");
    session.press("qy");
    session.sees("holding the run against plans, Esc stops");
    session.sees("… calls suffice.");
    session.press("\u{1b}");
    session.sees("stopped: holding the run against plans");
    session.sees("the search was stopped");
    session.press("q");
    assert!(session.ends().success());
}
