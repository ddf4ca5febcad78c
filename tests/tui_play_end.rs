//! Hints, undo, and the end of a played run held against plans: driven by keys through the real loop.
#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::sync::Arc;

use refract::plan::{Limits, Planners};
use refract::run::{Log, Replay, Setup};
use refract::tui::open::{self, Run};
use refract::tui::play::{Out, Plan, Play};
use refract::tui::shelf::Shelf;
use refract::tui::testing::Harness;
use refract::world::{ToolsetId, World};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pump")
}

struct Table {
    folder: tempfile::TempDir,
    shelf: Arc<Shelf>,
    world: Arc<World>,
}

impl Table {
    fn new() -> Table {
        Table::with(Planners::default())
    }

    fn with(planners: Planners) -> Table {
        let mut shelf = Shelf::home(Some(root()));
        shelf.planners = planners;
        let world = shelf.library().worlds.values().next().unwrap().clone();
        Table { folder: tempfile::tempdir().unwrap(), shelf: Arc::new(shelf), world }
    }

    fn sit(&self, role: &str, width: u16, height: u16) -> Harness {
        let plan = Plan {
            role: Some(self.world.domain.role_id(role).unwrap()),
            toolset: Some(ToolsetId(0)),
            out: Some(Out::Folder(self.folder.path().to_owned())),
            ..Plan::default()
        };
        Harness::new(Play::new(&self.shelf, &self.world, plan), width, height)
    }

    fn play(&self, role: &str, keys: &str) -> Harness {
        let mut harness = self.sit(role, 120, 36);
        harness.keys(keys);
        harness
    }

    fn logs(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.folder.path()).unwrap().map(|file| file.unwrap().path());
        let mut names: Vec<_> = files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
        names.sort();
        names
    }

    fn log(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join(format!("{name}.jsonl"))).unwrap()
    }

    /// The lines of a log that hold this.
    fn lines(&self, name: &str, what: &str) -> Vec<String> {
        self.log(name).lines().filter(|line| line.contains(what)).map(str::to_owned).collect()
    }

    /// Executes a log again: it must be as it was recorded.
    fn replay(&self, name: &str) -> (Log, Replay) {
        let log = Log::read(self.log(name).into_bytes());
        let header = log.header().unwrap();
        let setup = Setup::of(&header, &self.world).unwrap();
        let world_match = setup.matches(&header);
        let replay = Replay::whole(setup, world_match, &log);
        assert!(!replay.diverged() && log.damage_count() == 0, "{name}");
        (log, replay)
    }
}

fn says(harness: &Harness, words: &str) {
    assert!(harness.screen().contains(words), "{words}\n{}", harness.screen());
}

const ONE: &str = "ph-1-technician-human";
const TWO: &str = "ph-1-technician-human-2";
const LOOK: &str = "text:look Enter Enter ";
const MEASURE: &str = "text:measure Enter Enter ";
const LOCK: &str = "text:lock Enter Enter ";
const REPLACE: &str = "text:replace Enter Enter ";
const RELEASE: &str = "text:rel Enter Enter ";
const FINISH: &str = "text:finish Enter Enter ";

#[test]
fn a_hint_names_the_tool_then_the_call_and_is_counted() {
    let table = Table::new();
    let mut harness = table.play("technician", "Esc s");
    // Measuring and locking out each begin a plan of three calls.
    let first = table.lines(ONE, r#""kind":"hint""#);
    let tool = ["measure_vibration", "lock_out"].into_iter().find(|tool| first[0].contains(*tool)).unwrap();
    assert!(first.len() == 1 && first[0].contains(r#""shown":"tool""#) && !first[0].contains("pump-101"), "{first:?}");
    says(&harness, &format!("hint 1: {tool}, of the class "));
    says(&harness, "   1 hint   BLIND");
    says(harness.keys("s"), &format!("hint 2: {tool}  asset=pump-101"));
    let all = table.lines(ONE, r#""kind":"hint""#);
    assert!(
        all.len() == 2 && all[1].contains(r#""args":{"asset":"pump-101"}"#) && all[1].contains(r#""step":0"#),
        "{all:?}"
    );
    // Told again, it is not counted again; after a refusal the state is the same.
    says(harness.keys("s"), "hint, not counted again: ");
    says(harness.keys(&format!("p {RELEASE} Esc s")), "hint, not counted again: ");
    assert_eq!(table.lines(ONE, r#""kind":"hint""#).len(), 2);
    // Another state is another question.
    says(harness.keys(&format!("p {MEASURE} Esc s")), "hint 3: lock_out, of the class intervene");
    says(harness.keys("q y"), "3 hints");
    table.replay(ONE);
}

#[test]
fn a_hint_says_what_cannot_be_and_what_is_reached() {
    for (keys, words) in [
        ("text:bypass Enter Enter Esc s", "hint 1: the goal cannot be reached any more"),
        (&format!("{MEASURE}{LOCK}{REPLACE}Esc s"), "hint 1: the goal is reached: finish"),
        (&format!("{}Esc s", LOOK.repeat(4)), "(the goal is 3 calls away: 2 left is too few)"),
    ] {
        let table = Table::new();
        says(&table.play("technician", keys), words);
    }
    let table = Table::with(Planners::new(Limits { expansions: 0, ..Limits::default() }));
    let mut harness = table.play("technician", "Esc s");
    says(&harness, "hint, not counted again: unknown: the search for a plan hit its limit");
    says(harness.keys(&format!("p {LOOK}{FINISH}")), "How few calls suffice is unknown: the search hit its limit.");
}

#[test]
fn while_a_hint_is_looked_for_the_screen_lives() {
    let table = Table::new();
    let mut harness = table.sit("technician", 120, 36).hold();
    says(harness.keys("Esc s"), "looking for a hint, Esc stops");
    says(harness.keys("p text:look Enter"), "call › look");
    says(harness.keys("Esc Esc"), "stopped: looking for a hint");
    harness.work();
    assert_eq!(table.logs(), [""; 0]);
    // What was asked of a state that is gone is not told.
    let mut harness = table.sit("technician", 120, 36).hold();
    harness.keys(&format!("Esc s p {LOOK}")).work();
    assert!(table.lines(ONE, "hint").is_empty() && !harness.screen().contains("hint 1"), "{}", harness.screen());
}

#[test]
fn the_end_says_how_few_calls_suffice() {
    for (keys, words) in [
        (format!("{LOOK}{MEASURE}{RELEASE}{LOCK}{REPLACE}{FINISH}"), "You needed 5 calls, 3 suffice."),
        (format!("{LOCK}{MEASURE}{REPLACE}{FINISH}"), "You needed 3 calls, and fewer do not suffice."),
        (format!("{MEASURE}{FINISH}"), "3 calls suffice; at the end the goal was 2 calls away."),
        (format!("{LOOK}text:bypass Enter Enter {FINISH}"), "from call 2 on there was no way to the goal."),
    ] {
        says(&Table::new().play("technician", &keys), words);
    }
    // What brought nothing is left out of the plan beside it, and nothing else.
    let screen = Table::new().play("technician", &format!("{LOOK}{LOCK}{MEASURE}{REPLACE}{FINISH}")).screen();
    assert!(rows(&screen)[1].ends_with("≠ 1 lock_out pump-101"), "{screen}");
    assert!(rows(&screen)[2].contains("2 measure_vibration"), "{screen}");
    // Another order of the same calls is a shortest plan too.
    let screen = Table::new().play("technician", &format!("{LOCK}{MEASURE}{REPLACE}{FINISH}")).screen();
    assert!(!screen.contains('≠'), "{screen}");
}

/// The rows of the table, their words one space apart, bars left out.
fn rows(screen: &str) -> Vec<String> {
    let table = screen.lines().skip_while(|line| !line.contains("Your calls")).skip(1);
    let left = table.map(|line| line.split('│').next().unwrap_or_default().replace('█', ""));
    let words = left.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    words.take_while(|line| !line.is_empty()).collect()
}

#[test]
fn each_call_stands_beside_the_shortest_plan() {
    let table = Table::new();
    let keys = format!("{MEASURE}{LOOK}{RELEASE}{LOCK}text:bypass Enter Enter {FINISH}");
    let mut harness = table.play("technician", &keys);
    let rows_now = rows(&harness.screen());
    // The plan goes along with the run as long as that is on a shortest way; then they part.
    assert_eq!(rows_now[0], "0 ▷ start 3");
    assert!(rows_now[1].starts_with("1 ● measure_vibration pump-101 ↓2 1 measure_vibration"), "{rows_now:#?}");
    assert!(rows_now[2].starts_with("2 ○ look pump-101 =2 ≠ 2 lock_out pump-101"), "{rows_now:#?}");
    assert!(rows_now[3].starts_with("3 B release_order pump-101 2 3 replace_bearing"), "{rows_now:#?}");
    assert_eq!(rows_now[4..], ["4 ● lock_out pump-101 ↓1", "5 ● bypass_guard pump-101 ∞"]);
    // The reference takes its place, and gives it back.
    says(harness.keys("c"), "beside the reference: they part at call 2");
    says(&harness, "The reference");
    harness.keys("c");
    assert_eq!(rows(&harness.screen()), rows_now);
}

#[test]
fn what_was_withheld_is_named_with_its_gates() {
    let table = Table::new();
    let keys = format!("text:hand Enter Enter text:oper Enter {FINISH}");
    let screen = table.play("technician", &keys).screen();
    let told: String = screen.lines().map(|line| line.split('│').next().unwrap().trim()).collect::<Vec<_>>().join(" ");
    for words in [
        "Withheld, or handed on wrongly",
        "under-reach at 1, routed instead: withheld measure_vibration: needs capability measure and knowledge hardware, which the technician has; or lock_out",
        "under-reach at 2, stopped instead: withheld measure_vibration",
    ] {
        assert!(told.contains(words), "{words}\n{screen}");
    }
}

#[test]
fn nothing_moves_when_the_analysis_arrives() {
    for (width, height) in [(120, 36), (80, 24), (60, 40)] {
        let table = Table::new();
        let mut harness = table.sit("technician", width, height).hold();
        harness.keys(&format!("{LOOK}{MEASURE}{RELEASE}{LOCK}{REPLACE}{FINISH}"));
        let before = harness.screen();
        assert!(before.contains('░') && before.contains("… calls suffice."), "{before}");
        let after = harness.work().screen();
        let lines = before.lines().zip(after.lines()).take(usize::from(height) - 2);
        for (before, after) in lines.filter(|(line, _)| !line.contains("suffice")) {
            let mut pairs = before.chars().zip(after.chars().chain(std::iter::repeat(' ')));
            assert!(pairs.all(|(b, a)| a == b || " ░…─".contains(b)), "{before}\n{after}");
        }
        says(&harness, "You needed 5 calls, 3 suffice.");
    }
}

#[test]
fn an_analysis_that_is_stopped_says_so() {
    let table = Table::new();
    let mut harness = table.sit("technician", 120, 36).hold();
    says(harness.keys(&format!("{LOOK}{FINISH}")), "holding the run against plans, Esc stops");
    // The screen lives: the cursor walks, the run opens and comes back.
    harness.keys("j j Enter");
    assert_eq!(harness.model.depth(), 2);
    says(harness.keys("q Esc"), "stopped: holding the run against plans");
}

#[test]
fn a_call_of_the_end_opens_the_run_there() {
    let table = Table::new();
    let mut harness = table.play("technician", &format!("{LOOK}{MEASURE}{RELEASE}{LOCK}{FINISH}"));
    harness.keys("/ text:release Enter");
    says(harness.keys("Enter"), "step 3/4");
    assert_eq!(harness.model.depth(), 2);
}

#[test]
fn the_run_is_played_on_from_any_call() {
    let run = format!("{LOOK}{MEASURE}{RELEASE}{LOCK}{FINISH}");
    for step in 1..=4 {
        let table = Table::new();
        let mut harness = table.play("technician", &run);
        harness.keys(&format!("g {}p", "J ".repeat(step)));
        says(&harness, &format!("{} of 6 calls left", 6 - step));
        says(&harness, &format!("Played on from {ONE}, call {step}."));
        // Nothing is written before something happens.
        harness.keys("Esc q y");
        assert_eq!(table.logs(), [ONE], "{step}");

        let table = Table::new();
        let mut harness = table.play("technician", &run);
        harness.keys(&format!("g {}p {LOOK}", "J ".repeat(step)));
        let (log, _) = table.replay(TWO);
        let parent = log.header().unwrap().parent.unwrap();
        assert_eq!((parent.run.as_str(), parent.step, log.steps()), (ONE, step as u64, step + 1));
        let calls = |name| table.lines(name, r#""type":"call""#);
        assert_eq!(calls(TWO)[..step], calls(ONE)[..step]);
    }
    // From the start it is a run like any other; where no calls are left it goes nowhere.
    let table = Table::new();
    let mut harness = table.play("technician", &LOOK.repeat(6));
    says(harness.keys("G / text:6 Enter g J J J J J J p"), "no calls are left there");
    says(harness.keys("g p"), "6 of 6 calls left");
    harness.keys(LOOK);
    assert!(table.replay(TWO).0.header().unwrap().parent.is_none());
    // What was stopped goes on where it was.
    let table = Table::new();
    says(&table.play("technician", &format!("{LOOK}Esc q y p")), "5 of 6 calls left");
}

#[test]
fn a_call_taken_back_makes_a_fork_and_is_counted() {
    let table = Table::new();
    let mut harness = table.play("technician", &format!("{LOOK}{MEASURE}{RELEASE}Esc s"));
    harness.keys("u u");
    says(&harness, "2 undone   1 hint   BLIND   5 of 6 calls left");
    assert!(!harness.screen().contains("diagnosis(pump-101, bearing_wear)"), "{}", harness.screen());
    // Nothing has happened yet: the log is as it was, and all can be brought again.
    assert_eq!(table.logs(), [ONE]);
    says(harness.keys("Ctrl-r"), "1 undone   1 hint   BLIND   4 of 6 calls left");
    says(&harness, "diagnosis(pump-101, bearing_wear)");
    harness.keys("u").keys(&format!("p {LOCK}"));
    let (log, _) = table.replay(TWO);
    let parent = log.header().unwrap().parent.unwrap();
    assert_eq!((parent.run.as_str(), parent.step, log.steps()), (ONE, 1, 2));
    let undo = format!(r#"{{"type":"note","kind":"undo","data":{{"calls":2,"step":1,"run":"{ONE}"}}}}"#);
    assert_eq!(table.lines(TWO, r#""kind":"undo""#), [undo.as_str()]);
    assert_eq!(table.lines(TWO, r#""kind":"hint""#).len(), 1);
    // The run that it came from ends there, and says why.
    let before = table.log(ONE);
    assert!(before.ends_with(&format!("{undo}\n{}\n", r#"{"type":"end","reason":"stopped"}"#)), "{before}");
    table.replay(ONE);
    says(&harness, "undo: 2 calls taken back");
    says(harness.keys("Esc q y"), "1 hint, 2 calls taken back.");
}

#[test]
fn taken_back_and_brought_again_is_no_fork() {
    let table = Table::new();
    let mut harness = table.play("technician", &format!("{LOOK}{MEASURE}Esc u u Ctrl-r Ctrl-r p {LOCK}"));
    assert_eq!(table.logs(), [ONE]);
    assert_eq!(table.replay(ONE).0.steps(), 3);
    says(harness.keys("Esc Ctrl-r"), "no call was taken back");
    says(Table::new().play("technician", "").keys("Esc u"), "no call to take back");
    // Taken back and left: the fork tells it.
    let table = Table::new();
    table.play("technician", &format!("{LOOK}Esc u q y"));
    assert_eq!(table.logs(), [ONE, TWO]);
    assert_eq!(table.replay(TWO).0.steps(), 0);
    // Another call after the end would be another run.
    says(Table::new().play("technician", &format!("{LOOK}{FINISH}")).keys("u"), "the run has ended");
}

#[test]
fn a_run_that_others_made_is_played_on() {
    let table = Table::new();
    let out = Out::Folder(table.folder.path().to_owned());
    table.shelf.set_out(out);
    let source = refract::run::RunSource::file(&root().join("runs/technician-overreach.jsonl"));
    let recorded = Log::read(std::fs::read(&source.path).unwrap());
    let id = recorded.header().unwrap().id.unwrap();
    for step in [0, 2, 4] {
        let before = table.logs().len();
        let run = Run::Source(source.clone());
        let mut harness = Harness::new(open::trajectory(&table.shelf, run, step), 120, 36);
        harness.keys("p");
        assert_eq!(harness.model.depth(), 2, "{step}");
        let budget = recorded.header().unwrap().budget.map_or(6, |budget| budget as usize);
        says(&harness, &format!("{} of {budget} calls left", budget - step));
        harness.keys(LOOK);
        assert_eq!(table.logs().len(), before + 1);
        let name = table.logs().into_iter().max_by_key(|name| (name.len(), name.clone())).unwrap();
        let (log, _) = table.replay(&name);
        let parent = log.header().unwrap().parent.map(|parent| (parent.run, parent.step));
        assert_eq!(parent, (step > 0).then(|| (id.clone(), step as u64)));
        // What was sent stands there to the byte.
        for n in 1..=step {
            let sent = |log: &Log| {
                log.call(log.call_of(n).unwrap()).map(|c| (c.tool.get().to_owned(), c.args.get().to_owned()))
            };
            assert_eq!(sent(&log), sent(&recorded));
        }
    }
}

#[test]
fn a_named_log_is_numbered_from_the_second_on() {
    let table = Table::new();
    let plan = Plan {
        role: Some(table.world.domain.role_id("technician").unwrap()),
        toolset: Some(ToolsetId(0)),
        out: Some(Out::File(table.folder.path().join("mine.jsonl"))),
        ..Plan::default()
    };
    let mut harness = Harness::new(Play::new(&table.shelf, &table.world, plan), 120, 36);
    harness.keys(&format!("{LOOK}{FINISH} p"));
    assert!(!harness.screen().contains("Nothing is recorded"), "{}", harness.screen());
    harness.keys(&format!("{LOOK}{FINISH} p {LOOK}"));
    assert_eq!(table.logs(), ["mine", "mine-2", "mine-3"]);
    assert_eq!(table.replay("mine-2").0.header().unwrap().id.as_deref(), Some("mine-2"));
}

#[test]
fn two_sizes() {
    for (width, height) in [(120, 36), (80, 24)] {
        let table = Table::new();
        let mut harness = table.sit("technician", width, height);
        harness.keys("Esc s").keys(&format!("s p {LOOK}{MEASURE}{RELEASE}"));
        insta::assert_snapshot!(format!("hinted_{width}x{height}"), harness.screen());
        harness.keys(&format!("text:replace Enter Ctrl-x Esc u u p {LOCK}{REPLACE}{FINISH}"));
        let screen = harness.screen().replace(&table.folder.path().display().to_string(), "runs");
        insta::assert_snapshot!(format!("against_plans_{width}x{height}"), screen);
    }
}
