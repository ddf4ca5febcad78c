//! What a reader of a long run waits for: a frame drawn, a key answered. `cargo bench --bench screen`.
#![allow(clippy::unwrap_used)]

#[path = "../tests/support/mod.rs"]
mod support;

use std::{cell::RefCell, hint::black_box, sync::Arc};

use divan::Bencher;
use ratatui::{Terminal, backend::TestBackend, widgets::Paragraph};
use refract::{
    run::Writer,
    tui::{
        open::{self, Run},
        shelf::Shelf,
        testing::Harness,
        view::view,
    },
    world::{Library, ToolsetId},
};
use support::wander::Wanderer;

const STEPS: usize = 100_000;
const SIZE: (u16, u16) = (200, 60);

thread_local! {
    static INSPECTOR: RefCell<Harness> = RefCell::new(inspector());
}

fn main() {
    divan::main();
}

/// The trajectory screen on a run of 100,000 steps, all read and executed, at a step in its middle.
fn inspector() -> Harness {
    let world = Library::embedded().worlds[0].clone();
    let role = *world.problem.perspectives.get_index(0).unwrap().0;
    let toolset = ToolsetId::from(world.problem.toolsets.len() - 1);
    let mut wanderer = Wanderer::new(world, role, toolset, Some(u32::MAX), 1);
    let mut writer = Writer::new(Vec::new());
    wanderer.begin(&mut writer).unwrap();
    for number in 1..=STEPS {
        if number % 3 == 0 {
            wanderer.say(&mut writer, format!("Now the {number}th call."), number % 2 == 0).unwrap();
        }
        wanderer.step(&mut writer, format!("c{number}")).unwrap();
    }
    wanderer.end(&mut writer).unwrap();
    let run = Run::Made { name: "long".into(), bytes: writer.into_inner().into() };
    let mut harness = Harness::new(open::trajectory(&Arc::new(Shelf::home(None)), run, STEPS / 2), SIZE.0, SIZE.1);
    assert!(harness.keys("5 0 0 0 0 G").screen().contains("50000/100000"));
    harness
}

/// A whole frame, from the model to the cells that changed.
#[divan::bench]
fn frame(bencher: Bencher) {
    INSPECTOR.with_borrow_mut(|harness| {
        let mut terminal = Terminal::new(TestBackend::new(SIZE.0, SIZE.1)).unwrap();
        bencher.bench_local(|| {
            terminal.draw(|frame| view(&harness.model, frame)).unwrap();
        });
    });
}

/// What merely filling as many cells with text costs.
#[divan::bench]
fn cells_alone(bencher: Bencher) {
    let line = "refused: may not repair ".repeat(20);
    let text = vec![line.as_str(); usize::from(SIZE.1)].join("\n");
    let mut terminal = Terminal::new(TestBackend::new(SIZE.0, SIZE.1)).unwrap();
    bencher.bench_local(|| {
        terminal.draw(|frame| frame.render_widget(Paragraph::new(black_box(text.as_str())), frame.area())).unwrap();
    });
}

/// From a key to its frame, there and back again.
#[divan::bench(args = ["j k", "J K", "] v [ v", "] r [ r", "Ctrl-d Ctrl-u", "g G", "a a"])]
fn keys_there_and_back(bencher: Bencher, keys: &str) {
    INSPECTOR.with_borrow_mut(|harness| {
        bencher.bench_local(|| {
            harness.keys(keys);
        });
    });
}
