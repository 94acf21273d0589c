`default_nettype none

// One clock of the working variables of FIPS 180-4, 6.2.2 step 3. A round is spread over four clocks, so that no path
// has more than one level of logic and two adders. e[i] and a[i] are e and a after i rounds. For i < 0 they continue
// back into the chaining value: at the start, e[-1], e[-2], e[-3] are f, g, h, and a[-3] is d. Spreading is possible
// for two reasons: h of round i is e[i-3] and d is a[i-3], so that the sums with them are ready before the round
// begins; and a is needed one clock later than e, so that it can be computed one clock later.
//
//   clock     computes
//   i - 1     kw  = K[i] + W[i]                                  (kept by the caller)
//   i         r1  = e[i-3] + kw,   r2 = r1 + a[i-3]              h + K + W, and d + h + K + W
//   i + 1     t1  = r1 + s,        e[i+1] = r2 + s               where s = Sigma1(e) + Ch(e, f, g)
//   i + 2     a[i+1] = t1 + Sigma0(a) + Maj(a, b, c)
//
// In the iterative core, this module also moves the chaining value into the variables, because a multiplexer behind the
// adders would make the longest path longer. With e_pass, e_next is r2 + e1, and with a_pass, a_next is t1 + a2. This
// fits into the four-input lookup tables that Sigma, Ch and Maj need anyway.
//
// The module is combinational: the caller registers each `_next` output as the input with the same name, and shifts its
// tracks.
module sha256r_step (
    input  wire [31:0] e0,       // e, f and g
    input  wire [31:0] e1,
    input  wire [31:0] e2,
    input  wire [31:0] a0,       // a, b and c, one round behind e
    input  wire [31:0] a1,
    input  wire [31:0] a2,
    input  wire [31:0] t1,
    input  wire [31:0] r1,
    input  wire [31:0] r2,
    input  wire [31:0] kw,
    input  wire        e_pass,
    input  wire        a_pass,
    output wire [31:0] e_next,
    output wire [31:0] a_next,
    output wire [31:0] t1_next,
    output wire [31:0] r1_next,
    output wire [31:0] r2_next
);
    // (4.4), (4.5): rotations to the right.
    wire [31:0] big_sigma0 = a_pass ? 32'd0 : {a0[1:0], a0[31:2]} ^ {a0[12:0], a0[31:13]} ^ {a0[21:0], a0[31:22]};
    wire [31:0] big_sigma1 = e_pass ? 32'd0 : {e0[5:0], e0[31:6]} ^ {e0[10:0], e0[31:11]} ^ {e0[24:0], e0[31:25]};
    // (4.2), (4.3)
    wire [31:0] ch  = e_pass ? e1 : (e0 & e1) ^ (~e0 & e2);
    wire [31:0] maj = a_pass ? a2 : (a0 & a1) ^ (a0 & a2) ^ (a1 & a2);

    wire [31:0] s = big_sigma1 + ch;

    assign e_next  = r2 + s;
    assign t1_next = r1 + s;
    assign a_next  = t1 + (big_sigma0 + maj);
    assign r1_next = e2 + kw;
    assign r2_next = r1_next + a1;
endmodule

`default_nettype wire
