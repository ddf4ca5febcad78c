//! How long a reader waits: from process start to the first frame, and from a key to its frame, in a
//! real pseudo-terminal. Prints numbers, asserts none.
//!
//! `cargo build --release && cargo run --release --example first_frame -- [LOG.jsonl …]`

use std::{
    error::Error,
    fs,
    io::{Read, Write},
    path::PathBuf,
    process::Command,
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    time::{Duration, Instant},
};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Ends a synchronised frame.
const FRAME_END: &[u8] = b"\x1b[?2026l";
const ROUNDS: usize = 15;

fn main() -> Result<()> {
    let bin = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/release/refract");
    if !bin.exists() {
        return Err("build it first: cargo build --release".into());
    }
    let bare = median((0..ROUNDS).map(|_| bare_start(&bin)).collect::<Result<_>>()?);
    let first = median((0..ROUNDS).map(|_| Ok(Session::start(&bin, &[])?.first_frame)).collect::<Result<_>>()?);
    println!("process alone (--version)           {:>8.1} ms", ms(bare));
    println!("to the first frame, benchmark       {:>8.1} ms   {:.1} x the process alone", ms(first), first / bare);

    for log in std::env::args().skip(1) {
        let size = fs::metadata(&log)?.len() as f64 / 1e6;
        println!("{log}: {size:.1} MB");
        let read = Instant::now();
        let bytes = fs::read(&log)?.len();
        let read = read.elapsed().as_secs_f64();
        let mut session = Session::start(&bin, &["inspect", &log])?;
        println!("  reading {bytes} bytes alone         {:>8.1} ms", ms(read));
        println!("  to the first frame                {:>8.1} ms", ms(session.first_frame));
        session.quiet(Duration::from_millis(1500));
        println!("  all of it read and executed       {:>8.1} ms", ms(session.last_output));
        for (name, keys) in
            [("G", "G"), ("g", "g"), ("J", "J"), ("12J", "12J"), ("v", "v"), ("] r", "]r"), ("Ctrl-d", "\x04")]
        {
            let times = (0..9).map(|_| session.key(keys)).collect::<Result<Vec<f64>>>()?;
            println!("  {name:<8} key to frame            {:>8.1} ms", ms(median(times)));
        }
        if let Some(peak) = session.peak_memory() {
            println!("  peak memory                       {peak:>8.1} MB   {:.2} x the file", peak / size);
        }
    }
    Ok(())
}

fn ms(seconds: f64) -> f64 {
    seconds * 1e3
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn bare_start(bin: &PathBuf) -> Result<f64> {
    let start = Instant::now();
    Command::new(bin).arg("--version").output()?;
    Ok(start.elapsed().as_secs_f64())
}

/// The inspector in a pseudo-terminal of 200 × 60 cells.
struct Session {
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    output: Receiver<(Instant, Vec<u8>)>,
    started: Instant,
    first_frame: f64,
    last_output: f64,
}

impl Session {
    fn start(bin: &PathBuf, args: &[&str]) -> Result<Session> {
        let pair = native_pty_system().openpty(PtySize { rows: 60, cols: 200, pixel_width: 0, pixel_height: 0 })?;
        let mut command = CommandBuilder::new(bin);
        command.args(args);
        command.env("TERM", "xterm-256color");
        command.cwd(std::env::temp_dir());
        let mut reader = pair.master.try_clone_reader()?;
        let (sender, output) = channel();
        let writer = pair.master.take_writer()?;
        let started = Instant::now();
        let child = pair.slave.spawn_command(command)?;
        std::thread::spawn(move || {
            let mut buffer = [0; 1 << 16];
            while let Ok(n @ 1..) = reader.read(&mut buffer) {
                if sender.send((Instant::now(), buffer[..n].to_vec())).is_err() {
                    break;
                }
            }
        });
        let mut session =
            Session { child, master: pair.master, writer, output, started, first_frame: 0.0, last_output: 0.0 };
        session.first_frame = session.frame(started)?;
        Ok(session)
    }

    /// Seconds from `since` to the end of the next frame.
    fn frame(&mut self, since: Instant) -> Result<f64> {
        let mut seen: Vec<u8> = Vec::new();
        loop {
            let (at, bytes) = self.output.recv_timeout(Duration::from_secs(60))?;
            seen.extend(bytes);
            if seen.windows(FRAME_END.len()).any(|window| window == FRAME_END) {
                return Ok((at - since).as_secs_f64());
            }
        }
    }

    /// Waits until nothing has been drawn for so long.
    fn quiet(&mut self, pause: Duration) {
        loop {
            match self.output.recv_timeout(pause) {
                Ok((at, _)) => self.last_output = (at - self.started).as_secs_f64(),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn key(&mut self, keys: &str) -> Result<f64> {
        self.quiet(Duration::from_millis(60));
        let since = Instant::now();
        self.writer.write_all(keys.as_bytes())?;
        self.writer.flush()?;
        self.frame(since)
    }

    /// The most memory that the process had, in MB; Linux says.
    fn peak_memory(&self) -> Option<f64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.process_id()?)).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kb| kb / 1e3)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = self.master.get_size();
    }
}
