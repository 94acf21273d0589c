`default_nettype none

// The compression function of SHA-256 with any number of rounds, one round a clock: 64 rounds are SHA-256, 90 are
// SHA256-90R. It takes a chain of blocks as a stream of words and gives the chaining value after the last one. A chain
// of n blocks takes n * (ROUNDS + 2) + 4 clocks when no side waits for another: one to load, ROUNDS + 2 a block, three
// to drain.
//
// Words: one is taken at each clock in which in_valid and in_ready are both high, sixteen a block, the first word of the
// block first. in_valid must stay and in_word, in_last and in_chain must not change until the word is taken. in_ready does
// not depend on in_valid.
// in_last is sampled with a block's sixteenth word: high if no other block follows.
// in_chain is the value to start from, H0 in its highest bits; it is sampled before the first word is accepted.
// Result: out_chain is valid while out_valid is high, which stays until out_ready; then the next chain begins.
// rst: synchronous, active high; it resets only the control logic, since no other register is read before it is written.
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
    // The clock of the block in which the first addition of step 4 is done, the last before the next block's first word,
    // and the last of a chain.
    localparam integer FOLD = ROUNDS;
    localparam integer TURN = ROUNDS + 1;
    localparam integer END  = ROUNDS + 4;

    reg [8:0] t;                      // clock of the block, which is also the index of the word W that is being made
    reg       running;
    reg       last;                   // this block is the chain's last
    reg       fresh;                  // this block is the first of its chain

    wire absorb = running && t[8:4] == 5'd0;
    wire step   = running && (!absorb || in_valid);
    wire load   = !running && in_valid && (!out_valid || out_ready);

    assign in_ready = absorb;

    // The half with a works one clock after the half with e.
    wire e_turn = t < 9'd2 || (t >= FOLD[8:0] && t != END[8:0]);
    reg  a_turn;
    // The first clocks of a block, in which the variables take up the chaining value.
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

    // The schedule: w[i] is W[t-1-i], and w[14] leaves.
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

    // How the chaining value gets into the variables, clock by clock; in the end e0, e1, e2 are e, f, g in clock 3, and a
    // clock later a0, a1, a2 are a, b, c. In clock 2 the round needs h, as e2, and d, as a1; in clock 3 g and c there.
    //   H4, H5  as they are completed, to e1 in clocks 1 and 0, and from there by way of the adders to e0
    //   H6, H7  from the ring to e2 in clocks 2 and 1
    //   H0, H1  as they are completed, to a2 in clocks 2 and 1, and from there by way of the adders to a0
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
