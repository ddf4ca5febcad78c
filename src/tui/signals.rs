//! What the system asks of the program: end, suspend, go on.

use std::sync::mpsc::Sender;

use super::model::Msg;

/// The signal that ended the program, to be died of once the terminal is given back.
#[cfg(unix)]
static ENDED_BY: std::sync::atomic::AtomicI32 = std::sync::atomic::AtomicI32::new(0);

/// Watches for signals on a thread of its own and passes them on.
#[cfg(unix)]
pub fn watch(sender: Sender<Msg>) -> std::io::Result<()> {
    use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
    use std::sync::atomic::Ordering;

    let mut signals = signal_hook::iterator::Signals::new([SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT])?;
    let pass_on = move || {
        for signal in signals.forever() {
            let msg = match signal {
                SIGTSTP => Msg::Suspend,
                SIGCONT => Msg::Resumed,
                _ if ENDED_BY.swap(signal, Ordering::SeqCst) != 0 => {
                    // Asked twice: the loop does not answer.
                    super::terminal::give_back();
                    die(signal);
                    return;
                }
                _ => Msg::Terminate,
            };
            if sender.send(msg).is_err() {
                return;
            }
        }
    };
    std::thread::Builder::new().name("refract signals".into()).spawn(pass_on).map(drop)
}

/// No signals to watch for here.
#[cfg(not(unix))]
pub fn watch(_sender: Sender<Msg>) -> std::io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn die(signal: i32) {
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

/// Dies of the signal that ended the program, so that its parent sees it. Returns where there was none.
pub fn die_of_it() {
    #[cfg(unix)]
    match ENDED_BY.load(std::sync::atomic::Ordering::SeqCst) {
        0 => {}
        signal => die(signal),
    }
}

/// Stops the program and whoever started it in this job (`cargo run`), until `fg`. The terminal
/// must have been given back before.
pub fn stop_here() -> Result<(), String> {
    #[cfg(unix)]
    {
        // Process group 0 is our own; only a program can send to it without unsafe code.
        let sent = std::process::Command::new("kill").args(["-STOP", "0"]).status();
        if !sent.is_ok_and(|status| status.success()) {
            use signal_hook::{consts::SIGTSTP, low_level::emulate_default_handler};
            emulate_default_handler(SIGTSTP).map_err(|e| format!("not suspended: {e}"))?;
        }
        Ok(())
    }
    #[cfg(not(unix))]
    Err("this system cannot suspend a program".into())
}
