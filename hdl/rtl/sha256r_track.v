`default_nettype none

// Half of the iterative core's state: a, b, c with H0 ... H3, or e, f, g with H4 ... H7. `x0` is the newest variable; the
// ring holds the chaining value's four words and turns by one in each of the last four clocks of a block, when x0 is
// exactly the variable that belongs to the word at its end. So one adder does the four additions of FIPS 180-4, 6.2.2
// step 4, and the sums flow back into the variables of the next block while the last ones are still being made.
module sha256r_track (
    input  wire         clk,
    input  wire         step,         // a clock that counts; without it only `load` acts
    input  wire         load,         // takes `loaded` into the ring
    input  wire [127:0] loaded,       // turned by two already: third, fourth, first, second word
    input  wire         fresh,        // x0 is of no block, and counts as zero in the additions
    input  wire         turn,         // turns the ring, adding x0
    input  wire [31:0]  next,         // what the round made
    input  wire         load1,        // x1 is `value1`, not x0
    input  wire [31:0]  value1,
    input  wire         load2,        // x2 is `value2`, not x1
    input  wire [31:0]  value2,
    output reg  [31:0]  x0,
    output reg  [31:0]  x1,
    output reg  [31:0]  x2,
    output wire [31:0]  sum,          // the chaining value's word that x0 completes
    output wire [127:0] chain         // the ring, first word in the highest bits
);
    reg [31:0] ring0, ring1, ring2, ring3;

    assign sum   = ring3 + (fresh ? 32'd0 : x0);
    assign chain = {ring0, ring1, ring2, ring3};

    always @(posedge clk) begin
        if (step) begin
            x0 <= next;
            x1 <= load1 ? value1 : x0;
            x2 <= load2 ? value2 : x1;
        end
        if (load)
            {ring0, ring1, ring2, ring3} <= loaded;
        else if (step && turn)
            {ring0, ring1, ring2, ring3} <= {sum, ring0, ring1, ring2};
    end
endmodule

`default_nettype wire
