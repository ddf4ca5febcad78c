//! Agents, and the episodes that they play against the executor.
//!
//! An [`Agent`] sees what design §3 lets it see: the [`Prompt`], then what each of its calls gave back.
//! [`play()`] makes its calls and writes the log as it happens; [`Matrix`] says which episodes a
//! benchmark run consists of. [`policy`] holds the agents that need no model, [`chat`] what is sent to
//! those that do and what their answers mean. Nothing here knows a clock, a network or a thread.

pub mod chat;
mod episode;
mod matrix;
pub mod policy;
mod prompt;
mod session;

pub use episode::{Agent, Broken, Said, Sent, Turn, Usage, play};
pub use matrix::{Cell, Matrix, Terms};
pub use prompt::{FINISH, Function, Prompt, TEMPLATES, parameters};
pub use session::{Ended, Session};
