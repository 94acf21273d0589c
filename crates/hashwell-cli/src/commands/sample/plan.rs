//! What is to be drawn, made of the options.

use super::stop::Stop;
use crate::options::sample_args::{self as args, SampleOptions};
use hashwell_draw::number::Ratio;
use hashwell_draw::survey::{By, Design, Kind, SlotsDesign, Weight};

/// The design that the options ask for.
pub(super) fn design(options: &SampleOptions) -> Result<Design, Stop> {
    if let Some(p) = &options.probability {
        return chance(options, p);
    }
    if let Some(n) = options.every {
        refuse_order(options, "--every")?;
        return Ok(Design::Every(n));
    }
    let Some(k) = options.rows else { return Ok(Design::Shuffle) };
    let k =
        usize::try_from(k).map_err(|_| Stop::usage(format!("-n must be 0 to {}, not {k}", usize::MAX)))?;
    if !options.key.is_empty() {
        return Ok(Design::Keys { columns: options.key.clone(), k, by: None });
    }
    let kind = kind(options)?;
    let weight =
        options.weight.clone().map(|column| Weight { column, missing: options.missing_weight.clone() });
    let columns = options.by.clone();
    let by = (!columns.is_empty()).then_some(By { columns, proportional: options.proportional });
    Ok(Design::Slots(SlotsDesign { k, kind, weight, by }))
}

fn kind(options: &SampleOptions) -> Result<Kind, Stop> {
    match (&options.weight, options.design) {
        (Some(_), None) if options.replace => Ok(Kind::WeightedReplace),
        (Some(_), Some(args::Design::Successive)) => Ok(Kind::Successive),
        (Some(_), Some(args::Design::Pps)) => Ok(Kind::Pps),
        (Some(_), None) => Err(Stop::usage(
            "--weight needs --design: successive (drawn one after the other, so that heavy rows are picked less than in \
             proportion) or pps (probability in proportion to the weight)",
        )),
        (None, _) if options.replace => Ok(Kind::Replace),
        _ => Ok(Kind::Equal),
    }
}

fn chance(options: &SampleOptions, p: &str) -> Result<Design, Stop> {
    refuse_order(options, "-p")?;
    if options.exact {
        return Err(Stop::usage("--exact is of -n: with -p the number of rows is random"));
    }
    let p: Ratio = p.parse().map_err(|error: hashwell_draw::Error| Stop::usage(format!("-p: {error}")))?;
    Ok(if options.key.is_empty() {
        Design::Chance(p)
    } else {
        Design::KeyChance { columns: options.key.clone(), p }
    })
}

/// What is written while it is read has the input's order.
fn refuse_order(options: &SampleOptions, option: &str) -> Result<(), Stop> {
    if options.order == args::Order::Draw {
        return Err(Stop::usage(format!("{option} writes rows as they come: --order draw is of -n")));
    }
    if options.state_out.is_some() || options.state_in.is_some() {
        return Err(Stop::usage(format!(
            "{option} keeps nothing between rows: its samples of parts, one after the other, are its sample of the whole"
        )));
    }
    Ok(())
}
