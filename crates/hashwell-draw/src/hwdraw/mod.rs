//! hwdraw/1: draws that anyone can recheck (`docs/spec/draw.md`).
