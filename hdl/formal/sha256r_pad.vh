// Properties of sha256r_pad's handshakes, which `make formal` proves for every state that can be reached. The environment
// keeps what it offers, as AXI-Stream asks of it.

reg known = 1'b0;                     // a clock has passed, so that $past means something
always @(posedge clk) known <= 1'b1;
always @* if (!known) assume (rst);

`ifndef CARELESS
always @(posedge clk)
    if (known && !$past(rst) && $past(s_tvalid && !s_tready))
        assume (s_tvalid && $stable(s_tdata) && $stable(s_tkeep) && $stable(s_tlast));
`endif

// A word stays until it is taken, and does not change.
always @(posedge clk)
    if (known && !$past(rst) && $past(valid && !ready) && !rst)
        assert (valid && $stable(word) && $stable(last));

// Messages that were taken whole and whose last word was not taken: one at most, for which padding is under way.
reg [1:0] owed = 2'd0;
always @(posedge clk) begin
    if (rst)
        owed <= 2'd0;
    else
        owed <= owed + {1'b0, s_tvalid && s_tready && s_tlast} - {1'b0, taken && last};
end
always @(posedge clk) if (known && !rst) begin
    assert (owed == {1'b0, state != BYTES});
    // A message ends with a block, and its padding with it.
    assert (!last || index == 4'd15);
end
