//! Signed tokens: a message and its tag, which only someone with the key can compute. `cargo run --example tokens -p
//! hashwell`

use hashwell::{Error, Hmac, find};

fn main() -> Result<(), Error> {
    let keys = Keys::derive(b"what the server was given at its start")?;
    let token = keys.sign(b"user=ada")?;
    println!("{} bytes, genuine: {}", token.len(), keys.open(&token).is_some());
    Ok(())
}

/// The key for one purpose, derived from a secret that can also be used for other purposes.
struct Keys(Vec<u8>);

impl Keys {
    fn derive(secret: &[u8]) -> Result<Self, Error> {
        let mut key = vec![0; 32];
        hashwell::hkdf(find("sha256")?, secret, b"", b"tokens, version 1", &mut key)?;
        Ok(Self(key))
    }

    /// Returns the tag, followed by the message.
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let tag = hashwell::hmac(find("sha256")?, &self.0, message)?;
        Ok([&tag, message].concat())
    }

    /// Returns the message of a token if its tag is valid.
    fn open<'t>(&self, token: &'t [u8]) -> Option<&'t [u8]> {
        let (tag, message) = token.split_at_checked(32)?;
        let mut mac = Hmac::new(find("sha256").ok()?, &self.0).ok()?;
        mac.update(message);
        mac.verify(tag).ok()?; // in constant time
        Some(message)
    }
}

#[test]
fn only_whole_tokens_of_the_same_key_are_opened() {
    let keys = Keys::derive(b"secret").unwrap();
    let token = keys.sign(b"user=ada").unwrap();
    assert_eq!(keys.open(&token), Some(&b"user=ada"[..]));
    assert_eq!(Keys::derive(b"other").unwrap().open(&token), None);
    for place in 0..token.len() {
        let mut changed = token.clone();
        changed[place] ^= 1;
        assert_eq!(keys.open(&changed), None, "byte {place}");
        assert_eq!(keys.open(&token[..place]), None);
    }
}
