// Compares both cores with the model, for random blocks and random chaining values, with random gaps and stalls, and
// hashes complete messages through the C interface. Usage: blocks [COUNT]; the default is 20,000 blocks for each core.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>
#include <vector>

#include "Viter64.h"
#include "Viter90.h"
#include "Vpipe64.h"
#include "Vpipe90.h"
#include "clocked.h"
#include "model.h"
#include "sha256r_sim.h"

namespace {

using Random = std::mt19937_64;
using Constants = std::array<uint32_t, 64>;

// The words of a port, which has the first one in its highest bits.
template <class Port, class Words> void put(Port &port, const Words &words) {
    for (size_t i = 0; i < words.size(); i++)
        port[words.size() - 1 - i] = words[i];
}

template <class Port> model::Chain get(const Port &port) {
    model::Chain words;
    for (size_t i = 0; i < words.size(); i++)
        words[i] = port[words.size() - 1 - i];
    return words;
}

template <class Words> Words random_words(Random &random) {
    Words words;
    for (uint32_t &word : words)
        word = uint32_t(random());
    return words;
}

// The input sides of the two cores: a chain of blocks word by word, or one block at a time.
struct Chain {
    model::Chain start;
    std::vector<model::Block> blocks;
};

template <class Model> struct Words {
    static constexpr unsigned MAX_BLOCKS = 3;
    size_t at = 0;

    void offer(Model &m, const Chain &chain) {
        put(m.in_chain, chain.start);
        m.in_word = chain.blocks[at / 16][at % 16];
        m.in_last = at / 16 + 1 == chain.blocks.size();
    }
    // Returns true if the chain has been completely accepted.
    bool taken(const Chain &chain) {
        at = (at + 1) % (16 * chain.blocks.size());
        return at == 0;
    }
};

template <class Model> struct Blocks {
    static constexpr unsigned MAX_BLOCKS = 1;

    void offer(Model &m, const Chain &chain) {
        put(m.in_chain, chain.start);
        put(m.in_block, chain.blocks[0]);
    }
    bool taken(const Chain &) { return true; }
};

// The number of results that differ from the model or are missing.
template <class Model, template <class> class Side>
unsigned differences(unsigned rounds, unsigned count, const Constants &k, uint64_t seed) {
    Random random(seed);
    Clocked<Model, PlainPorts> core;
    Model &m = core.model;
    Side<Model> side;
    Chain chain;
    std::deque<model::Chain> expected;
    unsigned begun = 0, done = 0, wrong = 0;
    bool offering = false, whole = true;
    // Periods with and without waiting alternate, so that the pipeline is sometimes full and sometimes empty.
    while ((begun < count || !whole || !expected.empty()) && core.clocks < 400ull * count + 10000) {
        const bool waiting = core.clocks / 512 % 2;
        if (whole && begun < count) {
            chain.start = random_words<model::Chain>(random);
            chain.blocks.assign(1 + random() % Side<Model>::MAX_BLOCKS, {});
            model::Chain result = chain.start;
            for (model::Block &block : chain.blocks) {
                block = random_words<model::Block>(random);
                result = model::compress(result, block, rounds, k);
            }
            expected.push_back(result);
            begun += chain.blocks.size();
            whole = false;
        }
        offering = offering || (!whole && !(waiting && random() % 2));
        m.in_valid = offering;
        if (offering)
            side.offer(m, chain);
        m.out_ready = !(waiting && random() % 2);
        core.settle();
        if (m.out_valid && m.out_ready) {
            wrong += expected.empty() || get(m.out_chain) != expected.front();
            done += !expected.empty();
            if (!expected.empty())
                expected.pop_front();
        }
        if (m.in_valid && m.in_ready) {
            offering = false;
            whole = side.taken(chain);
        }
        core.tick();
    }
    return wrong + expected.size() + (done == 0);
}

template <class Model, template <class> class Side>
bool core(const char *name, unsigned rounds, unsigned count, const Constants &k) {
    const unsigned wrong = differences<Model, Side>(rounds, count, k, rounds);
    // With one wrong bit in the model, there must be differences; otherwise the comparison would not work.
    Constants faulty = k;
    faulty[63] ^= 1;
    const bool noticed = differences<Model, Side>(rounds, 30, faulty, 1) != 0;
    printf("%s, %u rounds, Verilator: %u random blocks, %u differences%s\n", name, rounds, count, wrong,
           noticed ? "" : ", and a wrong constant is not noticed");
    return wrong == 0 && noticed;
}

// Hashes complete messages and checks the number of clocks: n * (rounds + 2) + 4 for n blocks, and the output of the
// digest.
bool messages(unsigned rounds, const char *abc) {
    sha256r_sim *sim = sha256r_sim_new(rounds);
    bool right = sim != nullptr;
    for (const size_t blocks : {1, 2, 100}) {
        std::vector<uint8_t> message(64 * blocks - 9, 'a');
        uint8_t digest[32];
        uint64_t cycles = 0;
        right = right && sha256r_sim_hash(sim, message.data(), message.size(), digest, &cycles) == 0;
        right = right && cycles == blocks * (rounds + 2) + 4 + 9;
    }
    uint8_t digest[32];
    char hex[65];
    right = right && sha256r_sim_hash(sim, reinterpret_cast<const uint8_t *>("abc"), 3, digest, nullptr) == 0;
    for (int i = 0; right && i < 32; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    right = right && strcmp(hex, abc) == 0;
    sha256r_sim_free(sim);
    printf("sha256r_sim, %u rounds: %s\n", rounds, right ? "right" : "WRONG");
    return right;
}

} // namespace

int main(int argc, char **argv) {
    const unsigned count = argc > 1 ? unsigned(strtoul(argv[1], nullptr, 10)) : 20000;
    const Constants k = model::constants();
    bool right = core<Viter64, Words>("sha256r_iter", 64, count, k);
    right &= core<Viter90, Words>("sha256r_iter", 90, count, k);
    right &= core<Vpipe64, Blocks>("sha256r_pipe", 64, count, k);
    right &= core<Vpipe90, Blocks>("sha256r_pipe", 90, count, k);
    right &= messages(64, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    right &= messages(90, "4109b01465a0497e666f43a5cd87904f54ea34059bf23bc7260c7fc90ccf3230");
    return right && sha256r_sim_new(89) == nullptr ? 0 : 1;
}
