// Properties of sha256r_pad's handshakes, which `make formal` proves for every reachable state. It assumes that the
// environment keeps its outputs stable until they are accepted, as AXI-Stream requires.

reg known = 1'b0;                     // one clock has passed, so $past has a value
always @(posedge clk) known <= 1'b1;
always @* if (!known) assume (rst);

`ifndef CARELESS
always @(posedge clk)
    if (known && !$past(rst) && $past(s_tvalid && !s_tready))
        assume (s_tvalid && $stable(s_tdata) && $stable(s_tkeep) && $stable(s_tlast));
`endif

// A word is stable until it is accepted.
always @(posedge clk)
    if (known && !$past(rst) && $past(valid && !ready) && !rst)
        assert (valid && $stable(word) && $stable(last));

// The number of messages that were completely accepted and whose last word was not accepted yet: at most one, which is
// being padded.
reg [1:0] owed = 2'd0;
always @(posedge clk) begin
    if (rst)
        owed <= 2'd0;
    else
        owed <= owed + {1'b0, s_tvalid && s_tready && s_tlast} - {1'b0, taken && last};
end
always @(posedge clk) if (known && !rst) begin
    assert (owed == {1'b0, state != BYTES});
    // The last word of the padding is the last word of a block.
    assert (!last || index == 4'd15);
end
