//! A draw that no one can manipulate and anyone can verify: `cargo run --example ceremony -p hashwell-draw`
//!
//! The organizer publishes the commitment, which fixes the list and the method. Then a seed is created that no one
//! could choose. Finally, anyone can compute the same winners. The commands `hashwell draw` and `hashwell verify` do
//! the same.

use hashwell_draw::Error;
use hashwell_draw::hwdraw::{
    Columns, DrawOptions, EntryList, Evidence, Method, Outcome, Plan, Planned, Seed, SeedSource, Transcript,
    verify,
};

const ENTRANTS: &str = "Ada\nBlaise\nCarl\nEmmy\nSofja\n";

fn main() -> Result<(), Error> {
    let entries = entrants(ENTRANTS)?;
    // Before the draw, publish the commitment to the list, the method and the source of the seed.
    let plan = plan(&entries)?;
    let commitment = plan.commitment();
    println!("commitment: {}", hex(&commitment));
    // In front of witnesses, roll the dice.
    let transcript = Transcript::draw(plan, Seed::dice("31415926535897932384626433")?, &entries, "ceremony")?;
    for pick in &transcript.picks {
        println!("winner: {}", pick.id);
    }
    // Afterwards, anyone can verify the draw with the published transcript and list.
    println!("{}", recheck(&transcript.to_json(), ENTRANTS, &hex(&commitment))?.name());
    Ok(())
}

fn entrants(list: &str) -> Result<EntryList, Error> {
    EntryList::read(list.as_bytes(), Columns::default(), false, false)
}

fn plan(entries: &EntryList) -> Result<Plan, Error> {
    let wishes = DrawOptions {
        context: "two seats".to_owned(),
        k: Some(2),
        seed_source: SeedSource {
            planned: Planned::Dice,
            description: "26 throws of a die with ten faces, on 3 May".to_owned(),
        },
        ..DrawOptions::default()
    };
    Plan::new(entries, Method::Index, wishes)
}

/// Verifies a transcript for a person who saw the dice.
fn recheck(transcript: &str, list: &str, commitment: &str) -> Result<Outcome, Error> {
    let transcript = Transcript::from_json(transcript.as_bytes())?;
    let entries = entrants(list)?;
    let evidence = Evidence {
        list: Some(&entries),
        commitment: Some(commitment),
        seed_attested: true,
        ..Evidence::default()
    };
    Ok(verify(&transcript, &evidence)?.outcome())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn what_is_changed_afterwards_shows() {
    let entries = entrants(ENTRANTS).unwrap();
    let plan = plan(&entries).unwrap();
    let commitment = hex(&plan.commitment());
    let drawn = Transcript::draw(plan, Seed::dice("123456").unwrap(), &entries, "ceremony").unwrap();
    let json = drawn.to_json();
    assert_eq!(recheck(&json, ENTRANTS, &commitment), Ok(Outcome::Verified));
    assert_eq!(recheck(&json, &ENTRANTS.replace("Emmy", "Eve"), &commitment), Ok(Outcome::Mismatch));
    assert_eq!(recheck(&json, ENTRANTS, &hex(&[0; 32])), Ok(Outcome::Mismatch));
    let (winner, loser) = (&drawn.picks[0].id, ["Ada", "Blaise", "Carl"]);
    let loser = loser.into_iter().find(|name| drawn.picks.iter().all(|pick| pick.id != *name)).unwrap();
    let bent = json.replace(&format!("\"{winner}\""), &format!("\"{loser}\""));
    assert!(bent != json && recheck(&bent, ENTRANTS, &commitment) == Ok(Outcome::Mismatch));
}
