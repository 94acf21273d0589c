`default_nettype none

// The compression function of SHA-256 with any number of rounds, one round per clock: 64 rounds are SHA-256, and 90 are
// SHA256-90R. It accepts a chain of blocks as a stream of words and returns the chaining value after the last block. If
// neither side waits for the other, a chain of n blocks takes n * (ROUNDS + 2) + 4 clocks: one to load, ROUNDS + 2 for
// each block, and three at the end.
//
// Words: one is accepted at each clock in which in_valid and in_ready are both high, sixteen for each block, the first
// word of the block first. Until the word is accepted, in_valid must stay high, and in_word, in_last and in_chain must
// not change. in_ready does not depend on in_valid.
// in_last is sampled with the sixteenth word of a block. It is high if no other block follows.
// in_chain is the value to start from, H0 in its highest bits; it is sampled before the first word is accepted.
// Result: out_chain is valid while out_valid is high. out_valid stays high until out_ready; then the next chain begins.
// rst: synchronous, active high. It resets only the control logic, because all other registers are written before they
// are read.
module sha256r_iter #(
    parameter integer ROUNDS = 90     // 17 ... 256
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         in_valid,
    output wire         in_ready,
    input  wire [31:0]  in_word,
    input  wire         in_last,
    input  wire [255:0] in_chain,
    output reg          out_valid,
    input  wire         out_ready,
    output wire [255:0] out_chain
);
    // Values of t: the clock with the first addition of step 4, the last clock before the first word of the next block,
    // and the last clock of a chain.
    localparam integer FOLD = ROUNDS;
    localparam integer TURN = ROUNDS + 1;
    localparam integer END  = ROUNDS + 4;

    reg [8:0] t;                      // clock within the block, and index of the word W that is computed
    reg       running;
    reg       last;                   // this block is the last one of its chain
    reg       fresh;                  // this block is the first one of its chain

    wire absorb = running && t[8:4] == 5'd0;
    wire step   = running && (!absorb || in_valid);
    wire load   = !running && in_valid && (!out_valid || out_ready);

    assign in_ready = absorb;

    // The half with a is one clock behind the half with e.
    wire e_turn = t < 9'd2 || (t >= FOLD[8:0] && t != END[8:0]);
    reg  a_turn;
    // The first clocks of a block, in which the chaining value is moved into the variables.
    wire clock01 = t < 9'd2;
    reg  clock12, clock23;

    always @(posedge clk) begin
        if (rst) begin
            running   <= 1'b0;
            out_valid <= 1'b0;
        end else begin
            if (load)
                running <= 1'b1;
            else if (step && t == END[8:0])
                running <= 1'b0;
            if (step && t == END[8:0])
                out_valid <= 1'b1;
            else if (out_ready)
                out_valid <= 1'b0;
        end
    end

    always @(posedge clk) begin
        if (load) begin
            t       <= 9'd0;
            fresh   <= 1'b1;
            a_turn  <= 1'b0;
            clock12 <= 1'b0;
            clock23 <= 1'b0;
        end else if (step) begin
            t       <= t == TURN[8:0] && !last ? 9'd0 : t + 9'd1;
            a_turn  <= e_turn;
            clock12 <= clock01;
            clock23 <= clock12;
            if (t == 9'd15) begin
                fresh <= 1'b0;
                last  <= in_last;
            end
        end
    end

    // The message schedule: w[i] is W[t-1-i], and w[14] is dropped.
    reg  [31:0] w [0:14];
    reg  [31:0] partial;
    wire [31:0] w_next, partial_next;
    sha256r_schedule schedule (
        .partial(partial), .w2(w[1]), .w6(w[5]), .w14(w[13]), .w15(w[14]),
        .w_next(w_next), .partial_next(partial_next)
    );

    wire [31:0] k_next;
    sha256r_constant constant (.t(t[5:0]), .k(k_next));

    integer i;
    reg [31:0] k, kw, t1, r1, r2;
    always @(posedge clk) begin
        if (step) begin
            w[0] <= absorb ? in_word : w_next;
            for (i = 1; i < 15; i = i + 1)
                w[i] <= w[i - 1];
            partial <= partial_next;
            k  <= k_next;
            kw <= k + w[0];
            t1 <= clock12 ? 32'd0 : t1_next;
            r1 <= r1_next;
            r2 <= clock01 ? 32'd0 : r2_next;
        end
    end

    // How the chaining value gets into the variables, clock by clock. At the end, e0, e1, e2 are e, f, g in clock 3,
    // and a0, a1, a2 are a, b, c one clock later. In clock 2, the round needs h in e2 and d in a1; in clock 3 it needs
    // g and c there.
    //   H4, H5  when they are complete, to e1 in clocks 1 and 0, and from there through the adders to e0
    //   H6, H7  from the ring to e2 in clocks 2 and 1
    //   H0, H1  when they are complete, to a2 in clocks 2 and 1, and from there through the adders to a0
    //   H2, H3  from the ring to a1 in clocks 2 and 1
    wire [31:0]  e0, e1, e2, a0, a1, a2, e_next, a_next, t1_next, r1_next, r2_next, e_sum, a_sum;
    wire [127:0] e_chain, a_chain;
    assign out_chain = {a_chain, e_chain};
    sha256r_step round (
        .e0(e0), .e1(e1), .e2(e2), .a0(a0), .a1(a1), .a2(a2), .t1(t1), .r1(r1), .r2(r2), .kw(kw),
        .e_pass(clock12), .a_pass(clock23),
        .e_next(e_next), .a_next(a_next), .t1_next(t1_next), .r1_next(r1_next), .r2_next(r2_next)
    );
    sha256r_track track_e (
        .clk(clk), .step(step), .load(load), .loaded({in_chain[63:0], in_chain[127:64]}), .fresh(fresh), .turn(e_turn),
        .next(e_next), .load1(clock01), .value1(e_sum), .load2(clock12), .value2(e_chain[63:32]),
        .x0(e0), .x1(e1), .x2(e2), .sum(e_sum), .chain(e_chain)
    );
    sha256r_track track_a (
        .clk(clk), .step(step), .load(load), .loaded({in_chain[191:128], in_chain[255:192]}), .fresh(fresh), .turn(a_turn),
        .next(a_next), .load1(clock12), .value1(a_chain[95:64]), .load2(clock12), .value2(a_sum),
        .x0(a0), .x1(a1), .x2(a2), .sum(a_sum), .chain(a_chain)
    );

`ifdef FORMAL
    `include "sha256r_iter.vh"
`endif
endmodule

`default_nettype wire
