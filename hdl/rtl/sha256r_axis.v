`default_nettype none

// SHA-256 (ROUNDS = 64) or SHA256-90R (ROUNDS = 90) of whole messages, AXI-Stream in and out. Messages may follow each other
// without a gap, and either side may wait for any time; digests are in the order of their messages.
//
// Slave: the bytes of messages as sha256r_pad describes them; s_axis_tlast ends a message.
// Master: eight beats for each message. The lowest lane of the first beat has the digest's first byte, and m_axis_tlast
// is high with the eighth beat.
// m_axis_tuser is high in all eight if the message violated the rules of s_axis_tkeep; the digest is then invalid.
// aresetn: synchronous, active low. It discards a message in progress on both sides.
module sha256r_axis #(
    parameter integer ROUNDS = 90     // 17 ... 256
) (
    input  wire        aclk,
    input  wire        aresetn,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    input  wire [31:0] s_axis_tdata,
    input  wire [3:0]  s_axis_tkeep,
    input  wire        s_axis_tlast,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready,
    output wire [31:0] m_axis_tdata,
    output wire        m_axis_tlast,
    output reg         m_axis_tuser
);
    wire rst = !aresetn;

    wire        word_valid, word_ready, word_last, word_error;
    wire [31:0] word;
    sha256r_pad pad (
        .clk(aclk), .rst(rst),
        .s_tvalid(s_axis_tvalid), .s_tready(s_axis_tready), .s_tdata(s_axis_tdata), .s_tkeep(s_axis_tkeep),
        .s_tlast(s_axis_tlast),
        .valid(word_valid), .ready(word_ready), .word(word), .last(word_last), .error(word_error)
    );

    reg  [255:0] rest;
    reg  [3:0]   beats;               // beats that remain to be sent
    wire         sent = m_axis_tvalid && m_axis_tready;

    wire         digest_valid;
    wire         digest_ready = beats == 4'd0 || (beats == 4'd1 && m_axis_tready);
    wire [255:0] initial_value, digest;
    sha256r_initial initial_words (.value(initial_value));
    sha256r_iter #(.ROUNDS(ROUNDS)) core (
        .clk(aclk), .rst(rst),
        .in_valid(word_valid), .in_ready(word_ready), .in_word(word), .in_last(word_last), .in_chain(initial_value),
        .out_valid(digest_valid), .out_ready(digest_ready), .out_chain(digest)
    );

    // The digest is sent from a separate register, so that the next message need not wait for it. The error flag of the
    // padding still belongs to this message then: the core accepts no word of the next message before the digest has left it.
    assign m_axis_tvalid = beats != 4'd0;
    assign m_axis_tlast  = beats == 4'd1;
    assign m_axis_tdata  = {rest[231:224], rest[239:232], rest[247:240], rest[255:248]};

    always @(posedge aclk) begin
        if (rst)
            beats <= 4'd0;
        else if (digest_valid && digest_ready)
            beats <= 4'd8;
        else if (sent)
            beats <= beats - 4'd1;
    end

    always @(posedge aclk) begin
        if (digest_valid && digest_ready) begin
            rest         <= digest;
            m_axis_tuser <= word_error;
        end else if (sent)
            rest <= {rest[223:0], 32'd0};
    end

`ifdef FORMAL
    `include "sha256r_axis.vh"
`endif
endmodule

`default_nettype wire
