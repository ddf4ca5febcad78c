//! A screen of three panes of lists, as plain as can be.

use ratatui::layout::Size;
use refract::tui::canvas::Canvas;
use refract::tui::command::Cmd;
use refract::tui::layout::{Arranged, Extent, Layout, PaneId, Room};
use refract::tui::list::List;
use refract::tui::pattern::Pattern;
use refract::tui::screen::{Ctx, Input, Kind, Place, Screen, Spot, Title};

pub struct Toy {
    pub name: String,
    pub lists: [List; 3],
    pub rows: Vec<String>,
    pub heard: Vec<String>,
}

impl Toy {
    pub fn new(name: &str, rows: usize) -> Toy {
        let rows = (0..rows).map(|n| format!("{name} row {n}")).collect();
        Toy { name: name.to_owned(), lists: Default::default(), rows, heard: Vec::new() }
    }
}

impl Screen for Toy {
    fn kind(&self) -> Kind {
        Kind::Text
    }

    fn address(&self) -> String {
        format!("{}#{}", self.name, self.lists[0].cursor)
    }

    fn layout(&self, size: Size) -> Layout {
        use Extent::{Cells, Share};
        match Room::of(size) {
            Room::Tiny | Room::Narrow => Layout::new(1).band(Share(1), &[(&[0, 1, 2], Share(1))]),
            Room::Medium => Layout::new(1).band(Share(1), &[(&[0], Cells(30)), (&[1, 2], Share(1))]),
            Room::Wide => Layout::new(2)
                .band(Share(1), &[(&[0], Cells(30)), (&[1], Share(1))])
                .band(Cells(5), &[(&[2], Share(1))]),
        }
    }

    fn title(&self, pane: PaneId) -> Title {
        Title::new(["Left", "Middle", "Right"][usize::from(pane)]).right(self.rows.len().to_string())
    }

    fn draw_header(&self, canvas: &mut Canvas) {
        canvas.sides(1, 0, self.name.as_str(), "at the right ");
    }

    fn draw(&self, pane: PaneId, canvas: &mut Canvas) {
        let list = &self.lists[usize::from(pane)];
        for seen in list.seen(self.rows.len(), canvas.height(), |_| 1) {
            canvas.row(seen.y, seen.cursor, self.rows[seen.row].as_str(), format!("{}", seen.row));
        }
    }

    fn update(&mut self, input: Input, ctx: &mut Ctx) {
        self.heard.push(format!("{input:?}"));
        let pane = usize::from(ctx.panes.focus);
        match input {
            Input::Run(call) if call.cmd == Cmd::Wrap => ctx.push(Toy::new(&call.argument, 50)),
            Input::Run(call) if call.cmd == Cmd::CopyPath => {
                let name = self.name.clone();
                ctx.push(Toy::new(if name == "below" { "above" } else { "below" }, 50));
            }
            Input::Run(call) if call.cmd == Cmd::Edit => {
                let label = if call.count.is_some() { "a job that never ends" } else { "counting" };
                let panics = call.count == Some(13);
                ctx.spawn_named(label, move |job| {
                    assert!(!panics, "thirteen");
                    job.report(String::from("so far"));
                    String::from("counted")
                });
            }
            Input::Run(call) if call.cmd == Cmd::CopyValue => ctx.ask("sure", "Sure?"),
            Input::Run(call) => {
                self.lists[pane].motion(&call, self.rows.len());
            }
            Input::Click { pane, y, second, .. } => {
                let list = &mut self.lists[usize::from(pane)];
                list.cursor = list.at(y, self.rows.len(), |_| 1).unwrap_or(list.cursor);
                if second {
                    ctx.say(format!("opened {}", list.cursor));
                }
            }
            Input::Wheel { pane, rows } => self.lists[usize::from(pane)].wheel(rows, self.rows.len()),
            Input::Report(found) => ctx.say(found.downcast_ref::<String>().cloned().unwrap_or_default()),
            Input::Answer { tag, text } => ctx.say(format!("{tag}: {text}")),
            _ => {}
        }
    }

    fn settle(&mut self, arranged: &Arranged) {
        for (pane, list) in (0..).zip(&mut self.lists) {
            list.settle(self.rows.len(), arranged.area(pane).height, |_| 1);
        }
    }

    fn place(&self) -> Place {
        Place::new(self.lists)
    }

    fn restore(&mut self, place: &Place) {
        self.lists = place.get().copied().unwrap_or(self.lists);
    }

    fn search(&self, pattern: &Pattern) -> Vec<Spot> {
        let hits = self.rows.iter().enumerate().filter(|(_, text)| pattern.matches(text));
        hits.map(|(row, _)| Spot { pane: 0, row }).collect()
    }

    fn spot(&self) -> Spot {
        Spot { pane: 0, row: self.lists[0].cursor }
    }

    fn reveal(&mut self, spot: Spot) {
        self.lists[0].cursor = spot.row;
    }
}
