//! Where panes stand: bands of columns, each headed by a rule, in any size of window (screens.md §4).

use ratatui::layout::{Rect, Size};

/// A pane of a screen, numbered by the screen. The first that can have the focus is the main list.
pub type PaneId = u8;

/// How much room a window gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Room {
    /// Under 30×8: one line of one pane.
    Tiny,
    /// Under 80 columns or 16 rows: one pane, the others tabs.
    Narrow,
    /// 80 to 109 columns: two panes, the right one a tab.
    Medium,
    /// From 110 columns: three panes.
    Wide,
}

impl Room {
    /// The class of a window.
    pub fn of(size: Size) -> Room {
        match (size.width, size.height) {
            (w, h) if w < 30 || h < 8 => Room::Tiny,
            (w, h) if w < 80 || h < 16 => Room::Narrow,
            (w, _) if w < 110 => Room::Medium,
            _ => Room::Wide,
        }
    }
}

/// How wide a column or how high a band is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// So many cells; a band's count its rule.
    Cells(u16),
    /// A share of what the fixed ones leave.
    Share(u16),
}

/// A column of a band: one pane, or several as tabs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slot {
    /// Its panes; the one that last had the focus shows.
    pub panes: Vec<PaneId>,
    /// Its width.
    pub extent: Extent,
}

/// A row of columns under one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Band {
    /// Its columns, left to right.
    pub slots: Vec<Slot>,
    /// Its height, rule included.
    pub extent: Extent,
}

/// What a screen asks for at a given size.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    /// Header lines above everything.
    pub header: u16,
    /// The bands, top down.
    pub bands: Vec<Band>,
    /// Panes that only show: the focus passes them by.
    pub still: Vec<PaneId>,
}

impl Layout {
    /// A layout with so many header lines.
    pub fn new(header: u16) -> Layout {
        Layout { header, ..Layout::default() }
    }

    /// Adds a band of columns: `(panes, width)`.
    pub fn band(mut self, extent: Extent, slots: &[(&[PaneId], Extent)]) -> Layout {
        let slots = slots.iter().map(|&(panes, extent)| Slot { panes: panes.to_vec(), extent }).collect();
        self.bands.push(Band { slots, extent });
        self
    }

    /// Says that a pane never has the focus.
    pub fn still(mut self, pane: PaneId) -> Layout {
        self.still.push(pane);
        self
    }

    /// Panes that can have the focus, in the order of `Tab`.
    pub fn order(&self) -> impl Iterator<Item = PaneId> {
        let all = self.bands.iter().flat_map(|b| &b.slots).flat_map(|s| &s.panes).copied();
        all.filter(|pane| !self.still.contains(pane))
    }
}

/// Which pane has the focus, and how it came there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Panes {
    /// The pane that has the focus.
    pub focus: PaneId,
    /// It fills the screen.
    pub zoom: bool,
    recent: Vec<PaneId>,
}

impl Panes {
    /// Gives a pane the focus; its tab comes to the front.
    pub fn focus(&mut self, pane: PaneId) {
        self.focus = pane;
        self.front(pane);
    }

    /// Brings a pane's tab to the front; the focus stays.
    pub fn front(&mut self, pane: PaneId) {
        self.recent.retain(|&p| p != pane);
        self.recent.insert(0, pane);
    }

    fn shown(&self, slot: &Slot) -> Option<PaneId> {
        self.recent.iter().find(|p| slot.panes.contains(p)).or(slot.panes.first()).copied()
    }
}

/// A pane in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    /// Which pane.
    pub pane: PaneId,
    /// Its body.
    pub area: Rect,
    /// The stretch of rule above it that bears its title; empty where there is no rule.
    pub rule: Rect,
    /// The panes that share its place, itself among them.
    pub tabs: Vec<PaneId>,
}

/// A screen laid out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arranged {
    /// The window.
    pub size: Size,
    /// The header.
    pub header: Rect,
    /// The panes to be seen.
    pub placed: Vec<Placed>,
    /// The message line; may be empty.
    pub message: Rect,
    /// The footer; may be empty.
    pub footer: Rect,
}

impl Arranged {
    /// The body of a pane; empty where it is not to be seen.
    pub fn area(&self, pane: PaneId) -> Rect {
        self.find(pane).map_or(Rect::ZERO, |p| p.area)
    }

    /// A pane, where it is to be seen.
    pub fn find(&self, pane: PaneId) -> Option<&Placed> {
        self.placed.iter().find(|p| p.pane == pane)
    }

    /// The pane next to another in a direction, of those that are to be seen.
    pub fn beside(&self, from: PaneId, dx: i32, dy: i32) -> Option<PaneId> {
        let here = self.find(from)?.area;
        let overlap = |a: u16, an: u16, b: u16, bn: u16| (a + an).min(b + bn).saturating_sub(a.max(b));
        let distance = |r: Rect| match (dx, dy) {
            (1, 0) => r.x.checked_sub(here.right()).map(|d| (overlap(here.y, here.height, r.y, r.height), d)),
            (-1, 0) => here.x.checked_sub(r.right()).map(|d| (overlap(here.y, here.height, r.y, r.height), d)),
            (0, 1) => r.y.checked_sub(here.bottom()).map(|d| (overlap(here.x, here.width, r.x, r.width), d)),
            _ => here.y.checked_sub(r.bottom()).map(|d| (overlap(here.x, here.width, r.x, r.width), d)),
        };
        let near = |p: &Placed| distance(p.area).filter(|&(shared, _)| shared > 0).map(|(_, d)| (d, p.pane));
        self.placed.iter().filter(|p| p.pane != from).filter_map(near).min().map(|(_, pane)| pane)
    }
}

/// Lays a screen out. Total: any size, 0×0 too, gives places inside the window.
pub fn arrange(layout: &Layout, size: Size, panes: &Panes) -> Arranged {
    let Size { width, height } = size;
    let mut out = Arranged { size, ..Arranged::default() };
    if Room::of(size) == Room::Tiny {
        let footer = u16::from(height > 2);
        out.message = Rect::new(0, height - footer, width, footer);
        let area = Rect::new(0, 0, width, height - footer);
        out.placed = vec![Placed { pane: panes.focus, area, rule: Rect::ZERO, tabs: vec![panes.focus] }];
        return out;
    }
    out.header = Rect::new(0, 0, width, layout.header.min(height / 4));
    out.footer = Rect::new(0, height - 1, width, 1);
    out.message = Rect::new(0, height - 2, width, 1);
    let body = Rect::new(0, out.header.height, width, height - 2 - out.header.height);
    let zoomed = Layout::new(0).band(Extent::Share(1), &[(&[panes.focus], Extent::Share(1))]);
    let bands = if panes.zoom { &zoomed.bands } else { &layout.bands };
    let heights = split(body.height, bands.iter().map(|b| b.extent), 0);
    let mut y = body.y;
    for (band, height) in bands.iter().zip(heights) {
        place_band(band, Rect { y, height, ..body }, panes, &mut out.placed);
        y += height;
    }
    out
}

fn place_band(band: &Band, area: Rect, panes: &Panes, placed: &mut Vec<Placed>) {
    if area.height == 0 {
        return;
    }
    let mut x = area.x;
    for (slot, width) in band.slots.iter().zip(split(area.width, band.slots.iter().map(|s| s.extent), 1)) {
        if let (Some(pane), true) = (panes.shown(slot), width > 0) {
            let rule = Rect { x, width, height: 1, ..area };
            let body = Rect { x, width, y: area.y + 1, height: area.height - 1 };
            placed.push(Placed { pane, area: body, rule, tabs: slot.panes.clone() });
        }
        x = (x + width + 1).min(area.right());
    }
}

/// Shares `total` out, with `gap` cells between neighbours. The sum with gaps never exceeds `total`.
fn split(total: u16, extents: impl Iterator<Item = Extent> + Clone, gap: u16) -> Vec<u16> {
    let count = u16::try_from(extents.clone().count()).unwrap_or(u16::MAX);
    let total = total.saturating_sub(gap.saturating_mul(count.saturating_sub(1)));
    let fixed = |e: &Extent| if let Extent::Cells(n) = e { *n } else { 0 };
    let share = |e: &Extent| if let Extent::Share(n) = e { u32::from(*n) } else { 0 };
    let shares: u32 = extents.clone().map(|e| share(&e)).sum();
    let wanted: u16 = extents.clone().map(|e| fixed(&e)).fold(0, u16::saturating_add);
    // Shares keep at least a third: a fixed column must not push the main one out.
    let for_fixed = if shares == 0 { total } else { total - total / 3 };
    let scale = |n: u16| {
        if wanted <= for_fixed {
            n
        } else {
            u16::try_from(u32::from(n) * u32::from(for_fixed) / u32::from(wanted)).unwrap_or(n)
        }
    };
    let mut left = total - extents.clone().map(|e| scale(fixed(&e))).sum::<u16>();
    let mut shares_left = shares;
    extents
        .map(|extent| match extent {
            Extent::Cells(n) => scale(n),
            Extent::Share(n) => {
                let mine = u32::from(left) * u32::from(n) / shares_left.max(1);
                shares_left -= u32::from(n);
                left -= u16::try_from(mine).unwrap_or(left);
                u16::try_from(mine).unwrap_or(0)
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn room_by_size() {
        for (w, h, room) in [
            (0, 0, Room::Tiny),
            (29, 40, Room::Tiny),
            (200, 7, Room::Tiny),
            (79, 40, Room::Narrow),
            (200, 15, Room::Narrow),
            (80, 16, Room::Medium),
            (109, 50, Room::Medium),
            (110, 16, Room::Wide),
        ] {
            assert_eq!(Room::of(Size::new(w, h)), room, "{w}×{h}");
        }
    }

    fn three() -> Layout {
        use Extent::{Cells, Share};
        Layout::new(2)
            .band(Share(1), &[(&[0], Cells(37)), (&[1], Share(3)), (&[2, 3], Share(2))])
            .band(Cells(5), &[(&[4], Share(1)), (&[5], Share(1))])
    }

    #[test]
    fn neighbours_by_direction() {
        let at = arrange(&three(), Size::new(120, 34), &Panes::default());
        assert_eq!(at.area(0), Rect::new(0, 3, 37, 24));
        for (from, dx, dy, to) in [
            (0, 1, 0, Some(1)),
            (1, -1, 0, Some(0)),
            (1, 1, 0, Some(2)),
            (0, 0, 1, Some(4)),
            (5, 0, -1, Some(1)),
            (0, -1, 0, None),
        ] {
            assert_eq!(at.beside(from, dx, dy), to, "{from} {dx},{dy}");
        }
    }

    #[test]
    fn a_tab_shows_what_last_had_the_focus() {
        let mut panes = Panes::default();
        panes.focus(3);
        panes.focus(0);
        let at = arrange(&three(), Size::new(120, 34), &panes);
        assert!(at.find(3).is_some() && at.find(2).is_none());
    }

    proptest! {
        #[test]
        fn places_lie_inside_and_apart(w in 0u16..300, h in 0u16..100, focus in 0u8..6, zoom: bool) {
            let mut panes = Panes { zoom, ..Panes::default() };
            panes.focus(focus);
            let at = arrange(&three(), Size::new(w, h), &panes);
            let window = Rect::new(0, 0, w, h);
            for (i, p) in at.placed.iter().enumerate() {
                prop_assert_eq!(window.union(p.area), window);
                for q in &at.placed[i + 1..] {
                    prop_assert!(!p.area.intersects(q.area), "{:?} {:?}", p, q);
                }
            }
        }
    }
}
