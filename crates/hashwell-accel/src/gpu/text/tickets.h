// Tickets of hwdraw/1 (docs/spec/draw.md): the first 16 bytes of SHA-256(K || 01 || decimal digits of a row), for rows
// that differ only in their last eight digits. The host computes the values that all rows of a launch share:
//
// setup[0 .. 8)    the state after the rounds with words 0 to 7, which are K
// setup[8 .. 15)   words 16 to 22 of the schedule, without the terms that depend on words 8 to 14
// setup[15]        word 7
// setup[16 .. 22)  words 8 to 13: the byte 01 and the shared digits, followed by zeros
// setup[22]        word 15: the length of the message in bits
// setup[23]        the number of bytes of words 8 to 13 before the row's own digits
// setup[24]        the number of own digits, 1 to 8
// setup[25]        the own digits of the first row, as a number
// setup[26 .. 30)  the largest ticket that is kept
// setup[30]        the number of tickets for which there is room

// Returns a number below 10^4 as four digits.
DEV uint four_digits(uint n) {
    uint high = n / 100, low = n % 100;
    return 0x30303030u + (high / 10 << 24 | high % 10 << 16 | low / 10 << 8 | low % 10);
}

// Returns true if the ticket in x is greater than the one in y.
DEV int is_above(const uint *x, GLOBAL const uint *y) {
    if (x[0] != y[0]) return x[0] > y[0];
    if (x[1] != y[1]) return x[1] > y[1];
    if (x[2] != y[2]) return x[2] > y[2];
    return x[3] > y[3];
}

// Writes the digits of the row, and the one bit after them, to words 8 to 13.
DEV void place_digits(uint *w, GLOBAL const uint *setup, uint row) {
    uint before = setup[23], digits = setup[24];
    ulong text = (ulong)four_digits(row / 10000) << 32 | four_digits(row % 10000);
    text <<= 8 * (8 - digits);
    uint behind = 0x80000000u;
    if (digits < 8) {
        text |= (ulong)0x80 << (8 * (7 - digits));
        behind = 0;
    }
    uint word = before >> 2, bits = 8 * (before & 3);
    uint parts[3];
    parts[0] = (uint)(text >> 32) >> bits;
    parts[1] = (uint)(text >> bits);
    parts[2] = bits == 0 ? behind : ((uint)text << (32 - bits)) | (behind >> bits);
    UNROLL for (uint i = 0; i < 6; i++) {
        uint own = i == word ? parts[0] : i == word + 1 ? parts[1] : i == word + 2 ? parts[2] : 0;
        w[8 + i] = setup[16 + i] | own;
    }
}

// Keeps the tickets that are at most the bound, in any order. Each takes five words: the number of the row in the
// launch, and the ticket. `count` also counts tickets for which there is no room.
KERNEL void tickets(GLOBAL const uint *setup, GLOBAL uint *count, GLOBAL uint *kept, uint items) {
    uint item = ITEM;
    if (item >= items) return;
    uint s[8], w[16];
    UNROLL for (uint i = 0; i < 8; i++) s[i] = setup[i], w[i] = setup[8 + i];
    place_digits(w, setup, setup[25] + item);
    w[14] = 0;
    w[15] = setup[22];
    UNROLL for (uint t = 8; t < 16; t++) one_round(s, K[t] + w[t]);
    UNROLL for (uint i = 0; i < 16; i++) {
        if (i < 7) w[i] += SIGMA1(w[(i + 14) & 15]) + w[i + 9];
        else next_word(w, i);
        one_round(s, K[16 + i] + w[i]);
    }
    later_rounds(s, w, 32);
    uint ticket[4];
    UNROLL for (uint i = 0; i < 4; i++) ticket[i] = INITIAL[i] + s[i];
    if (is_above(ticket, setup + 26)) return;
    uint place = ATOMIC_NEXT(count);
    if (place >= setup[30]) return;
    kept[5 * place] = item;
    UNROLL for (uint i = 0; i < 4; i++) kept[5 * place + 1 + i] = ticket[i];
}
