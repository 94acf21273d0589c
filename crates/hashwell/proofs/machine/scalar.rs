//! Instructions on general registers, and control flow.

use super::cells::{Cells, difference, gathered, moved_left, moved_right, number, of_number, sum, width};
use super::state::{Done, Flags, Machine, fault, unmodelled};
use crate::internal::vector::symbol::Word;
use alloc::format;
use alloc::vec::Vec;
use iced_x86::{ConditionCode, FlowControl, Instruction, Mnemonic as M, OpKind, Register};

/// Returns the number of this size whose bits are all ones.
fn ones(bytes: usize) -> u64 {
    u64::MAX >> (64 - 8 * bytes)
}

fn sign(value: u64, bytes: usize) -> bool {
    value >> (8 * bytes - 1) & 1 == 1
}

/// Returns the flags that depend only on the result.
fn of_result(value: Option<u64>, bytes: usize) -> Flags {
    Flags {
        zero: value.map(|value| value == 0),
        sign: value.map(|value| sign(value, bytes)),
        parity: value.map(|value| (value as u8).count_ones().is_multiple_of(2)),
        ..Flags::default()
    }
}

impl Machine<'_> {
    /// Executes the instruction if it belongs to this module. Returns false if it doesn't.
    pub(super) fn scalar(&mut self, instruction: &Instruction) -> Done<bool> {
        if instruction.flow_control() != FlowControl::Next {
            return self.flow(instruction).map(|()| true);
        }
        let i = instruction;
        let bytes = if i.op_count() > 0 { Self::size(i, 0) } else { 8 };
        match i.mnemonic() {
            M::Nop | M::Endbr64 => (),
            M::Mov | M::Movbe | M::Movzx | M::Movsx | M::Movsxd => {
                if i.op_kind(0) == OpKind::Register && !i.op_register(0).is_gpr() {
                    return unmodelled(format!("{i}"));
                }
                let from = if i.op_kind(1) == OpKind::Register || i.op_kind(1) == OpKind::Memory {
                    Self::size(i, 1)
                } else {
                    bytes
                };
                let mut value = self.read(i, 1, from)?;
                match i.mnemonic() {
                    M::Movbe => value = reversed(&value, bytes),
                    M::Movzx => value = wider(&value, from, bytes),
                    M::Movsx | M::Movsxd => {
                        let value_of = known(i, &value)?;
                        let shift = 64 - 8 * from;
                        value = of_number((((value_of << shift) as i64) >> shift) as u64, bytes);
                    }
                    _ => (),
                }
                self.write(i, &value)?;
            }
            M::Lea => {
                let value = self.lea(i, bytes)?;
                self.write(i, &value)?;
            }
            M::Push => {
                let value = self.read(i, 0, 8)?;
                self.push(&value)?;
            }
            M::Pop => {
                let value = self.pop_cells()?;
                self.write(i, &value)?;
            }
            M::Xchg => {
                let (a, b) = (self.read(i, 0, bytes)?, self.read(i, 1, bytes)?);
                if i.op_kind(1) != OpKind::Register {
                    return unmodelled(format!("{i}"));
                }
                self.write(i, &b)?;
                self.set(i.op_register(1), &a);
            }
            M::Bswap => {
                let value = self.read(i, 0, bytes)?;
                self.write(i, &reversed(&value, bytes))?;
            }
            M::And | M::Or | M::Xor | M::Test | M::Andn | M::Not => self.logic(i, bytes)?,
            M::Add | M::Sub | M::Cmp | M::Adc | M::Sbb | M::Inc | M::Dec | M::Neg => {
                self.arithmetic(i, bytes)?;
            }
            M::Shl | M::Shr | M::Sar | M::Rol | M::Ror | M::Rorx => self.move_bits(i, bytes)?,
            M::Imul | M::Mul | M::Div => self.product(i, bytes)?,
            mnemonic if format!("{mnemonic:?}").starts_with("Cmov") => {
                let (old, new) = (self.read(i, 0, bytes)?, self.read(i, 1, bytes)?);
                let chosen = if self.holds(i)? { new } else { old };
                self.write(i, &chosen)?;
            }
            mnemonic if format!("{mnemonic:?}").starts_with("Set") => {
                let value = self.holds(i)?;
                self.write(i, &of_number(value.into(), 1))?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn flow(&mut self, i: &Instruction) -> Done<()> {
        match i.mnemonic() {
            M::Ret if i.op_count() == 0 => {
                let to = self.pop()?;
                self.jump(to);
            }
            M::Jmp | M::Call => {
                let to = match i.op_kind(0) {
                    OpKind::NearBranch64 => i.near_branch64(),
                    OpKind::Register | OpKind::Memory => known(i, &self.read(i, 0, 8)?)?,
                    _ => return unmodelled(format!("{i}")),
                };
                if i.mnemonic() == M::Call {
                    self.push(&of_number(i.next_ip(), 8))?;
                }
                self.jump(to);
            }
            _ if i.flow_control() == FlowControl::ConditionalBranch
                && i.condition_code() != ConditionCode::None =>
            {
                if self.holds(i)? {
                    self.jump(i.near_branch64());
                }
            }
            M::Ud2 | M::Ud0 | M::Ud1 | M::Hlt | M::Int | M::Syscall => return fault(format!("{i}")),
            _ => return unmodelled(format!("{i}")),
        }
        Ok(())
    }

    /// Returns true if the instruction's condition is met.
    fn holds(&self, i: &Instruction) -> Done<bool> {
        use ConditionCode as C;
        let Flags { carry, parity, zero, sign, overflow } = self.flags;
        let either = |a: Option<bool>, b: Option<bool>| Some(a? | b?);
        let differ = || Some(sign? != overflow?);
        let holds = match i.condition_code() {
            C::o => overflow,
            C::no => overflow.map(|x| !x),
            C::b => carry,
            C::ae => carry.map(|x| !x),
            C::e => zero,
            C::ne => zero.map(|x| !x),
            C::be => either(carry, zero),
            C::a => either(carry, zero).map(|x| !x),
            C::s => sign,
            C::ns => sign.map(|x| !x),
            C::p => parity,
            C::np => parity.map(|x| !x),
            C::l => differ(),
            C::ge => differ().map(|x| !x),
            C::le => either(zero, differ()),
            C::g => either(zero, differ()).map(|x| !x),
            _ => return unmodelled(format!("{i}")),
        };
        holds.map_or_else(|| fault(format!("a condition on unknown flags: {i}")), Ok)
    }

    fn lea(&mut self, i: &Instruction, bytes: usize) -> Done<Cells> {
        if let Ok(at) = self.address(i, 1) {
            return Ok(of_number(at, bytes));
        }
        let narrow = [i.memory_base(), i.memory_index()].iter().any(|register| register.size() == 4);
        if bytes != width() || narrow && width() == 8 {
            return unmodelled(format!("{i} of unknown words"));
        }
        // The lower bits of a sum depend only on the lower bits of its terms.
        let mut value = Word::constant(i.memory_displacement64());
        if i.memory_base() != Register::None {
            value = value + self.get(i.memory_base())?[0];
        }
        if i.memory_index() != Register::None {
            let index = self.get(i.memory_index())?[0];
            for _ in 0..i.memory_index_scale() {
                value = value + index;
            }
        }
        Ok([value].to_vec())
    }

    fn logic(&mut self, i: &Instruction, bytes: usize) -> Done<()> {
        if i.mnemonic() == M::Not {
            let value: Cells = self.read(i, 0, bytes)?.into_iter().map(|a| !a).collect();
            return self.write(i, &narrow(value, bytes));
        }
        let operands = if i.mnemonic() == M::Andn { [1, 2] } else { [0, 1] };
        let (a, b) = (self.read(i, operands[0], bytes)?, self.read(i, operands[1], bytes)?);
        let of = |a: Word, b: Word| match i.mnemonic() {
            M::Or => a | b,
            M::Xor => a ^ b,
            M::Andn => !a & b,
            _ => a & b,
        };
        let value: Cells = a.into_iter().zip(b).map(|(a, b)| of(a, b)).collect();
        self.flags = of_result(number(&value), bytes);
        (self.flags.carry, self.flags.overflow) = (Some(false), Some(false));
        if i.mnemonic() == M::Andn {
            self.flags.parity = None;
        }
        if i.mnemonic() == M::Test { Ok(()) } else { self.write(i, &value) }
    }

    fn arithmetic(&mut self, i: &Instruction, bytes: usize) -> Done<()> {
        let mut a = self.read(i, 0, bytes)?;
        let mut b = match i.mnemonic() {
            M::Inc | M::Dec | M::Neg => of_number(1, bytes),
            _ => self.read(i, 1, bytes)?,
        };
        if i.mnemonic() == M::Neg {
            (a, b) = (of_number(0, bytes), a);
        }
        let minus = !matches!(i.mnemonic(), M::Add | M::Adc | M::Inc);
        let value = match (number(&a), number(&b)) {
            (Some(x), Some(y)) => {
                let carried = match i.mnemonic() {
                    M::Adc | M::Sbb => match self.flags.carry {
                        Some(carry) => u64::from(carry),
                        None => return fault("an unknown carry"),
                    },
                    _ => 0,
                };
                let (wide, value) = if minus {
                    (
                        u128::from(x) < u128::from(y) + u128::from(carried),
                        x.wrapping_sub(y).wrapping_sub(carried),
                    )
                } else {
                    let sum = u128::from(x) + u128::from(y) + u128::from(carried);
                    (sum > u128::from(ones(bytes)), sum as u64)
                };
                let value = value & ones(bytes);
                let kept = self.flags.carry;
                self.flags = of_result(Some(value), bytes);
                self.flags.carry = if matches!(i.mnemonic(), M::Inc | M::Dec) { kept } else { Some(wide) };
                let y = if minus { !y } else { y };
                self.flags.overflow = Some(sign((x ^ value) & (y ^ value), bytes));
                of_number(value, bytes)
            }
            _ if bytes == width() && !matches!(i.mnemonic(), M::Adc | M::Sbb) => {
                self.flags = Flags::default();
                [if minus { difference(a[0], b[0]) } else { sum(a[0], b[0]) }].to_vec()
            }
            _ => return unmodelled(format!("{i} of unknown words")),
        };
        if i.mnemonic() == M::Cmp { Ok(()) } else { self.write(i, &value) }
    }

    fn move_bits(&mut self, i: &Instruction, bytes: usize) -> Done<()> {
        let rorx = i.mnemonic() == M::Rorx;
        let value = self.read(i, u32::from(rorx), bytes)?;
        let distance = known(i, &self.read(i, if rorx { 2 } else { 1 }, 1)?)?;
        let distance = (distance & if bytes == 8 { 63 } else { 31 }) as u32;
        let bits = 8 * bytes as u32;
        let narrow = bytes < width();
        let moved = match i.mnemonic() {
            _ if narrow => {
                let value = known(i, &value)?;
                // The value is doubled, so that bits that are shifted out at one end come in at the other.
                let (twice, turn) = (value << bits | value, distance % bits);
                let moved = match i.mnemonic() {
                    M::Shl => value << distance,
                    M::Shr => value >> distance,
                    M::Rol => twice >> ((bits - turn) % bits),
                    M::Sar => return unmodelled(format!("{i} of part of a cell")),
                    _ => twice >> turn,
                };
                of_number(moved & ones(bytes), bytes)
            }
            M::Shl => moved_left(&value, distance),
            M::Shr => moved_right(&value, distance, false),
            M::Sar => {
                let shift = 64 - bits;
                let value = (((known(i, &value)? << shift) as i64) >> shift) >> distance;
                of_number(value as u64, bytes)
            }
            M::Rol => moved_right(&value, (bits - distance) % bits, true),
            _ => moved_right(&value, distance, true),
        };
        // No kernel uses the carry flag after a shift, so it becomes unknown. A shift by 0 would leave all flags
        // unchanged, but here all become unknown.
        if matches!(i.mnemonic(), M::Shl | M::Shr | M::Sar) {
            self.flags = if distance == 0 { Flags::default() } else { of_result(number(&moved), bytes) };
        } else if !rorx {
            // The bit that was rotated from one end to the other last.
            let value = number(&moved).filter(|_| !distance.is_multiple_of(bits));
            let place = if i.mnemonic() == M::Rol { 0 } else { bits - 1 };
            self.flags.carry = value.map(|value| value >> place & 1 == 1);
            self.flags.overflow = None;
        }
        self.write(i, &moved)
    }

    fn product(&mut self, i: &Instruction, bytes: usize) -> Done<()> {
        if bytes < 4 {
            return unmodelled(format!("{i}"));
        }
        let operand = |machine: &mut Self, n| known(i, &machine.read(i, n, bytes)?);
        if i.mnemonic() == M::Imul && i.op_count() > 1 {
            let factors = if i.op_count() == 3 { [1, 2] } else { [0, 1] };
            let value = operand(self, factors[0])?.wrapping_mul(operand(self, factors[1])?);
            self.flags = Flags::default();
            return self.write(i, &of_number(value & ones(bytes), bytes));
        }
        let (low, high) =
            if bytes == 8 { (Register::RAX, Register::RDX) } else { (Register::EAX, Register::EDX) };
        let bits = 8 * bytes;
        let by = u128::from(operand(self, 0)?);
        let a = u128::from(known(i, &self.get(low)?)?);
        let (first, second) = match i.mnemonic() {
            M::Mul => ((a * by) & u128::from(ones(bytes)), (a * by) >> bits),
            M::Div => {
                let a = u128::from(known(i, &self.get(high)?)?) << bits | a;
                match a.checked_div(by).filter(|quotient| quotient >> bits == 0) {
                    Some(quotient) => (quotient, a % by),
                    None => return fault("a quotient that is out of range"),
                }
            }
            _ => return unmodelled(format!("{i}")),
        };
        self.flags = Flags::default();
        self.set(low, &of_number(first as u64, bytes));
        self.set(high, &of_number(second as u64, bytes));
        Ok(())
    }
}

fn known(i: &Instruction, cells: &[Word]) -> Done<u64> {
    number(cells).map_or_else(|| unmodelled(format!("{i} of unknown words")), Ok)
}

/// Returns the bytes in reverse order.
fn reversed(value: &[Word], bytes: usize) -> Cells {
    gathered(value, &(0..bytes).rev().map(Some).collect::<Vec<_>>())
}

/// Extends a value with zeros.
fn wider(value: &[Word], from: usize, to: usize) -> Cells {
    gathered(value, &(0..to).map(|i| (i < from).then_some(i)).collect::<Vec<_>>())
}

/// Clears the upper bits of the cell if the value is narrower than a cell.
fn narrow(value: Cells, bytes: usize) -> Cells {
    if bytes < width() { wider(&value, bytes, bytes) } else { value }
}
