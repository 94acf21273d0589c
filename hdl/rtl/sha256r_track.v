`default_nettype none

// Half of the state of the iterative core: a, b, c with H0 ... H3, or e, f, g with H4 ... H7. `x0` is the newest
// variable. The ring holds four words of the chaining value. It turns by one word in each of the last four clocks of a
// block, in which x0 is the variable that must be added to the word at the end of the ring. Thus one adder is enough
// for the four additions of FIPS 180-4, 6.2.2 step 4, and the first sums are already variables of the next block while
// the last ones are still being computed.
module sha256r_track (
    input  wire         clk,
    input  wire         step,         // clock enable; only `load` works without it
    input  wire         load,         // loads `loaded` into the ring
    input  wire [127:0] loaded,       // already turned by two words: third, fourth, first, second word
    input  wire         fresh,        // x0 does not belong to a block yet, and counts as zero in the additions
    input  wire         turn,         // turns the ring and adds x0
    input  wire [31:0]  next,         // the result of the round
    input  wire         load1,        // x1 is `value1`, not x0
    input  wire [31:0]  value1,
    input  wire         load2,        // x2 is `value2`, not x1
    input  wire [31:0]  value2,
    output reg  [31:0]  x0,
    output reg  [31:0]  x1,
    output reg  [31:0]  x2,
    output wire [31:0]  sum,          // the word of the chaining value that is completed by adding x0
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
