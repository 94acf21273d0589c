//! Parameters of a process: given by name, as text or as values, and checked against the entry of the process.

use crate::Error;
use crate::error::shown;
use crate::number::float;

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number, such as `1.5`.
    Number,
    /// An integer, such as `10`.
    Whole,
    /// Numbers, such as `0.5,0.5`.
    Numbers,
    /// Integers, such as `3,0,1`.
    Wholes,
    /// Rows of numbers, such as `0.9,0.1;0.2,0.8`.
    Matrix,
}

/// A parameter of a process.
#[derive(Debug)]
pub struct Parameter {
    /// The name, such as `alpha`. The command's option and the keyword argument in Python have the same name.
    pub name: &'static str,
    /// The symbol in formulas, such as `α`.
    pub symbol: &'static str,
    /// The type of the value.
    pub kind: Kind,
    /// The range in words, such as "greater than 0".
    pub range: &'static str,
    /// A noun phrase that describes the parameter.
    pub help: &'static str,
    /// The default value as text, or `None` if the parameter is required.
    pub default: Option<&'static str>,
}

/// A value of a parameter: text from the command line, or a value from Python or Rust.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// Text, parsed according to the kind of the parameter.
    Text(String),
    /// A number.
    Number(f64),
    /// An integer. It is also accepted for a parameter of type [`Kind::Number`].
    Whole(i64),
    /// Numbers.
    Numbers(Vec<f64>),
    /// Integers. They are also accepted for a parameter of type [`Kind::Numbers`].
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

/// Named parameters with their values, in the order in which they were given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given(Vec<(String, Argument)>);

impl Given {
    /// Creates an empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a parameter. Underscores in the name are read as hyphens. Unknown and repeated parameters are reported when
    /// the process is built.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Argument>) -> Self {
        self.0.push((name.replace('_', "-"), value.into()));
        self
    }

    /// The arguments for a process with these parameters, in the order of the parameters.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if a parameter is unknown, given twice or missing, or [`Error::OutOfRange`] if a
    /// value has the wrong type.
    pub(super) fn arguments(
        &self,
        process: &str,
        parameters: &'static [Parameter],
    ) -> Result<Arguments, Error> {
        let known = |name: &str| parameters.iter().any(|parameter| parameter.name == name);
        if let Some((name, _)) = self.0.iter().find(|(name, _)| !known(name)) {
            let names: Vec<_> = parameters.iter().map(|parameter| parameter.name).collect();
            let names = if names.is_empty() { "none".into() } else { names.join(", ") };
            return Err(Error::refused(format!("{process} has no parameter {name:?} (it has {names})")));
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
                let Parameter { name, help, range, .. } = parameter;
                return Err(Error::refused(format!("{process}: missing parameter {name}: {help}, {range}")));
            }
        };
        if given.next().is_some() {
            return Err(Error::refused(format!("{process}: parameter {} is given twice", parameter.name)));
        }
        value.of_kind(parameter)
    }
}

impl Argument {
    /// Converts the value to the parameter's kind.
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
                Kind::Whole => "an integer from -2^63 to 2^63 - 1",
                Kind::Numbers => "numbers separated by commas",
                Kind::Wholes => "integers separated by commas",
                Kind::Matrix => "rows of numbers, with commas between numbers and semicolons between rows",
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

/// The maximum number of characters of a value, and of items of a list, in a message.
const LETTERS: usize = 60;
const ITEMS: usize = 8;

/// The beginning of a text. A text with line breaks or other control characters is quoted, in one line.
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

/// Parses a text as this kind; empty lists and rows are invalid.
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

/// The arguments of a process: a value of the right kind for each parameter, in the order of the parameters in the
/// registry entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Arguments(Vec<(&'static Parameter, Argument)>);

impl PartialEq for Parameter {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// # Panics
/// All methods panic if the entry has no parameter of that name and kind, which is a bug in the entry.
impl Arguments {
    /// Returns the names and values, in the order of the parameters in the registry entry.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Argument)> {
        self.0.iter().map(|(parameter, value)| (parameter.name, value))
    }

    /// Returns the value of a parameter that is a number.
    #[must_use]
    pub fn number(&self, name: &str) -> f64 {
        match self.get(name) {
            Argument::Number(number) => *number,
            other => mistaken(name, other),
        }
    }

    /// Returns the value of a parameter that is an integer.
    #[must_use]
    pub fn whole(&self, name: &str) -> i64 {
        match self.get(name) {
            Argument::Whole(whole) => *whole,
            other => mistaken(name, other),
        }
    }

    /// Returns the value of a parameter that is a count from `least` to `most`.
    ///
    /// # Errors
    /// Returns [`Error::OutOfRange`] if the value is outside this range.
    pub fn count<N: TryFrom<i64>>(&self, name: &'static str, least: i64, most: i64) -> Result<N, Error> {
        let whole = self.whole(name);
        let count = if (least..=most).contains(&whole) { N::try_from(whole).ok() } else { None };
        count.ok_or_else(|| Error::range(name, format!("{least} to {most}"), whole))
    }

    /// Returns the value of a parameter that is a list of numbers.
    #[must_use]
    pub fn numbers(&self, name: &str) -> Vec<f64> {
        match self.get(name) {
            Argument::Numbers(numbers) => numbers.clone(),
            other => mistaken(name, other),
        }
    }

    /// Returns the value of a parameter that is a list of integers.
    #[must_use]
    pub fn wholes(&self, name: &str) -> Vec<i64> {
        match self.get(name) {
            Argument::Wholes(wholes) => wholes.clone(),
            other => mistaken(name, other),
        }
    }

    /// Returns the rows of a parameter that is a matrix.
    #[must_use]
    pub fn matrix(&self, name: &str) -> Vec<Vec<f64>> {
        match self.get(name) {
            Argument::Matrix(rows) => rows.clone(),
            other => mistaken(name, other),
        }
    }

    fn get(&self, name: &str) -> &Argument {
        let found = self.0.iter().find(|(parameter, _)| parameter.name == name);
        &found.unwrap_or_else(|| panic!("the entry has no parameter {name}")).1
    }
}

fn mistaken(name: &str, value: &Argument) -> ! {
    panic!("the entry declares a different kind for {name} than that of {value:?}")
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
        // Arguments of another process with the same values.
        assert_ne!(of("crp", &five()), of("hoppe-urn", &five()));
    }
}
