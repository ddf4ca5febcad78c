//! The inspector: screens over the core, driven by keys.
//!
//! Elm style. [`update::update`] is the only place where state changes, [`view::view`] only reads the
//! [`model::Model`], and what happens outside (jobs, files, clipboard, editor, suspend, quit) are
//! [`job::Effect`]s that [`run_loop::run`] alone carries out. Time and size come in as values.
//!
//! # How to add a screen
//!
//! 1. One file or folder here for its state, `tui/<name>.rs`, and one in `tui/view/<name>.rs` where the
//!    drawing is more than a few lines. The state implements [`screen::Screen`]; [`text_screen`] is a small
//!    whole example.
//! 2. `pub const TABLE: ScreenTable` beside it: what each command does on it, with footer words, and
//!    why those that one might expect do nothing. **One line** in [`command::screens`] lists it.
//! 3. Whoever opens it calls [`screen::Ctx::push`]; `<` and `>` work once the list below implements
//!    [`screen::Screen::sibling`].
//!
//! What the shell does, so that a screen need not:
//!
//! * **Keys, counts, prefixes, `?`, palette, footer, refusals** from the command table. A command that the
//!   screen's table lists arrives as [`screen::Input::Run`]; shell commands (`q`, `Tab`, `z`, `/`, `m`, `''`, …)
//!   never do. List `Search`, `SearchNext`, `SearchPrev`, `Filter`, `NextItem`, `PrevItem` and the hunts
//!   where the screen has them; the shell handles all but the hunts.
//! * **Panes**: the screen declares bands of columns for a size ([`layout::Layout`], [`layout::Room`]); the shell
//!   draws rules, titles and tabs, moves the focus, zooms, and calls `draw` with a [`canvas::Canvas`] per
//!   pane that is seen. Column 0 of a pane belongs to the cursor's sign.
//! * **Lists**: a [`list::List`] per pane. Hand motions to [`list::List::motion`], and in `settle` call
//!   [`list::List::settle`] with the pane's height; `draw` goes over [`list::List::seen`].
//! * **Search**: `search` gives every hit in the order of the screen, folded rows too; `spot` says where the
//!   cursor is and `reveal` goes there. The canvas marks hits by itself.
//! * **Way back**: `place` and `restore` keep all that the reader moved. Call [`screen::Ctx::jumped`] with
//!   `place()` before a jump, and `''` works. Popping a screen needs nothing: the one below never changed.
//! * **Long work**: [`screen::Ctx::spawn`] runs a closure on another thread; its value arrives as
//!   [`screen::Input::Report`], to be downcast. [`screen::Ctx::spawn_named`] for what the reader asked for: shown
//!   while it lasts, stopped by Esc. Ask [`job::Handle::cancelled`] often.
//! * **Safety**: everything drawn passes through [`crate::text::visible`] and is clipped to its room by cells.
//!
//! [`testing::Harness`] runs the real loop in memory: `Harness::new(screen, 120, 36).keys("j ] v")`, then
//! `screen()`, with jobs run in order and without threads.
//!
//! Invariants: no screen touches the terminal, a thread or a clock; nothing here opens domain, problem or
//! log files itself; no state is told by colour alone ([`sign::Sign`]).

pub mod browser;
pub mod canvas;
pub mod cells;
pub mod clipboard;
pub mod command;
pub mod config;
pub mod dispatch;
pub mod editor;
pub mod entry;
mod filter;
pub mod highlight;
pub mod input;
pub mod job;
pub mod keys;
pub mod layout;
mod legend;
pub mod list;
pub mod model;
pub mod open;
mod overlay;
pub mod page;
pub mod pattern;
mod planning;
pub mod play;
pub mod results;
pub mod run_loop;
pub mod screen;
pub mod shelf;
pub mod sign;
mod signals;
pub mod start;
pub mod terminal;
pub mod testing;
pub mod text_screen;
pub mod theme;
pub mod trajectory;
pub mod update;
pub mod view;
pub mod worlds;
