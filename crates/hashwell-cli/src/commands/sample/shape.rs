//! Formats as samples know them.

use super::reading::Stream;
use hashwell_draw::survey::{Form, Shape};
use hashwell_rows::Format;

/// Formats, and what their rows are to a sample.
const FORMS: [(Format, Form); 6] = [
    (Format::Lines, Form::Lines),
    (Format::Nul, Form::Nul),
    (Format::Csv, Form::Csv),
    (Format::Tsv, Form::Tsv),
    (Format::JsonLines, Form::JsonLines),
    (Format::Parquet, Form::Parquet),
];

/// How a stream's rows look.
pub(super) fn shape(stream: &Stream<'_>) -> Shape {
    let rows = &stream.rows;
    let form = FORMS.iter().find(|(format, _)| *format == rows.format());
    Shape { form: form.map_or(Form::Lines, |(_, form)| *form), header: rows.header().map(<[u8]>::to_vec) }
}

/// What ends a row of text.
pub(super) fn terminator(form: Form) -> u8 {
    if form == Form::Nul { 0 } else { b'\n' }
}

/// What a record calls by this name, if it is of a format.
pub(super) fn form_of(name: &str) -> Option<Form> {
    FORMS.iter().map(|(_, form)| *form).find(|form| form.name() == name)
}
