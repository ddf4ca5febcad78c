//! An entry served over the Model Context Protocol, so that any client of it can be the agent.
//!
//! An [`Offer`] is what all clients are offered. Each session of a client is a [`Run`], an episode with a
//! log of its own, and runs share no state. [`Server`] maps the protocol to it and knows no transport;
//! [`stdio`] and [`http`] carry it.

pub mod http;
mod offer;
mod patient;
mod run;
mod server;
pub mod stdio;

use std::io;

use tokio::runtime::{Builder, Runtime};

pub use offer::{Offer, TASK_URI};
pub use run::{Reply, Run};
pub use server::{Server, Versions};

/// One thread: what a session sends is executed in the order in which it came.
fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Waits until somebody wants the program to end.
async fn stopped() -> io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        let mut hang_up = signal(SignalKind::hangup())?;
        tokio::select! {
            pressed = tokio::signal::ctrl_c() => pressed,
            _ = terminate.recv() => Ok(()),
            _ = hang_up.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
