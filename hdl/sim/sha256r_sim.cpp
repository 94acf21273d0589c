#include "sha256r_sim.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "Vaxis64.h"
#include "Vaxis90.h"
#include "clocked.h"

struct sha256r_sim {
    virtual ~sha256r_sim() = default;
    virtual bool hash(const uint8_t *message, size_t length, uint8_t *digest, uint64_t *cycles) = 0;
};

namespace {

template <class Model, unsigned ROUNDS> class Core final : public sha256r_sim {
  public:
    bool hash(const uint8_t *message, size_t length, uint8_t *digest, uint64_t *cycles) override {
        Model &m = core.model;
        const uint64_t start = core.clocks;
        // At least two blocks more than the message has, for the output of the digest.
        const uint64_t limit = start + (length / 64 + 4) * (ROUNDS + 2);
        size_t sent = 0, received = 0;
        bool all_sent = false;
        m.m_axis_tready = 1;
        while (received < 32) {
            if (core.clocks == limit)
                return false;
            const size_t part = std::min<size_t>(length - sent, 4);
            m.s_axis_tvalid = !all_sent;
            if (!all_sent) {
                uint32_t data = 0;
                for (size_t i = 0; i < part; i++)
                    data |= uint32_t(message[sent + i]) << 8 * i;
                m.s_axis_tdata = data;
                m.s_axis_tkeep = (1u << part) - 1;
                m.s_axis_tlast = sent + part == length;
            }
            core.settle();
            if (m.m_axis_tvalid) {
                for (int i = 0; i < 4; i++)
                    digest[received++] = uint8_t(m.m_axis_tdata >> 8 * i);
                if (m.m_axis_tuser || m.m_axis_tlast != (received == 32))
                    return false;
            }
            if (m.s_axis_tvalid && m.s_axis_tready) {
                sent += part;
                all_sent = sent == length;
            }
            core.tick();
        }
        if (cycles)
            *cycles = core.clocks - start;
        return true;
    }

  private:
    Clocked<Model, AxisPorts> core;
};

} // namespace

extern "C" sha256r_sim *sha256r_sim_new(unsigned rounds) {
    try {
        switch (rounds) {
        case 64: return new Core<Vaxis64, 64>;
        case 90: return new Core<Vaxis90, 90>;
        default: return nullptr;
        }
    } catch (...) {
        return nullptr;
    }
}

extern "C" void sha256r_sim_free(sha256r_sim *sim) { delete sim; }

extern "C" int sha256r_sim_hash(sha256r_sim *sim, const uint8_t *message, size_t length, uint8_t digest[32],
                                uint64_t *cycles) {
    if (sim->hash(message, length, digest, cycles))
        return 0;
    memset(digest, 0, 32);
    return 1;
}
