`default_nettype none

// Converts an AXI-Stream of bytes to padded blocks of words (FIPS 180-4, 5.1.1), one message after another.
//
// Stream: the byte in the lowest lane is the first one. Every beat except the last one of a message has all four bytes
// (s_tkeep 1111). The last beat has zero to four bytes, from the lowest lane on without gaps (0000, 0001, 0011, 0111 or
// 1111), and s_tlast. A message without bytes is one beat with s_tkeep 0000 and s_tlast. With any other s_tkeep,
// `error` is high from that beat to the end of the message, and its words are invalid.
// Words: sixteen for each block, in the form that sha256r_iter accepts; `last` is high with the last word of the last
// block.
// A message has at most 2^61 - 1 bytes. The length of a longer one is encoded modulo 2^61.
module sha256r_pad (
    input  wire        clk,
    input  wire        rst,
    input  wire        s_tvalid,
    output wire        s_tready,
    input  wire [31:0] s_tdata,
    input  wire [3:0]  s_tkeep,
    input  wire        s_tlast,
    output wire        valid,
    input  wire        ready,
    output reg  [31:0] word,
    output wire        last,
    output reg         error
);
    localparam [1:0] BYTES = 2'd0;    // words of the message
    localparam [1:0] MARK  = 2'd1;    // the bit after the message, if the last word is full
    localparam [1:0] ZEROS = 2'd2;    // zeros up to the fourteenth word of a block, then the upper half of the length
    localparam [1:0] LOW   = 2'd3;    // the lower half of the length

    reg [1:0]  state;
    reg [3:0]  index;                 // index of the word within its block
    reg        begun;                 // a word of this message was accepted
    // The length in bits is {high, low, tail, 000}: {high, low} counts full blocks, and tail counts the bytes after
    // them. The carry into the upper half arrives one clock late, which is early enough and avoids a long adder.
    reg [31:0] high;
    reg [22:0] low;
    reg        carry;
    reg [5:0]  tail;

    wire       taken = valid && ready;
    wire       full  = s_tkeep == 4'b1111;
    wire [2:0] bytes = full ? 3'd4 : s_tkeep[2] ? 3'd3 : s_tkeep[1] ? 3'd2 : {2'd0, s_tkeep[0]};
    wire       gaps  = full ? 1'b0 : !s_tlast || (s_tkeep & (s_tkeep + 4'd1)) != 4'd0;

    assign valid    = state != BYTES || s_tvalid;
    assign s_tready = state == BYTES && ready;
    assign last     = state == LOW;

    // Words are big-endian. If the last word is not full, the bit after the message follows its bytes.
    always @* begin
        case (state)
            BYTES: case (bytes)
                3'd0:    word = 32'h80000000;
                3'd1:    word = {s_tdata[7:0], 24'h800000};
                3'd2:    word = {s_tdata[7:0], s_tdata[15:8], 16'h8000};
                3'd3:    word = {s_tdata[7:0], s_tdata[15:8], s_tdata[23:16], 8'h80};
                default: word = {s_tdata[7:0], s_tdata[15:8], s_tdata[23:16], s_tdata[31:24]};
            endcase
            MARK:    word = 32'h80000000;
            ZEROS:   word = index == 4'd14 ? high : 32'd0;
            default: word = {low, tail, 3'd0};
        endcase
    end

    always @(posedge clk) begin
        if (rst) begin
            state <= BYTES;
            index <= 4'd0;
            begun <= 1'b0;
        end else if (taken) begin
            index <= index + 4'd1;
            begun <= state != LOW;
            case (state)
                BYTES:   if (s_tlast) state <= full ? MARK : ZEROS;
                MARK:    state <= ZEROS;
                ZEROS:   if (index == 4'd14) state <= LOW;
                default: state <= BYTES;
            endcase
        end
    end

    always @(posedge clk) begin
        if (taken && state == BYTES) begin
            tail  <= {index, 2'd0} + {3'd0, bytes};
            error <= begun && error || gaps;
        end
    end

    wire filled = taken && state == BYTES && index == 4'd15 && full;
    always @(posedge clk) begin
        if (rst || (taken && state == LOW)) begin
            high  <= 32'd0;
            low   <= 23'd0;
            carry <= 1'b0;
        end else begin
            low   <= low + {22'd0, filled};
            carry <= filled && low == 23'h7fffff;
            high  <= high + {31'd0, carry};
        end
    end

`ifdef FORMAL
    `include "sha256r_pad.vh"
`endif
endmodule

`default_nettype wire
