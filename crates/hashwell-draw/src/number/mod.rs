//! Numbers that are equal on every machine.
