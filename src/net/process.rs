//! A program as an agent: it reads and writes JSON lines.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::key::Key;
use super::wait::{self, LOOK};
use crate::agent::chat::Dialogue;
use crate::agent::{Agent, Broken, Turn};
use crate::text::visible;

/// The longest line, in bytes.
const LONGEST: u64 = 16 << 20;
/// How much of its last words on standard error is kept, in bytes.
const LAST_WORDS: usize = 500;
/// How long it may take to leave once nobody listens to it.
const LEAVE: Duration = Duration::from_millis(500);

/// A program that plays an episode. It and all that it started end with it.
pub(super) struct Process {
    child: Child,
    dialogue: Box<dyn Dialogue>,
    /// What is to be written to it; without it, its input is at an end.
    input: Option<Sender<String>>,
    /// Its lines; over when its output is.
    output: Receiver<io::Result<String>>,
    last_words: Arc<Mutex<Vec<u8>>>,
    /// Over when its standard error is.
    silent: Receiver<()>,
    keys: Vec<Key>,
    timeout: Duration,
    stop: Arc<AtomicBool>,
}

impl Process {
    /// Starts it. `keys` are kept out of what is passed on from it.
    pub(super) fn start(
        command: &str,
        dialogue: Box<dyn Dialogue>,
        keys: Vec<Key>,
        timeout: Duration,
        stop: Arc<AtomicBool>,
    ) -> io::Result<Process> {
        let mut shell = shell(command);
        let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let last_words = Arc::default();
        let (speaks, silent) = mpsc::channel();
        let (input, to_write) = mpsc::channel();
        let (read, output) = mpsc::sync_channel(1);
        // A pipe holds little: who writes, reads and listens on one thread may wait for itself.
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write(stdin, &to_write));
        }
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || {
                let mut stdout = BufReader::new(stdout);
                while let Some(line) = next_line(&mut stdout) {
                    let last = line.is_err();
                    if read.send(line).is_err() || last {
                        return;
                    }
                }
            });
        }
        if let Some(stderr) = child.stderr.take() {
            let last_words = Arc::clone(&last_words);
            thread::spawn(move || {
                listen(stderr, &last_words);
                drop(speaks);
            });
        }
        Ok(Process { child, dialogue, input: Some(input), output, last_words, silent, keys, timeout, stop })
    }

    /// The next line that is not blank.
    fn line(&mut self) -> Result<String, String> {
        let end = Instant::now() + self.timeout;
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(wait::STOPPED.to_owned());
            }
            let left = end.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(LOOK)) {
                Ok(Ok(line)) if line.trim().is_empty() => {}
                Ok(Ok(line)) => return Ok(line),
                Ok(Err(error)) => return Err(format!("its output cannot be read: {}", crate::file::why(&error))),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(format!("it said nothing for {} s", self.timeout.as_secs_f64()));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(match self.leave() {
                        Some(how) => format!("it ended without an answer ({how})"),
                        None => "it closed its output without an answer".to_owned(),
                    });
                }
            }
        }
    }

    /// Gives it a moment to end by itself; how it ended.
    fn leave(&mut self) -> Option<String> {
        let end = Instant::now() + LEAVE;
        loop {
            let ended = ended(&mut self.child);
            if ended.is_some() || Instant::now() >= end {
                return ended;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Ends it, and says why with its last words.
    fn broken(&mut self, why: String) -> Broken {
        kill_group(&mut self.child);
        // Its last words may still be on their way.
        let _ = self.silent.recv_timeout(LEAVE);
        let last_words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let last_words = String::from_utf8_lossy(&last_words);
        let why = match last_words.trim() {
            "" => why,
            words => format!("{why}; its last words: {words}"),
        };
        let why = self.keys.iter().fold(why, |why, key| key.out_of_answer(&why).into_owned());
        Broken { why: visible(&why).into_owned(), notes: Vec::new() }
    }
}

impl Agent for Process {
    fn turn(&mut self, replies: &[String]) -> Result<Turn, Broken> {
        let request = self.dialogue.request(replies);
        // If it no longer reads, its output tells why.
        let _ = self.input.as_ref().map(|input| input.send(request));
        let line = self.line().map_err(|why| self.broken(why))?;
        let line = self.keys.iter().fold(line, |line, key| key.out_of_answer(&line).into_owned());
        self.dialogue.answer(&line).map_err(|why| self.broken(why))
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        if !self.stop.load(Ordering::Relaxed) {
            self.leave();
        }
        kill_group(&mut self.child);
        // It has ended: this only takes note of it, so that nothing of it is left.
        let _ = self.child.wait();
    }
}

fn write(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.write_all(b"\n")).and_then(|()| stdin.flush()).is_err()
        {
            return;
        }
    }
}

/// The next line, or why there is none; `None` at the end.
fn next_line(output: &mut impl BufRead) -> Option<io::Result<String>> {
    let mut line = Vec::new();
    match output.take(LONGEST + 1).read_until(b'\n', &mut line) {
        Ok(0) => None,
        Ok(_) if line.len() as u64 > LONGEST => {
            let why = format!("a line is longer than {} MB", LONGEST >> 20);
            Some(Err(io::Error::new(io::ErrorKind::FileTooLarge, why)))
        }
        Ok(_) => Some(Ok(String::from_utf8_lossy(&line).into_owned())),
        Err(error) => Some(Err(error)),
    }
}

/// Keeps the last of what it says.
fn listen(mut stderr: impl Read, last_words: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = stderr.read(&mut buffer) {
        let mut last_words = last_words.lock().unwrap_or_else(PoisonError::into_inner);
        last_words.extend_from_slice(&buffer[..read]);
        let surplus = last_words.len().saturating_sub(LAST_WORDS);
        last_words.drain(..surplus);
    }
}

/// A command line in a group of its own: a stop reaches all that it starts, and Ctrl-C at our terminal none.
#[cfg(unix)]
fn shell(command: &str) -> Command {
    use std::os::unix::process::CommandExt;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command).process_group(0);
    shell
}

/// How it ended. It stays known to the system, so that its number is nobody else's until [`kill_group`].
#[cfg(unix)]
fn ended(child: &mut Child) -> Option<String> {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let id = WaitId::Pid(i32::try_from(child.id()).ok().and_then(Pid::from_raw)?);
    let status = waitid(id, WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT).ok()??;
    Some(match (status.exit_status(), status.terminating_signal()) {
        (Some(status), _) => format!("exit status {status}"),
        (None, Some(signal)) => format!("ended by signal {signal}"),
        (None, None) => "it is gone".to_owned(),
    })
}

#[cfg(unix)]
fn kill_group(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // An error says that nobody is left.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn shell(command: &str) -> Command {
    let mut shell = Command::new("cmd");
    shell.arg("/C").arg(command);
    shell
}

#[cfg(not(unix))]
fn ended(child: &mut Child) -> Option<String> {
    child.try_wait().ok()?.map(|status| status.to_string())
}

#[cfg(not(unix))]
fn kill_group(child: &mut Child) {
    let _ = child.kill();
}
