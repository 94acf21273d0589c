// The compression function of SHA-256 with ROUNDS rounds (FIPS 180-4 section 6.2.2; docs/spec/sha256-90r.md).

// The constants of section 4.2.2. From the 65th round on, they repeat from the first.
CONST_TAB const uint K[64] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u,
    0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu, 0x9bdc06a7u, 0xc19bf174u,
    0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu, 0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau,
    0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u, 0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u,
    0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu, 0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u,
    0xa2bfe8a1u, 0xa81a664bu, 0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u,
    0x19a4c116u, 0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u, 0xc67178f2u,
};

// The initial value (section 5.3.3).
CONST_TAB const uint INITIAL[8] = {
    0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u,
};

#define CHOOSE(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define MAJORITY(x, y, z) (((x) & (y)) | ((z) & ((x) | (y))))
#define SUM0(x) (ROTR(x, 2) ^ ROTR(x, 13) ^ ROTR(x, 22))
#define SUM1(x) (ROTR(x, 6) ^ ROTR(x, 11) ^ ROTR(x, 25))
#define SIGMA0(x) (ROTR(x, 7) ^ ROTR(x, 18) ^ ((x) >> 3))
#define SIGMA1(x) (ROTR(x, 17) ^ ROTR(x, 19) ^ ((x) >> 10))

// Computes one round on s[0 .. 7] = a .. h. In unrolled code, the moves only rename variables.
DEV void one_round(uint *s, uint k_and_w) {
    uint t1 = s[7] + SUM1(s[4]) + CHOOSE(s[4], s[5], s[6]) + k_and_w;
    uint t2 = SUM0(s[0]) + MAJORITY(s[0], s[1], s[2]);
    s[7] = s[6], s[6] = s[5], s[5] = s[4], s[4] = s[3] + t1;
    s[3] = s[2], s[2] = s[1], s[1] = s[0], s[0] = t1 + t2;
}

// Computes word t of the schedule, which replaces word t - 16.
DEV uint next_word(uint *w, uint t) {
    return w[t & 15] += SIGMA1(w[(t + 14) & 15]) + w[(t + 9) & 15] + SIGMA0(w[(t + 1) & 15]);
}

// Computes round `first`, which is 16 or 32, and all later rounds, without the addition at the end.
DEV void later_rounds(uint *s, uint *w, uint first) {
    LOOP_UNROLL for (uint t = first; t + 16 <= ROUNDS; t += 16) {
        UNROLL for (uint i = 0; i < 16; i++) {
            uint word = next_word(w, i);
            one_round(s, K[(t + i) & 63] + word);
        }
    }
    UNROLL for (uint i = 0; i < ROUNDS % 16; i++) {
        uint word = next_word(w, i);
        one_round(s, K[(ROUNDS - ROUNDS % 16 + i) & 63] + word);
    }
}

// Computes the chaining value after a block. Overwrites w.
DEV void compress(uint *h, uint *w) {
    uint s[8];
    UNROLL for (uint i = 0; i < 8; i++) s[i] = h[i];
    UNROLL for (uint t = 0; t < 16; t++) one_round(s, K[t] + w[t]);
    later_rounds(s, w, 16);
    UNROLL for (uint i = 0; i < 8; i++) h[i] += s[i];
}
