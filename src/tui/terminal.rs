//! The terminal: taken and given back, whatever happens in between.

use std::io::{self, Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::crossterm::{cursor, execute};

/// Threads of this name report a panic themselves: the screen stays.
pub(super) const JOB_THREAD: &str = "refract job";

static TAKEN: AtomicBool = AtomicBool::new(false);
static MOUSE: AtomicBool = AtomicBool::new(false);

/// Takes the terminal: raw mode, alternate screen, bracketed paste, the mouse if wanted.
pub fn take(mouse: bool) -> io::Result<()> {
    MOUSE.store(mouse, Ordering::SeqCst);
    TAKEN.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    execute!(stdout(), EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)?;
    if mouse { listen_to_mouse(true) } else { Ok(()) }
}

/// Takes it again as it was taken before.
pub fn take_again() -> io::Result<()> {
    take(MOUSE.load(Ordering::SeqCst))
}

/// Gives it back. Any number of times, from any thread; a terminal that is gone is no error.
pub fn give_back() {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    if MOUSE.load(Ordering::SeqCst) {
        let _ = listen_to_mouse(false);
    }
    let _ = execute!(stdout(), DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
    let _ = stdout().flush();
}

/// Clicks and the wheel alone: crossterm's own command also asks for every movement, which wakes the
/// program for nothing.
#[cfg(unix)]
fn listen_to_mouse(on: bool) -> io::Result<()> {
    let mut out = stdout();
    out.write_all(if on { b"\x1b[?1000h\x1b[?1006h" } else { b"\x1b[?1006l\x1b[?1000l" })?;
    out.flush()
}

#[cfg(not(unix))]
fn listen_to_mouse(on: bool) -> io::Result<()> {
    use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
    if on { execute!(stdout(), EnableMouseCapture) } else { execute!(stdout(), DisableMouseCapture) }
}

/// Gives the terminal back when the screens end, by whatever way.
#[derive(Debug)]
pub struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        give_back();
        if std::thread::panicking()
            && let Some(text) = UNTOLD.lock().unwrap_or_else(PoisonError::into_inner).take()
        {
            let _ = writeln!(io::stderr(), "{text}");
        }
    }
}

/// What a thread of the pool panicked with: whoever waits for the pool goes on panicking.
static UNTOLD: Mutex<Option<String>> = Mutex::new(None);

/// Makes panics give the terminal back first and say what happened in one line, without a backtrace.
/// A job's panic, in threads of the pool too, is caught and shown on the screen instead; that of any other thread ends the program.
pub fn mind_panics() {
    std::panic::set_hook(Box::new(|info| {
        let thread = std::thread::current();
        if thread.name() == Some(JOB_THREAD) {
            return;
        }
        let what = super::job::panic_message(info.payload());
        let place = info.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
        let text = format!("refract: internal error: {}{place}", crate::text::visible(&what));
        if thread.name().is_none() {
            *UNTOLD.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
            return;
        }
        give_back();
        let _ = writeln!(io::stderr(), "{text}");
        if thread.name() != Some("main") {
            std::process::exit(101);
        }
    }));
}
