// BLAKE3 (github.com/BLAKE3-team/BLAKE3-specs, sections 2.1 to 2.5): the chunks of a piece, and the parents of
// adjacent nodes.

CONST_TAB const uint INITIAL[8] = {
    0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au, 0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u,
};

#define CHUNK_START 1u
#define CHUNK_END 2u
#define PARENT 4u

#define MIX(a, b, c, d, x, y) \
    v[a] += v[b] + (x), v[d] = ROTR(v[d] ^ v[a], 16), v[c] += v[d], v[b] = ROTR(v[b] ^ v[c], 12), \
    v[a] += v[b] + (y), v[d] = ROTR(v[d] ^ v[a], 8), v[c] += v[d], v[b] = ROTR(v[b] ^ v[c], 7)

// Computes the chaining value after a block. Overwrites the words of the message.
DEV void compress(uint *cv, uint *m, uint counter_low, uint counter_high, uint bytes, uint flags) {
    uint v[16];
    UNROLL for (uint i = 0; i < 8; i++) v[i] = cv[i];
    UNROLL for (uint i = 0; i < 4; i++) v[8 + i] = INITIAL[i];
    v[12] = counter_low, v[13] = counter_high, v[14] = bytes, v[15] = flags;
    UNROLL for (uint round = 0; round < 7; round++) {
        MIX(0, 4, 8, 12, m[0], m[1]);
        MIX(1, 5, 9, 13, m[2], m[3]);
        MIX(2, 6, 10, 14, m[4], m[5]);
        MIX(3, 7, 11, 15, m[6], m[7]);
        MIX(0, 5, 10, 15, m[8], m[9]);
        MIX(1, 6, 11, 12, m[10], m[11]);
        MIX(2, 7, 8, 13, m[12], m[13]);
        MIX(3, 4, 9, 14, m[14], m[15]);
        uint n[16];
        n[0] = m[2], n[1] = m[6], n[2] = m[3], n[3] = m[10], n[4] = m[7], n[5] = m[0], n[6] = m[4], n[7] = m[13];
        n[8] = m[1], n[9] = m[11], n[10] = m[12], n[11] = m[5], n[12] = m[9], n[13] = m[14], n[14] = m[15], n[15] = m[8];
        UNROLL for (uint i = 0; i < 16; i++) m[i] = n[i];
    }
    UNROLL for (uint i = 0; i < 8; i++) cv[i] = v[i] ^ v[8 + i];
}

// Computes the chunk values of a piece of `bytes` bytes. All chunks except the last have 1024 bytes. `root` is the flag
// of the last block if the piece is the whole input. 1024 more bytes after the piece must be readable.
KERNEL void chunks(GLOBAL const uint *data, GLOBAL uint *values, uint bytes, uint first_low, uint first_high,
                   uint root, uint items) {
    uint item = ITEM;
    if (item >= items) return;
    uint left = bytes - 1024 * item;
    uint length = left < 1024 ? left : 1024;
    uint blocks = length == 0 ? 1 : (length + 63) / 64;
    uint low = first_low + item, high = first_high + (low < first_low);
    GLOBAL const quad *quads = (GLOBAL const quad *)data + 64 * item;
    uint cv[8], m[16];
    UNROLL for (uint i = 0; i < 8; i++) cv[i] = INITIAL[i];
    for (uint block = 0; block < blocks; block++) {
        uint own = length - 64 * block;
        UNROLL for (uint i = 0; i < 4; i++) {
            quad q = quads[4 * block + i];
            m[4 * i] = q.x, m[4 * i + 1] = q.y, m[4 * i + 2] = q.z, m[4 * i + 3] = q.w;
        }
        if (own < 64) {
            UNROLL for (uint i = 0; i < 16; i++) {
                if (4 * i >= own) m[i] = 0;
                else if (own - 4 * i < 4) m[i] &= 0xffffffffu >> (32 - 8 * (own - 4 * i));
            }
        }
        uint flags = (block == 0 ? CHUNK_START : 0) | (block == blocks - 1 ? CHUNK_END | root : 0);
        compress(cv, m, low, high, own < 64 ? own : 64, flags);
    }
    UNROLL for (uint i = 0; i < 8; i++) values[8 * item + i] = cv[i];
}

// Merges pairs of values. A single value at the end is copied to the next level. Repeated for each level, this computes
// the tree of BLAKE3, in which the left side of each node is complete.
KERNEL void parents(GLOBAL const uint *values, GLOBAL uint *above, uint count, uint root, uint items) {
    uint item = ITEM;
    if (item >= items) return;
    uint m[16], cv[8];
    if (2 * item + 1 < count) {
        UNROLL for (uint i = 0; i < 16; i++) m[i] = values[16 * item + i];
        UNROLL for (uint i = 0; i < 8; i++) cv[i] = INITIAL[i];
        compress(cv, m, 0, 0, 64, PARENT | root);
    } else {
        UNROLL for (uint i = 0; i < 8; i++) cv[i] = values[16 * item + i];
    }
    UNROLL for (uint i = 0; i < 8; i++) above[8 * item + i] = cv[i];
}
