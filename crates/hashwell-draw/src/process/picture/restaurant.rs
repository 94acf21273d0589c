//! Pictures of partitions as seated customers.

use super::WIDTH;
use super::circle::place;
use super::words::{counted, listed};
use crate::number::ln;
use crate::order::places_in_order;
use hashwell_document::chart::{Anchor, Drawing, Fill, Ink, Letters, number};
use std::collections::HashMap;
use std::f64::consts::{LN_2, TAU};

/// The maximum number of tables drawn; if there are more, the largest are drawn.
const TABLES: usize = 24;
/// The maximum number of seats drawn at a table.
const SEATED: usize = 40;
/// The maximum number of customers for which seats are drawn.
const MAX_SEATED: usize = 300;
/// The radius of a seat.
const SEAT: f64 = 10.0;
/// The distance between the centres of neighbouring seats.
const PITCH: f64 = 22.0;
/// The distance between tables.
const GAP: f64 = 16.0;

/// A table with its customers.
struct Table {
    number: usize,
    size: usize,
    /// The customer who opened the table.
    first: usize,
    /// The customers with seats, newest first.
    seated: Vec<usize>,
}

/// Draws the restaurant in which customer i sits at table `tables[i]`. Tables are circles in the order in which they
/// were opened. The number in a circle is the size of the table. If there are at most 300 customers, up to 40 numbered
/// seats are drawn around each table, with the newest customer at the top and the others following clockwise. The
/// radius of a circle grows with the logarithm of the size. If there are more than 24 tables, the 24 largest are drawn
/// and the others are counted. The dashed circle is the table that would be opened next.
///
/// The table numbers can be any integers. This takes O(n) time for n customers.
#[must_use]
pub fn restaurant(tables: &[u32]) -> String {
    let all = seat(tables);
    let title = format!(
        "{} at {}",
        counted(tables.len(), "customer", "customers"),
        counted(all.len(), "table", "tables")
    );
    let (shown, gathered) = choose(all);
    let mut drawing = Drawing::new(title, description(&shown, &gathered), WIDTH);
    let mut flow = Flow::below(drawing.top());
    for table in &shown {
        let centre = flow.place(&mut drawing, table.reach());
        flow.row.push(Item::Table(table, centre));
    }
    let centre = flow.place(&mut drawing, NEXT);
    flow.row.push(Item::Next(centre));
    let mut y = flow.end_row(&mut drawing) + 0.5 * Drawing::LINE;
    for line in Drawing::wrapped(&legend(&shown, &gathered), WIDTH - 2.0 * Drawing::PAD) {
        drawing.text((Drawing::PAD, y), Anchor::Start, Letters::Quiet, &line);
        y += Drawing::LINE;
    }
    drawing.svg(y + Drawing::PAD)
}

/// The tables in their order of opening.
fn seat(tables: &[u32]) -> Vec<Table> {
    let mut number_of: HashMap<u32, usize> = HashMap::new();
    let mut all: Vec<Table> = Vec::new();
    for (customer, &name) in tables.iter().enumerate() {
        let number = *number_of.entry(name).or_insert(all.len());
        if number == all.len() {
            all.push(Table { number, size: 0, first: customer, seated: Vec::new() });
        }
        let table = &mut all[number];
        table.size += 1;
        if tables.len() <= MAX_SEATED {
            table.seated.push(customer);
        }
    }
    for table in &mut all {
        if table.size > SEATED {
            table.seated.clear();
        }
        table.seated.reverse();
    }
    all
}

/// The tables to draw, and the sizes of the others.
fn choose(mut all: Vec<Table>) -> (Vec<Table>, Vec<usize>) {
    if all.len() <= TABLES {
        return (all, Vec::new());
    }
    // The largest tables; among equal ones, those opened first.
    let order = places_in_order(all.len(), &|a, b| all[b].size.cmp(&all[a].size));
    let (largest, others) = order.split_at(TABLES);
    let gathered = others.iter().map(|&at| all[at].size).collect();
    all.retain(|table| largest.contains(&table.number));
    (all, gathered)
}

fn description(shown: &[Table], gathered: &[usize]) -> String {
    let sizes: Vec<String> = shown.iter().map(|table| number(table.size as f64)).collect();
    let drawn = match sizes.len() {
        0 => "No tables yet.".to_owned(),
        _ => format!("Table sizes, in the order of opening: {}.", sizes.join(", ")),
    };
    format!("{drawn}{} A dashed circle is the next table.", prefixed(" And ", &gathering(gathered), "."))
}

fn legend(shown: &[Table], gathered: &[usize]) -> String {
    let seats = shown.iter().any(|table| !table.seated.is_empty());
    let seats = if seats { "Customers clockwise from the top, newest first. " } else { "" };
    let tables = if shown.len() > 1 { "Radii grow with the logarithm of the size." } else { "" };
    format!("{}{seats}{tables}", prefixed("… and ", &gathering(gathered), ". "))
}

fn prefixed(before: &str, text: &str, after: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{before}{text}{after}") }
}

/// A summary such as "51 tables of one, 12 of two and 7 of 3 to 9".
fn gathering(sizes: &[usize]) -> String {
    let mut classes: Vec<(usize, usize, String)> =
        vec![(1, 1, "one".into()), (2, 2, "two".into()), (3, 9, "3 to 9".into())];
    for power in 1..=19 {
        let low = 10_usize.pow(power);
        let high = low.saturating_mul(10).saturating_sub(1);
        classes.push((low, high, format!("{} to {}", number(low as f64), number(high as f64))));
    }
    let count = |low, high| sizes.iter().filter(|size| (low..=high).contains(*size)).count();
    let parts =
        classes.iter().map(|(low, high, name)| (count(*low, *high), name)).filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .enumerate()
        .map(|(i, (count, name))| match i {
            0 => format!("{} of {name}", counted(count, "table", "tables")),
            _ => format!("{} of {name}", number(count as f64)),
        })
        .collect();
    listed(&parts)
}

/// The radius of the next, empty table.
const NEXT: f64 = 21.0;

impl Table {
    /// The radius of the circle.
    fn radius(&self) -> f64 {
        13.0 + 3.5 * ln(self.size as f64) / LN_2
    }

    /// The radii of the rings of seats, with the number of seats in each.
    fn rings(&self) -> Vec<(f64, usize)> {
        let mut rings = Vec::new();
        let (mut radius, mut left) = (self.radius() + SEAT + 4.0, self.seated.len());
        while left > 0 {
            let seats = left.min((TAU * radius / PITCH) as usize);
            rings.push((radius, seats));
            left -= seats;
            radius += PITCH;
        }
        rings
    }

    /// The distance from the centre to the outermost point.
    fn reach(&self) -> f64 {
        self.rings().last().map_or(self.radius(), |(radius, _)| radius + SEAT)
    }

    fn draw(&self, drawing: &mut Drawing, (x, y): (f64, f64)) {
        let ink = Ink::Hue(self.number);
        let customers = counted(self.size, "customer", "customers");
        let tip =
            format!("table {}: {customers}, opened by customer {}", self.number, number(self.first as f64));
        drawing.circle((x, y), self.radius(), ink, Fill::Wash, &tip);
        drawing.text((x, y), Anchor::Middle, Letters::Bold, &number(self.size as f64));
        let mut seated = self.seated.iter();
        for (radius, seats) in self.rings() {
            for (i, customer) in seated.by_ref().take(seats).enumerate() {
                let (right, down) = place(i as f64 / seats as f64);
                let seat = (x + radius * right, y + radius * down);
                drawing.circle(seat, SEAT, ink, Fill::Paper, "");
                drawing.text(seat, Anchor::Middle, Letters::Small, &customer.to_string());
            }
        }
        drawing.end_line();
    }
}

/// An item in a row.
enum Item<'a> {
    Table(&'a Table, f64),
    Next(f64),
}

/// Arranges circles from left to right, in rows.
struct Flow<'a> {
    top: f64,
    right: f64,
    /// Half of the row's height.
    reach: f64,
    row: Vec<Item<'a>>,
}

impl Flow<'_> {
    fn below(top: f64) -> Self {
        Self { top, right: Drawing::PAD, reach: 0.0, row: Vec::new() }
    }

    /// The horizontal centre of the next circle. Starts a new row if there is no space left.
    fn place(&mut self, drawing: &mut Drawing, reach: f64) -> f64 {
        if self.right + 2.0 * reach > WIDTH - Drawing::PAD && !self.row.is_empty() {
            self.top = self.end_row(drawing);
            self.right = Drawing::PAD;
            self.reach = 0.0;
        }
        let centre = self.right + reach;
        self.right = centre + reach + GAP;
        self.reach = self.reach.max(reach);
        centre
    }

    /// Draws the row, and returns the vertical position of the next one.
    fn end_row(&mut self, drawing: &mut Drawing) -> f64 {
        let y = self.top + self.reach;
        for item in self.row.drain(..) {
            match item {
                Item::Table(table, x) => table.draw(drawing, (x, y)),
                Item::Next(x) => {
                    drawing.circle((x, y), NEXT, Ink::Faint, Fill::Dashed, "the next table to be opened");
                    drawing.text((x, y), Anchor::Middle, Letters::Quiet, "next");
                    drawing.end_line();
                }
            }
        }
        y + self.reach + GAP
    }
}
