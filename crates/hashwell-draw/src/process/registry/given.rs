//! What a process is given: parameters by name, as texts or as values, and held against what its row asks for.

use crate::Error;
use crate::error::shown;
use crate::number::float;

/// What a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number, as a text `1.5`.
    Number,
    /// A whole number, as a text `10`.
    Whole,
    /// Numbers, as a text `0.5,0.5`.
    Numbers,
    /// Whole numbers, as a text `3,0,1`.
    Wholes,
    /// Rows of numbers, as a text `0.9,0.1;0.2,0.8`.
    Matrix,
}

/// A parameter of a process.
#[derive(Debug)]
pub struct Parameter {
    /// Its name, as `alpha`: the command's option, and Python's keyword.
    pub name: &'static str,
    /// What formulas call it, as `α`.
    pub symbol: &'static str,
    /// What it is.
    pub kind: Kind,
    /// Its range in words, as "more than 0".
    pub range: &'static str,
    /// What it is good for, in a line.
    pub help: &'static str,
    /// Its text where nobody gives one; without it, it must be given.
    pub default: Option<&'static str>,
}

/// A value of a parameter: a text, as the command has it, or what Python and Rust have.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// Read by the parameter's kind.
    Text(String),
    /// A number.
    Number(f64),
    /// A whole number; taken where a number is asked for, too.
    Whole(i64),
    /// Numbers.
    Numbers(Vec<f64>),
    /// Whole numbers; taken where numbers are asked for, too.
    Wholes(Vec<i64>),
    /// Rows of numbers.
    Matrix(Vec<Vec<f64>>),
}

macro_rules! arguments {
    ($($type:ty => $kind:ident),*) => {$(
        impl From<$type> for Argument {
            fn from(value: $type) -> Self {
                Argument::$kind(value.into())
            }
        }
    )*};
}
arguments!(&str => Text, String => Text, f64 => Number, i64 => Whole, i32 => Whole, Vec<f64> => Numbers,
    Vec<i64> => Wholes, Vec<Vec<f64>> => Matrix);

/// Parameters as they were given, in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given(Vec<(String, Argument)>);

impl Given {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With one more. Underscores stand for hyphens. What is unknown or given twice is found when the process is built.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Argument>) -> Self {
        self.0.push((name.replace('_', "-"), value.into()));
        self
    }

    /// The arguments of a process of these parameters, in the order of the parameters.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a parameter that is unknown, given twice or missing, and for a text that is not of its
    /// kind.
    pub(super) fn arguments(
        &self,
        process: &str,
        parameters: &'static [Parameter],
    ) -> Result<Arguments, Error> {
        let known = |name: &str| parameters.iter().any(|parameter| parameter.name == name);
        if let Some((name, _)) = self.0.iter().find(|(name, _)| !known(name)) {
            let names: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
            let names = if names.is_empty() { "none".into() } else { names.join(", ") };
            return Err(Error::invalid("a parameter", format!("{process} takes {names}, not {name:?}")));
        }
        let of = |parameter| Ok((parameter, self.argument(process, parameter)?));
        Ok(Arguments(parameters.iter().map(of).collect::<Result<_, Error>>()?))
    }

    fn argument(&self, process: &str, parameter: &Parameter) -> Result<Argument, Error> {
        let mut given = self.0.iter().filter(|(name, _)| name == parameter.name).map(|(_, value)| value);
        let value = match (given.next(), parameter.default) {
            (Some(value), _) => value.clone(),
            (None, Some(default)) => Argument::from(default),
            (None, None) => {
                let reason = format!("{process} needs {} ({})", parameter.name, parameter.range);
                return Err(Error::invalid("all parameters", reason));
            }
        };
        if given.next().is_some() {
            let reason = format!("{} of {process} is given twice", parameter.name);
            return Err(Error::invalid("one value", reason));
        }
        value.of_kind(parameter)
    }
}

impl Argument {
    /// The value as the parameter's kind has it.
    fn of_kind(self, parameter: &Parameter) -> Result<Self, Error> {
        let wrong = |got: &Self| {
            let got = match got {
                Argument::Text(text) if text.trim().is_empty() => "nothing".to_owned(),
                Argument::Text(text) => cut(text),
                Argument::Number(number) => shown(*number),
                Argument::Whole(whole) => whole.to_string(),
                Argument::Numbers(list) => cut_list(list),
                Argument::Wholes(list) => cut_list(list),
                Argument::Matrix(rows) => cut_list(rows),
            };
            let must = match parameter.kind {
                Kind::Number => "a number",
                Kind::Whole => "a whole number below 2^63 in size",
                Kind::Numbers => "numbers with commas between them",
                Kind::Wholes => "whole numbers with commas between them",
                Kind::Matrix => "rows of numbers, commas between numbers, semicolons between rows",
            };
            Error::range(parameter.name, must, got)
        };
        let read = match (&self, parameter.kind) {
            (Argument::Text(text), kind) => parse(text, kind),
            (Argument::Whole(whole), Kind::Number) => Some(Argument::Number(*whole as f64)),
            (Argument::Wholes(wholes), Kind::Numbers) => {
                Some(Argument::Numbers(wholes.iter().map(|&whole| whole as f64).collect()))
            }
            (Argument::Number(_), Kind::Number)
            | (Argument::Whole(_), Kind::Whole)
            | (Argument::Numbers(_), Kind::Numbers)
            | (Argument::Wholes(_), Kind::Wholes)
            | (Argument::Matrix(_), Kind::Matrix) => return Ok(self),
            _ => None,
        };
        read.ok_or_else(|| wrong(&self))
    }
}

/// Letters of a value, and items of a list, that a message has room for.
const LETTERS: usize = 60;
const ITEMS: usize = 8;

/// The beginning of a text; of one with line breaks or other controls, in quotes and in one line.
fn cut(text: &str) -> String {
    if text.contains(char::is_control) {
        return cut(&format!("{text:?}"));
    }
    match text.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn cut_list<T: std::fmt::Debug>(list: &[T]) -> String {
    cut(&format!("{:?}", &list[..list.len().min(ITEMS)]))
}

/// A text as what it should be; empty lists and rows are none.
fn parse(text: &str, kind: Kind) -> Option<Argument> {
    let number = |text: &str| float::read(text.trim());
    let whole = |text: &str| text.trim().parse::<i64>().ok();
    Some(match kind {
        Kind::Number => Argument::Number(number(text)?),
        Kind::Whole => Argument::Whole(whole(text)?),
        Kind::Numbers => Argument::Numbers(text.split(',').map(number).collect::<Option<_>>()?),
        Kind::Wholes => Argument::Wholes(text.split(',').map(whole).collect::<Option<_>>()?),
        Kind::Matrix => {
            let row = |row: &str| row.split(',').map(number).collect::<Option<_>>();
            Argument::Matrix(text.split(';').map(row).collect::<Option<_>>()?)
        }
    })
}

/// What a process is built of: a value of its kind for each parameter, in the row's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Arguments(Vec<(&'static Parameter, Argument)>);

impl PartialEq for Parameter {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// # Panics
/// All of them, if the row has no parameter of that name and kind, which is a mistake of the row.
impl Arguments {
    /// Names and values, in the row's order.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Argument)> {
        self.0.iter().map(|(parameter, value)| (parameter.name, value))
    }

    /// A number.
    #[must_use]
    pub fn number(&self, name: &str) -> f64 {
        match self.get(name) {
            Argument::Number(number) => *number,
            other => mistaken(name, other),
        }
    }

    /// A whole number, as it was given.
    #[must_use]
    pub fn whole(&self, name: &str) -> i64 {
        match self.get(name) {
            Argument::Whole(whole) => *whole,
            other => mistaken(name, other),
        }
    }

    /// A count: a whole number of least to most.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub fn count<N: TryFrom<i64>>(&self, name: &'static str, least: i64, most: i64) -> Result<N, Error> {
        let whole = self.whole(name);
        let count = if (least..=most).contains(&whole) { N::try_from(whole).ok() } else { None };
        count.ok_or_else(|| Error::range(name, format!("{least} to {most}"), whole))
    }

    /// Numbers.
    #[must_use]
    pub fn numbers(&self, name: &str) -> Vec<f64> {
        match self.get(name) {
            Argument::Numbers(numbers) => numbers.clone(),
            other => mistaken(name, other),
        }
    }

    /// Whole numbers.
    #[must_use]
    pub fn wholes(&self, name: &str) -> Vec<i64> {
        match self.get(name) {
            Argument::Wholes(wholes) => wholes.clone(),
            other => mistaken(name, other),
        }
    }

    /// Rows of numbers.
    #[must_use]
    pub fn matrix(&self, name: &str) -> Vec<Vec<f64>> {
        match self.get(name) {
            Argument::Matrix(rows) => rows.clone(),
            other => mistaken(name, other),
        }
    }

    fn get(&self, name: &str) -> &Argument {
        let found = self.0.iter().find(|(parameter, _)| parameter.name == name);
        &found.unwrap_or_else(|| panic!("the row has no parameter {name}")).1
    }
}

fn mistaken(name: &str, value: &Argument) -> ! {
    panic!("the row says of {name} that it is another kind than {value:?}")
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;

    #[test]
    fn arguments_are_equal_where_names_and_values_are() {
        let of = |name: &str, given: &Given| {
            let row = find(name).unwrap();
            given.arguments(row.name, row.parameters).unwrap()
        };
        let five = || Given::new().with("n", 5);
        assert_eq!(of("crp", &five()), of("crp", &Given::new().with("alpha", 1.0).with("n", "5")));
        assert_ne!(of("crp", &five()), of("crp", &five().with("alpha", 2.0)));
        // Of another process, which has the same values.
        assert_ne!(of("crp", &five()), of("hoppe-urn", &five()));
    }
}
