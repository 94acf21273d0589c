`default_nettype none

// One stage of the pipeline: the registers of sha256r_iter at one clock of a block. Stage T begins with W[T] at the end of
// `w` and makes kw of round T, r1 and r2 of round T - 1, e after round T - 2 and a after round T - 3. In the first two
// stages, where those rounds do not exist, e and a are given.
module sha256r_stage #(
    parameter integer T = 1,
    parameter integer GIVEN_E = 0,
    parameter integer GIVEN_A = 0
) (
    input  wire         clk,
    input  wire         step,
    input  wire [31:0]  e_given,
    input  wire [31:0]  a_given,
    input  wire [479:0] in_w,         // W[T + 14] ... W[T], the first in the highest bits
    input  wire [31:0]  in_partial,   // of W[T + 15]
    input  wire [31:0]  in_kw,
    input  wire [63:0]  in_r,         // r1, r2
    input  wire [31:0]  in_t1,
    input  wire [95:0]  in_e,         // e0, e1, e2
    input  wire [95:0]  in_a,         // a0, a1, a2
    output reg  [479:0] w,
    output reg  [31:0]  partial,
    output reg  [31:0]  kw,
    output reg  [63:0]  r,
    output reg  [31:0]  t1,
    output reg  [95:0]  e,
    output reg  [95:0]  a
);
    wire [31:0] k, w_next, partial_next, e_next, a_next, t1_next, r1_next, r2_next;
    sha256r_constant constant (.t(T[5:0]), .k(k));
    sha256r_schedule schedule (
        .partial(in_partial), .w2(in_w[447:416]), .w6(in_w[319:288]), .w14(in_w[63:32]), .w15(in_w[31:0]),
        .w_next(w_next), .partial_next(partial_next)
    );
    sha256r_step round (
        .e0(in_e[95:64]), .e1(in_e[63:32]), .e2(in_e[31:0]), .a0(in_a[95:64]), .a1(in_a[63:32]), .a2(in_a[31:0]),
        .t1(in_t1), .r1(in_r[63:32]), .r2(in_r[31:0]), .kw(in_kw),
        .e_pass(1'b0), .a_pass(1'b0),
        .e_next(e_next), .a_next(a_next), .t1_next(t1_next), .r1_next(r1_next), .r2_next(r2_next)
    );

    always @(posedge clk) begin
        if (step) begin
            w       <= {w_next, in_w[479:32]};
            partial <= partial_next;
            kw      <= k + in_w[31:0];
            r       <= {r1_next, r2_next};
            t1      <= t1_next;
            e       <= {GIVEN_E != 0 ? e_given : e_next, in_e[95:32]};
            a       <= {GIVEN_A != 0 ? a_given : a_next, in_a[95:32]};
        end
    end
endmodule

`default_nettype wire
