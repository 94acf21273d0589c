//! The types of columns, reduced to the properties on which the text of their values depends.

use hashwell_arrow::{Field, Kind, Layout};
use parquet::basic::LogicalType;
use parquet::schema::types::ColumnDescPtr;

/// The type of a column.
pub(super) enum Form {
    /// Scalar values of a kind that can be written as text.
    Value(Kind),
    /// Values of 16 bytes that Parquet marks as UUIDs. Arrow does not distinguish them from other values.
    Uuid,
    List(Box<Form>),
    /// Fields with their names.
    Struct(Vec<(String, Form)>),
    Map(Box<Form>, Box<Form>),
    Dictionary {
        signed: bool,
        values: Box<Form>,
    },
    Runs(Box<Form>),
}

impl Form {
    /// The form of a field. `leaves` are the remaining leaf columns in Parquet, starting with those of this field.
    pub(super) fn of<'l>(
        field: &Field,
        leaves: &mut impl Iterator<Item = &'l ColumnDescPtr>,
    ) -> Result<Self, String> {
        let child = |i: usize| {
            let child: Option<&Field> = field.children.get(i);
            child.ok_or_else(|| format!("the Arrow type '{}' has no child type", field.format))
        };
        Ok(match field.kind {
            Kind::List => Self::List(Box::new(Self::of(child(0)?, leaves)?)),
            Kind::Struct => {
                let of = |field: &Field| Ok((field.name.clone(), Self::of(field, leaves)?));
                Self::Struct(field.children.iter().map(of).collect::<Result<_, String>>()?)
            }
            Kind::Map => {
                let entry = child(0)?;
                let half = |i: usize| entry.children.get(i).ok_or("a map type has no keys or no values");
                let key = Self::of(half(0)?, leaves)?;
                Self::Map(Box::new(key), Box::new(Self::of(half(1)?, leaves)?))
            }
            Kind::Dictionary { signed } => {
                let values = field.dictionary.as_deref().ok_or("a dictionary type has no values")?;
                Self::Dictionary { signed, values: Box::new(Self::of(values, leaves)?) }
            }
            Kind::Runs => Self::Runs(Box::new(Self::of(child(1)?, leaves)?)),
            _ => Self::of_leaf(field, leaves.next())?,
        })
    }

    fn of_leaf(field: &Field, leaf: Option<&ColumnDescPtr>) -> Result<Self, String> {
        let is_uuid = |leaf: &ColumnDescPtr| leaf.logical_type_ref() == Some(&LogicalType::Uuid);
        match field.kind {
            Kind::Binary if field.layout == Layout::Fixed(16) && leaf.is_some_and(is_uuid) => Ok(Self::Uuid),
            Kind::Null
            | Kind::Bool
            | Kind::Int { .. }
            | Kind::Float
            | Kind::Decimal { .. }
            | Kind::Text
            | Kind::Binary
            | Kind::Date
            | Kind::Time(_)
            | Kind::Timestamp { .. }
            | Kind::Duration(_)
            | Kind::Interval(_) => Ok(Self::Value(field.kind)),
            _ => Err(format!("values of the Arrow type '{}' can't be written as text", field.format)),
        }
    }

    /// Returns true for lists, structs and maps.
    pub(super) fn is_nested(&self) -> bool {
        match self {
            Self::List(_) | Self::Struct(_) | Self::Map(..) => true,
            Self::Dictionary { values, .. } | Self::Runs(values) => values.is_nested(),
            _ => false,
        }
    }
}

/// The fields that are leaf columns in Parquet, in the order of Parquet.
pub(super) fn value_fields(field: &Field) -> Vec<&Field> {
    match field.kind {
        Kind::List | Kind::Struct | Kind::Map => field.children.iter().flat_map(value_fields).collect(),
        Kind::Dictionary { .. } => field.dictionary.iter().flat_map(|values| value_fields(values)).collect(),
        Kind::Runs => field.children.iter().skip(1).flat_map(value_fields).collect(),
        _ => vec![field],
    }
}
