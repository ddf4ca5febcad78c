//! The inspector on the real terminal: threads that listen, the loop, and the way out.

use std::io::{self, IsTerminal, Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::{event, queue, terminal as crossterm};
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::config;
use super::job::{Effect, Job};
use super::model::{Model, Msg};
use super::run_loop::{Events, Outside, run};
use super::screen::Screen;
use super::update::{open, update};
use super::{clipboard, editor, signals, terminal};

/// Why the inspector did not start, or broke off.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Standard input or output is no terminal.
    #[error("this is a screen and needs a terminal; {twin}")]
    NoTerminal {
        /// Which command prints what, instead.
        twin: String,
    },
    /// The terminal failed.
    #[error("the terminal failed: {0}")]
    Terminal(#[from] io::Error),
}

/// How long the listening thread may hold the terminal's input after it is asked for.
const LISTEN: Duration = Duration::from_millis(100);

/// Runs the inspector on a screen until its user leaves. `twin` says which command prints what, where there is no terminal;
/// `ascii` asks for ASCII signs, whatever the configuration says.
/// Dies of the signal where one ended it, after giving the terminal back.
pub fn start(screen: impl Screen, twin: &str, ascii: bool) -> Result<(), StartError> {
    if !io::stdin().is_terminal() || !stdout().is_terminal() {
        return Err(StartError::NoTerminal { twin: twin.to_owned() });
    }
    let (mut config, faults) = config::load();
    config.theme.ascii |= ascii;
    terminal::mind_panics();
    let guard = terminal::Guard;
    terminal::take(config.mouse)?;
    let (sender, receiver) = channel();
    signals::watch(sender.clone())?;
    let gate = Arc::new(Gate::default());
    listen(sender.clone(), gate.clone())?;
    let mut desk = Desk { sender, gate };

    let backend = CrosstermBackend::new(io::BufWriter::with_capacity(1 << 16, stdout()));
    let mut screen_terminal = Terminal::with_options(backend, TerminalOptions { viewport: Viewport::Fullscreen })?;
    let size = screen_terminal.size()?;
    let mut model = Model::new(size, config.theme, config.keymap);
    model.now = desk.now();
    let mut first = open(&mut model, Box::new(screen));
    if let Some(fault) = faults.first() {
        let more = if faults.len() > 1 { format!(" (and {} more)", faults.len() - 1) } else { String::new() };
        first.extend(update(&mut model, Msg::Warn(format!("{fault}{more}"))));
    }
    let ended = run(&mut screen_terminal, &mut model, first, &mut Inbox(receiver), &mut desk);
    drop(guard);
    signals::die_of_it();
    Ok(ended?)
}

struct Inbox(Receiver<Msg>);

impl Events for Inbox {
    fn next(&mut self) -> Option<Msg> {
        self.0.recv().ok()
    }

    fn ready(&mut self) -> Option<Msg> {
        self.0.try_recv().ok()
    }
}

/// Who may read the terminal's input: the listening thread, or the editor while it runs.
#[derive(Default)]
struct Gate {
    wanted: AtomicBool,
    input: Mutex<()>,
}

impl Gate {
    /// Does something while nothing else reads the input.
    fn alone<T>(&self, act: impl FnOnce() -> T) -> T {
        self.wanted.store(true, Ordering::SeqCst);
        let held = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        let out = act();
        self.wanted.store(false, Ordering::SeqCst);
        drop(held);
        out
    }

    /// The next event of the terminal, if one comes soon.
    fn event(&self) -> io::Result<Option<event::Event>> {
        while self.wanted.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(5));
        }
        let _held = self.input.lock().unwrap_or_else(PoisonError::into_inner);
        if event::poll(LISTEN)? { event::read().map(Some) } else { Ok(None) }
    }
}

/// Listens to the terminal on a thread of its own. An input that is gone ends the program.
fn listen(sender: Sender<Msg>, gate: Arc<Gate>) -> io::Result<()> {
    let listen = move || loop {
        let msg = match gate.event() {
            Ok(None) => continue,
            Ok(Some(event)) => Msg::Terminal(event),
            Err(_) => Msg::Terminate,
        };
        let last = matches!(msg, Msg::Terminate);
        if sender.send(msg).is_err() || last {
            return;
        }
    };
    thread::Builder::new().name("refract input".into()).spawn(listen).map(drop)
}

/// Carries effects out on the real system.
struct Desk {
    sender: Sender<Msg>,
    gate: Arc<Gate>,
}

impl Outside for Desk {
    fn now(&self) -> jiff::Timestamp {
        jiff::Timestamp::now()
    }

    fn frame(&mut self, begins: bool) {
        // Terminals that know it show the frame at once; the others pass it over.
        let mut out = stdout();
        let _ = if begins {
            queue!(out, crossterm::BeginSynchronizedUpdate)
        } else {
            queue!(out, crossterm::EndSynchronizedUpdate).and_then(|()| out.flush())
        };
    }

    fn carry_out(&mut self, effect: Effect) -> Option<Msg> {
        match effect {
            Effect::Spawn(job) => self.spawn(job),
            Effect::Copy { text, what } => Some(copy(&text, &what)),
            Effect::Edit { path, line } => {
                let command = editor::command(&path, line, |name| std::env::var(name).ok());
                let opened = command.and_then(|mut command| self.away(|| run_editor(&mut command)));
                opened.err().map(Msg::Warn)
            }
            Effect::Suspend => self.away(signals::stop_here).err().map(Msg::Warn),
            Effect::Retake => {
                terminal::give_back();
                terminal::take_again().err().map(|e| Msg::Warn(e.to_string()))
            }
            // A cancelled job sees its flag; the loop itself does the rest.
            Effect::Cancel(_) | Effect::Perform { .. } | Effect::Redraw | Effect::Quit => None,
        }
    }
}

impl Desk {
    fn spawn(&self, job: Job) -> Option<Msg> {
        let (id, screen) = (job.id, job.screen);
        let (reports, done) = (self.sender.clone(), self.sender.clone());
        let work = move || {
            thread::sleep(job.delay);
            // Nobody listens any more once the program ends.
            let result = job.run(move |payload| drop(reports.send(Msg::Report { screen, payload })));
            let _ = done.send(Msg::Done { job: id, screen, result });
        };
        let started = thread::Builder::new().name(terminal::JOB_THREAD.into()).spawn(work);
        let result = Err(started.err()?.to_string());
        Some(Msg::Done { job: id, screen, result })
    }

    /// Gives the terminal away while something else runs.
    fn away(&self, act: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
        self.gate.alone(|| {
            terminal::give_back();
            let done = act();
            terminal::take_again().map_err(|e| e.to_string())?;
            done
        })
    }
}

fn run_editor(command: &mut std::process::Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the editor ended with {status}")),
        Err(e) => Err(format!("the editor did not start: {e}")),
    }
}

fn copy(text: &str, what: &str) -> Msg {
    let sent = clipboard::sequence(text, std::env::var_os("TMUX").is_some());
    let written = sent.and_then(|sequence| {
        let mut out = stdout();
        out.write_all(sequence.as_bytes()).and_then(|()| out.flush()).map_err(|e| e.to_string())
    });
    written.map_or_else(Msg::Warn, |()| Msg::Say(clipboard::message(what)))
}
