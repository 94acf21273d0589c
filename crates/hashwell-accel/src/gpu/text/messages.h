// Hashes one message per work item. A message has less than 2^31 bytes and can start at any byte. For each message,
// `places` contains its start in `data` and its length. 68 more bytes after the last message must be readable.

// Loads 64 bytes from byte `from` on.
DEV void load_block(uint *w, GLOBAL const uint *data, uint from) {
    if ((from & 15) == 0) {
        GLOBAL const quad *quads = (GLOBAL const quad *)data + (from >> 4);
        UNROLL for (uint i = 0; i < 4; i++) {
            quad q = quads[i];
            w[4 * i] = swapped(q.x), w[4 * i + 1] = swapped(q.y);
            w[4 * i + 2] = swapped(q.z), w[4 * i + 3] = swapped(q.w);
        }
    } else {
        GLOBAL const uint *words = data + (from >> 2);
        uint low = words[0];
        UNROLL for (uint i = 0; i < 16; i++) {
            uint high = words[i + 1];
            w[i] = big_endian(low, high, from & 3);
            low = high;
        }
    }
}

// Writes the padding after the last byte of the message, which is byte `left` - 1 of this block: a one bit, and zeros.
// In a block with neither message bytes nor the one bit, `left` is negative.
DEV void pad(uint *w, int left) {
    UNROLL for (int i = 0; i < 16; i++) {
        int kept = left - 4 * i;
        if (kept < 0) w[i] = 0;
        else if (kept == 0) w[i] = 0x80000000u;
        else if (kept < 4) w[i] = (w[i] & ~(0xffffffffu >> (8 * kept))) | (0x80000000u >> (8 * kept));
    }
}

KERNEL void messages(GLOBAL const uint *data, GLOBAL const uint *places, GLOBAL uint *digests, uint items) {
    uint item = ITEM;
    if (item >= items) return;
    uint start = places[2 * item], length = places[2 * item + 1];
    uint blocks = (length + 9 + 63) / 64;
    uint h[8], w[16];
    UNROLL for (uint i = 0; i < 8; i++) h[i] = INITIAL[i];
    for (uint block = 0; block < blocks; block++) {
        int left = (int)(length - 64 * block);
        if (left > 0) load_block(w, data, start + 64 * block);
        if (left < 64) pad(w, left);
        if (block == blocks - 1) {
            w[14] = length >> 29;
            w[15] = length << 3;
        }
        compress(h, w);
    }
    UNROLL for (uint i = 0; i < 8; i++) digests[8 * item + i] = swapped(h[i]);
}
