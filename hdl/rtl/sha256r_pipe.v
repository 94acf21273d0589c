`default_nettype none

// The compression function of SHA-256 with any number of rounds, one block per clock: every round has its own stage,
// so that ROUNDS + 4 blocks are in flight at once. They must belong to different messages, since each block needs the chaining
// value of the block before it.
//
// A block is taken at each clock in which in_valid and in_ready are both high: in_block with its first word in the highest
// bits, and the chaining value it starts from, H0 in the highest bits. Results come in the same order, ROUNDS + 4 clocks
// later; while a result waits to be accepted, the whole pipeline stalls. in_ready depends on out_ready.
// rst: synchronous, active high; it resets only the control logic.
module sha256r_pipe #(
    parameter integer ROUNDS = 90     // 17 ... 256
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         in_valid,
    output wire         in_ready,
    input  wire [511:0] in_block,
    input  wire [255:0] in_chain,
    output wire         out_valid,
    input  wire         out_ready,
    output reg  [255:0] out_chain
);
    // The number of the registers after the last stage; the registers of the results have the next number.
    localparam integer END = ROUNDS + 3;

    reg [END+1:1] valid;
    wire          step = out_ready || !out_valid;

    assign in_ready  = step;
    assign out_valid = valid[END+1];

    always @(posedge clk) begin
        if (rst)
            valid <= {(END + 1){1'b0}};
        else if (step)
            valid <= {valid[END:1], in_valid};
    end

    // The registers between stages: stage T reads those with number T and writes those with number T + 1.
    wire [479:0] w       [1:END];
    wire [31:0]  partial [1:END];
    wire [31:0]  kw      [1:END];
    wire [63:0]  r       [1:END];
    wire [31:0]  t1      [1:END];
    wire [95:0]  e       [1:END];
    wire [95:0]  a       [1:END];

    // The input stage: kw of round 0 and `partial` for W[16], and the chaining value as variables of earlier rounds.
    wire [31:0] k0, first_partial, unused_w;
    sha256r_constant constant0 (.t(6'd0), .k(k0));
    sha256r_schedule entrance (
        .partial(32'd0), .w2(32'd0), .w6(in_block[223:192]), .w14(in_block[479:448]), .w15(in_block[511:480]),
        .w_next(unused_w), .partial_next(first_partial)
    );
    reg [479:0] entered_w;
    reg [31:0]  entered_partial, entered_kw, h0, h0_later, h1, h4;
    reg [95:0]  entered_e, entered_a;
    always @(posedge clk) begin
        if (step) begin
            // The input has the first word of the block in its highest bits; the stages have the newest word there.
            entered_w <= {
                in_block[31:0], in_block[63:32], in_block[95:64], in_block[127:96], in_block[159:128],
                in_block[191:160], in_block[223:192], in_block[255:224], in_block[287:256], in_block[319:288],
                in_block[351:320], in_block[383:352], in_block[415:384], in_block[447:416], in_block[479:448]
            };
            entered_partial <= first_partial;
            entered_kw <= k0 + in_block[511:480];
            entered_e  <= in_chain[95:0];
            entered_a  <= {in_chain[191:128], 32'd0};
            {h0, h1}   <= in_chain[255:192];
            h4         <= in_chain[127:96];
            h0_later   <= h0;
        end
    end
    assign w[1]       = entered_w;
    assign partial[1] = entered_partial;
    assign kw[1]      = entered_kw;
    assign r[1]       = 64'd0;
    assign t1[1]      = 32'd0;
    assign e[1]       = entered_e;
    assign a[1]       = entered_a;

    genvar i;
    generate
        for (i = 1; i < END; i = i + 1) begin : stages
            sha256r_stage #(.T(i), .GIVEN_E(i == 1 ? 1 : 0), .GIVEN_A(i <= 2 ? 1 : 0)) stage (
                .clk(clk), .step(step), .e_given(h4), .a_given(i == 1 ? h1 : h0_later),
                .in_w(w[i]), .in_partial(partial[i]), .in_kw(kw[i]), .in_r(r[i]), .in_t1(t1[i]), .in_e(e[i]), .in_a(a[i]),
                .w(w[i+1]), .partial(partial[i+1]), .kw(kw[i+1]), .r(r[i+1]), .t1(t1[i+1]), .e(e[i+1]), .a(a[i+1])
            );
        end
    endgenerate

    // The output stage: at END, a0, a1, a2 are a, b, c, and e1, e2 are e, f; d, g and h left earlier stages.
    wire [255:0] chain;
    sha256r_delay #(.WIDTH(256), .DEPTH(END)) chains (
        .clk(clk), .rst(rst), .step(step), .in(in_chain), .out(chain)
    );
    reg [31:0] d, g, h, h_before;
    always @(posedge clk) begin
        if (step) begin
            d <= a[END-1][31:0];
            g <= e[END-1][31:0];
            h_before <= e[END-2][31:0];
            h <= h_before;
            out_chain <= {
                chain[255:224] + a[END][95:64], chain[223:192] + a[END][63:32], chain[191:160] + a[END][31:0],
                chain[159:128] + d, chain[127:96] + e[END][63:32], chain[95:64] + e[END][31:0],
                chain[63:32] + g, chain[31:0] + h
            };
        end
    end

`ifdef FORMAL
    `include "sha256r_pipe.vh"
`endif
endmodule

`default_nettype wire
