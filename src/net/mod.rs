//! Where the program meets the world outside: agents that are reached over the network or run as a
//! process, and clients that act through a protocol. Beside the screens, the only floor that may know a
//! clock, a network or the environment.

pub mod agents;
mod endpoint;
mod key;
pub mod mcp;
mod model;
mod process;
mod wait;
