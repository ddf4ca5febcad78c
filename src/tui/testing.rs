//! Tests drive the real loop: keys in, screen out.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Size;

use super::dispatch::Keymap;
use super::job::{Effect, Job};
use super::model::{Model, Msg};
use super::run_loop::{Events, Outside, run};
use super::screen::Screen;
use super::theme::{Palette, Theme};
use super::update::{open, read_keys};

/// An inspector on a terminal of memory. Jobs run when no key waits, one after the other; those that
/// are to wait a while run at [`Harness::later`].
pub struct Harness {
    /// The state, for what a screen does not show.
    pub model: Model,
    /// Everything copied.
    pub copied: Vec<String>,
    /// Everything opened in the editor: `path:line`.
    pub edited: Vec<String>,
    /// The program has ended.
    pub ended: bool,
    terminal: Terminal<TestBackend>,
    jobs: Jobs,
    hold: bool,
    burst: bool,
}

/// Jobs that wait.
#[derive(Default)]
struct Jobs {
    ready: VecDeque<Job>,
    later: VecDeque<Job>,
}

struct Script<'a> {
    waiting: VecDeque<Msg>,
    jobs: &'a Mutex<Jobs>,
    /// Jobs that may still run.
    most: usize,
    burst: bool,
}

impl Events for Script<'_> {
    fn next(&mut self) -> Option<Msg> {
        loop {
            if let Some(msg) = self.waiting.pop_front() {
                return Some(msg);
            }
            self.most = self.most.checked_sub(1)?;
            let job = self.jobs.lock().ok()?.ready.pop_front()?;
            let (id, screen) = (job.id, job.screen);
            let reports = Arc::new(Mutex::new(Vec::new()));
            let sink = reports.clone();
            let result = job.run(move |payload| sink.lock().map(|mut r| r.push(payload)).unwrap_or_default());
            if let Ok(mut reports) = reports.lock() {
                self.waiting.extend(reports.drain(..).map(|payload| Msg::Report { screen, payload }));
            }
            self.waiting.push_back(Msg::Done { job: id, screen, result });
        }
    }

    fn ready(&mut self) -> Option<Msg> {
        // A frame for each message, so that every state is drawn, unless they are to come at once.
        if self.burst { self.waiting.pop_front() } else { None }
    }
}

struct Desk<'a> {
    copied: &'a mut Vec<String>,
    edited: &'a mut Vec<String>,
    jobs: &'a Mutex<Jobs>,
}

impl Outside for Desk<'_> {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::UNIX_EPOCH
    }

    fn carry_out(&mut self, effect: Effect) -> Option<Msg> {
        match effect {
            Effect::Spawn(job) => {
                if let Ok(mut jobs) = self.jobs.lock() {
                    if job.delay.is_zero() { &mut jobs.ready } else { &mut jobs.later }.push_back(job);
                }
            }
            Effect::Cancel(id) => {
                if let Ok(mut jobs) = self.jobs.lock() {
                    jobs.ready.retain(|job| job.id != id);
                    jobs.later.retain(|job| job.id != id);
                }
            }
            Effect::Copy { text, what } => {
                self.copied.push(text);
                return Some(Msg::Say(super::clipboard::message(&what)));
            }
            Effect::Edit { path, line } => self.edited.push(format!("{}:{line}", path.display())),
            Effect::Suspend | Effect::Retake | Effect::Perform { .. } | Effect::Redraw | Effect::Quit => {}
        }
        None
    }
}

impl Harness {
    /// An inspector of that size on a screen, in mono: snapshots are text.
    pub fn new(screen: impl Screen, width: u16, height: u16) -> Harness {
        Harness::themed(screen, width, height, Theme { palette: Palette::Mono, ascii: false })
    }

    /// The same with a theme.
    pub fn themed(screen: impl Screen, width: u16, height: u16, theme: Theme) -> Harness {
        let mut model = Model::new(Size::new(width, height), theme, Keymap::default());
        let first = open(&mut model, Box::new(screen));
        let Ok(terminal) = Terminal::new(TestBackend::new(width, height));
        let mut harness = Harness {
            model,
            copied: Vec::new(),
            edited: Vec::new(),
            ended: false,
            terminal,
            jobs: Jobs::default(),
            hold: false,
            burst: false,
        };
        harness.drive(first, Vec::new());
        harness
    }

    /// Jobs begun from now on wait until [`Harness::work`].
    pub fn hold(mut self) -> Harness {
        self.hold = true;
        self
    }

    /// Lets held jobs run.
    pub fn work(&mut self) -> &mut Harness {
        self.hold = false;
        self.drive(Vec::new(), Vec::new());
        self
    }

    /// Lets one of them run.
    pub fn work_once(&mut self) -> &mut Harness {
        self.drive_most(1, Vec::new(), Vec::new());
        self
    }

    /// Jobs that are held panic.
    pub fn panic(&mut self) -> &mut Harness {
        let held = std::mem::take(&mut self.jobs.ready).into_iter();
        let failed = held.map(|job| Msg::Done { job: job.id, screen: job.screen, result: Err("broken".to_owned()) });
        self.drive(Vec::new(), failed.collect());
        self
    }

    /// Time passes: jobs that wait for it run, once each.
    pub fn later(&mut self) -> &mut Harness {
        let later = std::mem::take(&mut self.jobs.later);
        self.jobs.ready.extend(later);
        self.drive(Vec::new(), Vec::new());
        self
    }

    /// Jobs that wait, held or for their time.
    pub fn waiting(&self) -> usize {
        self.jobs.ready.len() + self.jobs.later.len()
    }

    /// Presses keys: `j 12 ] v text:hello_world Enter`; `_` types a space.
    pub fn keys(&mut self, script: &str) -> &mut Harness {
        let msgs = read_keys(script).into_iter().map(|key| Msg::Terminal(Event::Key(key.event()))).collect();
        self.drive(Vec::new(), msgs);
        self
    }

    /// Sends any message.
    pub fn send(&mut self, msg: Msg) -> &mut Harness {
        self.drive(Vec::new(), vec![msg]);
        self
    }

    /// Sends messages that wait together: one frame answers them all.
    pub fn at_once(&mut self, msgs: Vec<Msg>) -> &mut Harness {
        self.burst = true;
        self.drive(Vec::new(), msgs);
        self.burst = false;
        self
    }

    /// Clicks a cell of the window.
    pub fn click(&mut self, column: u16, row: u16) -> &mut Harness {
        let kind = MouseEventKind::Down(MouseButton::Left);
        self.send(Msg::Terminal(Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })))
    }

    /// Turns the wheel over a cell: a notch down, or up.
    pub fn wheel(&mut self, column: u16, row: u16, down: bool) -> &mut Harness {
        let kind = if down { MouseEventKind::ScrollDown } else { MouseEventKind::ScrollUp };
        self.send(Msg::Terminal(Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })))
    }

    /// Gives the window another size.
    pub fn resize(&mut self, width: u16, height: u16) -> &mut Harness {
        self.terminal.backend_mut().resize(width, height);
        self.send(Msg::Terminal(Event::Resize(width, height)))
    }

    /// The screen as text, without spaces at the ends of lines.
    pub fn screen(&self) -> String {
        let buffer = self.terminal.backend().buffer();
        let width = usize::from(buffer.area.width);
        let mut out = String::new();
        for row in buffer.content.chunks(width.max(1)) {
            let mut line = String::new();
            let mut skip = 0;
            for cell in row {
                if skip > 0 {
                    skip -= 1;
                    continue;
                }
                line.push_str(cell.symbol());
                skip = super::cells::width(cell.symbol()).saturating_sub(1);
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }

    /// The cells themselves, for styles.
    pub fn buffer(&self) -> &ratatui::buffer::Buffer {
        self.terminal.backend().buffer()
    }

    fn drive(&mut self, first: Vec<Effect>, msgs: Vec<Msg>) {
        self.drive_most(if self.hold { 0 } else { usize::MAX }, first, msgs);
    }

    fn drive_most(&mut self, most: usize, first: Vec<Effect>, msgs: Vec<Msg>) {
        let jobs = Mutex::new(std::mem::take(&mut self.jobs));
        let mut script = Script { waiting: msgs.into(), jobs: &jobs, most, burst: self.burst };
        let mut desk = Desk { copied: &mut self.copied, edited: &mut self.edited, jobs: &jobs };
        let Ok(()) = run(&mut self.terminal, &mut self.model, first, &mut script, &mut desk);
        self.ended = self.model.depth() == 0;
        self.jobs = jobs.into_inner().unwrap_or_default();
    }
}
