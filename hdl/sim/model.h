// A simple implementation of the compression function (FIPS 180-4, 6.2.2) with any number of rounds, with which the
// cores are compared. It computes the constants from the roots of primes (4.2.2).
#ifndef MODEL_H
#define MODEL_H

#include <array>
#include <cstdint>

namespace model {

using Chain = std::array<uint32_t, 8>;
using Block = std::array<uint32_t, 16>;

// The first 32 bits of the fractional part of the cube root of n.
inline uint32_t cube_root_fraction(unsigned n) {
    const unsigned __int128 cube = static_cast<unsigned __int128>(n) << 96;
    uint64_t root = 0;
    for (int bit = 35; bit >= 0; bit--) {
        const unsigned __int128 larger = root | uint64_t(1) << bit;
        if (larger * larger * larger <= cube)
            root = uint64_t(larger);
    }
    return uint32_t(root);
}

inline std::array<uint32_t, 64> constants() {
    std::array<uint32_t, 64> k{};
    unsigned found = 0;
    for (unsigned n = 2; found < 64; n++) {
        bool prime = true;
        for (unsigned d = 2; d * d <= n; d++)
            prime = prime && n % d != 0;
        if (prime)
            k[found++] = cube_root_fraction(n);
    }
    return k;
}

inline uint32_t rotr(uint32_t x, int n) { return x >> n | x << (32 - n); }

inline Chain compress(const Chain &chain, const Block &block, unsigned rounds, const std::array<uint32_t, 64> &k) {
    std::array<uint32_t, 256> w{};
    auto [a, b, c, d, e, f, g, h] = chain;
    for (unsigned t = 0; t < rounds; t++) {
        if (t < 16) {
            w[t] = block[t];
        } else {
            const uint32_t sigma0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
            const uint32_t sigma1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
            w[t] = sigma1 + w[t - 7] + sigma0 + w[t - 16];
        }
        const uint32_t t1 = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) + k[t % 64] + w[t];
        const uint32_t t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    return {chain[0] + a, chain[1] + b, chain[2] + c, chain[3] + d,
            chain[4] + e, chain[5] + f, chain[6] + g, chain[7] + h};
}

} // namespace model

#endif
