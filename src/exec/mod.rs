//! The executor: the one function that decides what a call does (design §3).
//!
//! [`step`] is pure: no clock, no files, no global. Replay, play, agents, check and planner all
//! call it, and nothing else decides.
