`default_nettype none

// Delays its input by DEPTH steps in a circular buffer; a memory of this size becomes block RAM.
module sha256r_delay #(
    parameter integer WIDTH = 256,
    parameter integer DEPTH = 93              // at least 2
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             step,
    input  wire [WIDTH-1:0] in,
    output reg  [WIDTH-1:0] out
);
    function integer address_bits(input integer places);
        for (address_bits = 0; 1 << address_bits < places; address_bits = address_bits + 1);
    endfunction

    localparam integer BITS = address_bits(DEPTH);
    localparam integer LAST = DEPTH - 1;

    reg [WIDTH-1:0] memory [0:DEPTH-1];
    reg [BITS-1:0]  at;
    // Read and write addresses always differ, so the memory needs no rule for simultaneous access to one address.
    wire [BITS-1:0] next = at == LAST[BITS-1:0] ? {BITS{1'b0}} : at + {{BITS-1{1'b0}}, 1'b1};

    always @(posedge clk) begin
        if (rst)
            at <= {BITS{1'b0}};
        else if (step)
            at <= next;
    end

    always @(posedge clk) begin
        if (step) begin
            memory[at] <= in;
            out <= memory[next];
        end
    end
endmodule

`default_nettype wire
