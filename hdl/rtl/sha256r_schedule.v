`default_nettype none

// One clock of the message schedule of FIPS 180-4, 6.2.2 step 1. `partial` is W[t-7] + sigma0(W[t-15]) + W[t-16], which
// the caller registered in the previous clock, so that only one addition depends on W[t-2].
// Combinational.
module sha256r_schedule (
    input  wire [31:0] partial,
    input  wire [31:0] w2,            // W[t-2]
    input  wire [31:0] w6,            // W[t-6], W[t-14] and W[t-15], which the next word needs
    input  wire [31:0] w14,           // W[t-7], W[t-15] and W[t-16]
    input  wire [31:0] w15,
    output wire [31:0] w_next,        // W[t]
    output wire [31:0] partial_next
);
    // (4.6), (4.7): two rotations and a shift.
    wire [31:0] small_sigma0 = {w14[6:0], w14[31:7]} ^ {w14[17:0], w14[31:18]} ^ {3'b0, w14[31:3]};
    wire [31:0] small_sigma1 = {w2[16:0], w2[31:17]} ^ {w2[18:0], w2[31:19]} ^ {10'b0, w2[31:10]};

    assign w_next = partial + small_sigma1;
    assign partial_next = w6 + small_sigma0 + w15;
endmodule

`default_nettype wire
