//! A draw that nobody can bend and everybody can recheck: `cargo run --example ceremony -p hashwell-draw`
//!
//! The organiser publishes the commitment, which fixes the list and the rule; then a seed comes about that nobody could
//! choose; then anyone draws the same winners. The command does this as `hashwell draw` and `hashwell verify`.

use hashwell_draw::Error;
use hashwell_draw::hwdraw::{Columns, Frame, Method, Plan, Seed, Transcript, Wishes, verify};

const ENTRANTS: &str = "Ada\nBlaise\nCarl\nEmmy\nSofja\n";

fn main() -> Result<(), Error> {
    let frame = entrants(ENTRANTS)?;
    // Before: what will be drawn, and where the seed will come from.
    let plan = plan(&frame)?;
    let commitment = plan.commitment();
    println!("commitment: {}", hex(&commitment));
    // In front of everybody: dice.
    let transcript = Transcript::draw(plan, Seed::dice("31415926535897932384626433")?, &frame, "ceremony")?;
    for pick in &transcript.picks {
        println!("winner: {}", pick.id);
    }
    // Afterwards, by anyone, from the published text and list.
    println!("agrees: {}", recheck(&transcript.to_json(), ENTRANTS, &commitment)?);
    Ok(())
}

fn entrants(list: &str) -> Result<Frame, Error> {
    Frame::read(list.as_bytes(), Columns::default(), false, false)
}

fn plan(frame: &Frame) -> Result<Plan, Error> {
    let wishes = Wishes {
        context: "two seats".to_owned(),
        k: Some(2),
        seed_source: "26 throws of a die with ten faces, on 3 May".to_owned(),
        ..Wishes::default()
    };
    Plan::new(frame, Method::Index, wishes)
}

/// Whether the transcript is of this list, under this commitment, and drawn as it says.
fn recheck(transcript: &str, list: &str, commitment: &[u8; 32]) -> Result<bool, Error> {
    let transcript = Transcript::from_json(transcript.as_bytes())?;
    let verdict = verify(&transcript, Some(&entrants(list)?));
    Ok(transcript.plan.commitment() == *commitment && verdict.agrees())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn what_is_changed_afterwards_shows() {
    let frame = entrants(ENTRANTS).unwrap();
    let plan = plan(&frame).unwrap();
    let commitment = plan.commitment();
    let drawn = Transcript::draw(plan, Seed::dice("123456").unwrap(), &frame, "ceremony").unwrap();
    let json = drawn.to_json();
    assert!(recheck(&json, ENTRANTS, &commitment).unwrap());
    assert!(!recheck(&json, &ENTRANTS.replace("Emmy", "Eve"), &commitment).unwrap());
    assert!(!recheck(&json, ENTRANTS, &[0; 32]).unwrap());
    let (winner, loser) = (&drawn.picks[0].id, ["Ada", "Blaise", "Carl"]);
    let loser = loser.into_iter().find(|name| drawn.picks.iter().all(|pick| pick.id != *name)).unwrap();
    let bent = json.replace(&format!("\"{winner}\""), &format!("\"{loser}\""));
    assert!(bent != json && !recheck(&bent, ENTRANTS, &commitment).unwrap());
}
