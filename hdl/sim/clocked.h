// A model that Verilator generated, with its clock.
#ifndef CLOCKED_H
#define CLOCKED_H

#include <cstdint>

#include <verilated.h>

// The names of a model's clock and reset signals, and the value at which the reset is active.
struct PlainPorts {
    template <class Model> static auto &clock(Model &model) { return model.clk; }
    template <class Model> static auto &reset(Model &model) { return model.rst; }
    static constexpr int ACTIVE = 1;
};

struct AxisPorts {
    template <class Model> static auto &clock(Model &model) { return model.aclk; }
    template <class Model> static auto &reset(Model &model) { return model.aresetn; }
    static constexpr int ACTIVE = 0;
};

template <class Model, class Ports> class Clocked {
  public:
    Clocked() : model(&context) {
        Ports::reset(model) = Ports::ACTIVE;
        for (int i = 0; i < 2; i++)
            tick();
        Ports::reset(model) = !Ports::ACTIVE;
        settle();
        clocks = 0;
    }
    ~Clocked() { model.final(); }

    // Updates the outputs for the present inputs, without a clock edge.
    void settle() { model.eval(); }

    void tick() {
        Ports::clock(model) = 1;
        model.eval();
        Ports::clock(model) = 0;
        model.eval();
        clocks++;
    }

  private:
    VerilatedContext context;

  public:
    Model model;
    uint64_t clocks = 0;
};

#endif
