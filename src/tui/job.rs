//! What happens outside: effects for the loop, and work on other threads.

use std::any::Any;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::screen::ScreenId;

/// What a job brings back; the screen that began it knows the type.
pub type Payload = Box<dyn Any + Send>;

/// Names a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct JobId(pub u32);

type Work = Box<dyn FnOnce(&Handle) -> Payload + Send>;

/// Work for another thread.
pub struct Job {
    /// Which.
    pub id: JobId,
    /// Who began it, and hears of it.
    pub screen: ScreenId,
    /// What the message line calls it while it lasts; quiet without.
    pub label: Option<String>,
    /// Set to stop it.
    pub cancelled: Arc<AtomicBool>,
    /// How long it waits before it begins.
    pub delay: Duration,
    work: Work,
}

impl Job {
    pub(super) fn new(id: JobId, screen: ScreenId, label: Option<String>, work: Work) -> Job {
        Job { id, screen, label, cancelled: Arc::default(), delay: Duration::ZERO, work }
    }

    /// Does the work here and now. A panic becomes its message.
    pub fn run(self, report: impl Fn(Payload) + Send + 'static) -> Result<Payload, String> {
        let handle = Handle { cancelled: self.cancelled, report: Box::new(report) };
        let work = std::panic::AssertUnwindSafe(|| (self.work)(&handle));
        std::panic::catch_unwind(work).map_err(|panic| panic_message(&*panic))
    }
}

/// The text of a panic.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "panic without a message".into())
}

/// How a job asks whether to go on, and reports while it works.
pub struct Handle {
    cancelled: Arc<AtomicBool>,
    report: Box<dyn Fn(Payload) + Send>,
}

impl Handle {
    /// Whether it should stop: ask often.
    pub fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// The flag itself, for work that wants to look by its own means.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.cancelled.clone()
    }

    /// Reports something found so far: [`super::screen::Input::Report`].
    pub fn report<T: Any + Send>(&self, found: T) {
        (self.report)(Box::new(found));
    }
}

/// What only the loop does.
pub enum Effect {
    /// Start a job.
    Spawn(Job),
    /// Stop a job.
    Cancel(JobId),
    /// Copy to the clipboard.
    Copy {
        /// The text.
        text: String,
        /// Its name in the message.
        what: String,
    },
    /// Open the editor.
    Edit {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// Do something short, in order, and report back.
    Perform {
        /// Who hears of it.
        screen: ScreenId,
        /// What to do.
        action: Box<dyn FnOnce() -> Payload>,
    },
    /// Clear the terminal and draw everything.
    Redraw,
    /// Suspend the program.
    Suspend,
    /// Take the terminal again, as after a stop that nobody announced.
    Retake,
    /// End the loop.
    Quit,
}

impl fmt::Debug for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effect::Spawn(job) => write!(f, "Spawn({:?}, {:?})", job.id, job.label),
            Effect::Cancel(id) => write!(f, "Cancel({id:?})"),
            Effect::Copy { text, what } => write!(f, "Copy({what:?}, {text:?})"),
            Effect::Edit { path, line } => write!(f, "Edit({}:{line})", path.display()),
            Effect::Perform { screen, .. } => write!(f, "Perform({screen:?})"),
            Effect::Redraw => f.write_str("Redraw"),
            Effect::Suspend => f.write_str("Suspend"),
            Effect::Retake => f.write_str("Retake"),
            Effect::Quit => f.write_str("Quit"),
        }
    }
}
