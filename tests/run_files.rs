//! Logs on disk: written as it happens, found, followed.
#![allow(clippy::unwrap_used)]

use std::cell::RefCell;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use refract::run::{
    EndReason, Event, Log, More, NoStep, Place, RowKind, RunSource, Speaker, Tail, Writer, embedded, find, resolve,
};

fn say(text: &str) -> Event {
    Event::Message { from: Speaker::Agent, text: text.to_owned(), reasoning: false }
}

/// A file that takes so many bytes and then fails, until it is given room again.
#[derive(Clone, Default)]
struct Disk(Rc<RefCell<(Vec<u8>, usize, usize)>>);

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let (held, room, _) = &mut *self.0.borrow_mut();
        let taken = bytes.len().min(*room);
        *room -= taken;
        held.extend_from_slice(&bytes[..taken]);
        if taken == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(taken) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().2 += 1;
        Ok(())
    }
}

#[test]
fn every_event_is_flushed_and_a_failed_write_damages_one_line() {
    let disk = Disk::default();
    disk.0.borrow_mut().1 = 1000;
    let mut writer = Writer::new(disk.clone());
    writer.write(&say("one")).unwrap();
    writer.write(&say("two")).unwrap();
    assert_eq!(disk.0.borrow().2, 2);
    for room in 0..30 {
        disk.0.borrow_mut().1 = room;
        assert_eq!(writer.write(&say("lost")).unwrap_err().kind(), io::ErrorKind::StorageFull);
        disk.0.borrow_mut().1 = 1000;
        writer.write(&say("kept")).unwrap();
    }
    let log = Log::read(disk.0.borrow().0.clone());
    let texts: Vec<_> = log.row_ids().filter_map(|row| log.message(row)).map(|m| m.text.into_owned()).collect();
    assert_eq!(texts.len(), 32);
    assert_eq!(texts[..3], ["one", "two", "kept"]);
    assert!(log.rows().iter().filter(|row| row.kind == RowKind::Broken).count() <= 30);
}

#[test]
fn a_log_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    Writer::create(&path).unwrap().write(&say("first")).unwrap();
    assert_eq!(Writer::create(&path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
    let inner = folder.path().join("x/y");
    let names: Vec<PathBuf> = (0..3).map(|_| Writer::create_in(&inner, "b").unwrap().0).collect();
    assert_eq!(names, ["b.jsonl", "b-2.jsonl", "b-3.jsonl"].map(|name| inner.join(name)));
    assert!(Writer::create_in(&path, "c").is_err());
    assert!(fs::read_to_string(&path).unwrap().contains("first"));
}

#[test]
fn runs_are_found_below_a_folder_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    fs::create_dir_all(at("b/inner.jsonl")).unwrap();
    for path in ["c.jsonl", "a.jsonl", "notes.txt", "b/z.jsonl", "b/inner.jsonl/q.jsonl"] {
        fs::write(at(path), r#"{"type":"run","id":"the-id"}"#).unwrap();
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path(), at("b/loop")).unwrap();
    let found = find(folder.path());
    assert!(found.unreadable.is_empty());
    let paths: Vec<_> = found.runs.iter().map(|run| run.path.clone()).collect();
    assert_eq!(paths, ["a.jsonl", "b/inner.jsonl/q.jsonl", "b/z.jsonl", "c.jsonl"].map(at));
    assert_eq!(found.runs[0].name, "a");

    // A file is a run whatever it is called; what is not there is said.
    assert_eq!(find(&at("notes.txt")).runs, [RunSource::file(&at("notes.txt"))]);
    let missing = find(&at("missing"));
    assert_eq!(missing.unreadable[0].1.kind(), io::ErrorKind::NotFound);

    let resolved = |text: &str| resolve(text, &found.runs).map(|run| run.path);
    assert_eq!(resolved("z"), Some(at("b/z.jsonl")));
    assert_eq!(resolved("the-id"), Some(at("a.jsonl")));
    assert_eq!(resolved(at("c.jsonl").to_str().unwrap()), Some(at("c.jsonl")));
    assert_eq!(resolved("nothing"), None);
}

#[test]
fn what_comes_with_the_program_can_be_read() {
    for run in embedded() {
        assert!(run.path.starts_with("runs") && run.embedded, "{run:?}");
        assert_eq!(run.open().unwrap().damage_count(), 0, "{run:?}");
    }
    let none = RunSource { name: "x".into(), path: "runs/x.jsonl".into(), embedded: true };
    assert_eq!(none.read().unwrap_err().kind(), io::ErrorKind::NotFound);
}

#[test]
fn a_place_is_a_run_and_perhaps_a_step() {
    for (text, run, step) in [
        ("a-71", "a-71", None),
        ("a-71#5", "a-71", Some(5)),
        ("runs/a#b.jsonl#0", "runs/a#b.jsonl", Some(0)),
        ("#5", "#5", None),
        ("", "", None),
    ] {
        assert_eq!(Place::parse(text), Ok(Place { run, step }), "{text}");
    }
    for (text, step) in [("a#b", "b"), ("a#-1", "-1"), ("a#+1", "+1"), ("a#", ""), ("a#1.5", "1.5")] {
        assert_eq!(Place::parse(text), Err(NoStep(step)), "{text}");
    }
}

#[cfg(unix)]
#[test]
fn a_device_is_not_followed() {
    let error = Tail::new(Path::new("/dev/zero"), &[]).more(1000).unwrap_err();
    assert_eq!(error.to_string(), "it is no regular file");
}

#[test]
fn a_growing_log_is_followed() {
    let folder = tempfile::tempdir().unwrap();
    let path: &Path = &folder.path().join("a.jsonl");
    let mut writer = Writer::create(path).unwrap();
    writer.write(&say("one")).unwrap();
    let mut log = RunSource::file(path).open().unwrap();
    let mut tail = Tail::new(path, log.bytes());
    assert_eq!(tail.more(1000).unwrap(), More::Bytes(Vec::new()));
    writer.write(&say("two")).unwrap();
    writer.write(&Event::End { reason: EndReason::Finished }).unwrap();
    // In bites, so that a line comes in halves.
    while let More::Bytes(bytes) = tail.more(7).unwrap() {
        if bytes.is_empty() {
            break;
        }
        log.append(&bytes);
        log.finish();
    }
    assert_eq!(
        log.rows().iter().map(|row| row.kind).collect::<Vec<_>>(),
        [RowKind::Message, RowKind::Message, RowKind::End]
    );
    assert_eq!(log.end(), Some(EndReason::Finished));
    fs::write(path, "{}").unwrap();
    assert_eq!(tail.more(1000).unwrap(), More::StartOver);
    assert_eq!(tail.more(1000).unwrap(), More::Bytes(b"{}".to_vec()));
    fs::remove_file(path).unwrap();
    assert_eq!(tail.more(1000).unwrap_err().kind(), io::ErrorKind::NotFound);
}
