//! The function of a member in Cranelift's intermediate code: FIPS 180-4 section 6.2.2 with all rounds unrolled, so
//! that constants and rotations are immediate values of the instructions.

use crate::family::member::Sha256Family;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::FunctionBuilder;

/// Builds the function `(state: *mut [u32; 8], blocks: *const [u8; 64], count: usize)`. `count` must not be zero.
pub(super) fn compress(builder: &mut FunctionBuilder<'_>, member: &Sha256Family, pointer: Type) {
    let entry = builder.create_block();
    let block = builder.create_block();
    let end = builder.create_block();

    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let &[state, blocks, count] = builder.block_params(entry) else { unreachable!("three parameters") };
    let [at, left] = [(); 2].map(|()| builder.append_block_param(block, pointer));
    builder.ins().jump(block, &[BlockArg::Value(blocks), BlockArg::Value(count)]);

    builder.switch_to_block(block);
    one_block(builder, member, state, at);
    let next = builder.ins().iadd_imm_u(at, 64);
    let left = builder.ins().iadd_imm_s(left, -1);
    let more = builder.ins().icmp_imm_u(IntCC::NotEqual, left, 0);
    builder.ins().brif(more, block, &[BlockArg::Value(next), BlockArg::Value(left)], end, &[]);

    builder.switch_to_block(end);
    builder.ins().return_(&[]);
    builder.seal_all_blocks();
}

fn one_block(builder: &mut FunctionBuilder<'_>, member: &Sha256Family, state: Value, block: Value) {
    let words = MemFlagsData::trusted();
    let bytes = MemFlagsData::new().with_notrap();
    let by = member.rotations();

    let mut w: [Value; 16] = std::array::from_fn(|i| {
        let word = builder.ins().load(types::I32, bytes, block, 4 * i as i32);
        if cfg!(target_endian = "little") { builder.ins().bswap(word) } else { word }
    });
    let before: [Value; 8] =
        std::array::from_fn(|i| builder.ins().load(types::I32, words, state, 4 * i as i32));
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = before;
    // Maj(a, b, c) = b ^ ((a ^ b) & (b ^ c)). a ^ b of this round is b ^ c of the next round.
    let mut b_xor_c = builder.ins().bxor(b, c);

    for (t, k) in member.constants().iter().enumerate() {
        let i = t % 16;
        if t >= 16 {
            let s0 = sigma(builder, w[(i + 1) % 16], by.sigma_0);
            let s1 = sigma(builder, w[(i + 14) % 16], by.sigma_1);
            let sum = builder.ins().iadd(w[i], s0);
            let sum = builder.ins().iadd(sum, w[(i + 9) % 16]);
            w[i] = builder.ins().iadd(sum, s1);
        }
        let k = builder.ins().iconst(types::I32, i64::from(*k));
        let wk = builder.ins().iadd(w[i], k);
        let t1 = builder.ins().iadd(h, wk);
        let f_xor_g = builder.ins().bxor(f, g);
        let choose = builder.ins().band(f_xor_g, e);
        let choose = builder.ins().bxor(choose, g);
        let t1 = builder.ins().iadd(t1, choose);
        let s1 = big_sigma(builder, e, by.big_sigma_1);
        let t1 = builder.ins().iadd(t1, s1);
        let a_xor_b = builder.ins().bxor(a, b);
        let majority = builder.ins().band(a_xor_b, b_xor_c);
        let majority = builder.ins().bxor(majority, b);
        let s0 = big_sigma(builder, a, by.big_sigma_0);
        let t2 = builder.ins().iadd(s0, majority);
        let new_e = builder.ins().iadd(d, t1);
        let new_a = builder.ins().iadd(t1, t2);
        [h, g, f, e, d, c, b, a] = [g, f, e, new_e, c, b, a, new_a];
        b_xor_c = a_xor_b;
    }

    for (i, v) in [a, b, c, d, e, f, g, h].into_iter().enumerate() {
        let sum = builder.ins().iadd(before[i], v);
        builder.ins().store(words, sum, state, 4 * i as i32);
    }
}

fn big_sigma(builder: &mut FunctionBuilder<'_>, x: Value, by: [u32; 3]) -> Value {
    let [p, q, r] = by.map(|by| builder.ins().rotr_imm_u(x, i64::from(by)));
    let pq = builder.ins().bxor(p, q);
    builder.ins().bxor(pq, r)
}

fn sigma(builder: &mut FunctionBuilder<'_>, x: Value, by: [u32; 3]) -> Value {
    let p = builder.ins().rotr_imm_u(x, i64::from(by[0]));
    let q = builder.ins().rotr_imm_u(x, i64::from(by[1]));
    let shifted = builder.ins().ushr_imm_u(x, i64::from(by[2]));
    let pq = builder.ins().bxor(p, q);
    builder.ins().bxor(pq, shifted)
}
