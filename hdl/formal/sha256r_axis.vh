// Properties of sha256r_axis' output side, which `make formal` proves for every reachable state.

`include "counted.vh"

reg known = 1'b0;                     // one clock has passed, so $past has a value
always @(posedge aclk) known <= 1'b1;
always @* if (!known) assume (!aresetn);

// A beat is stable until it is accepted.
always @(posedge aclk)
    if (known && $past(aresetn) && $past(m_axis_tvalid && !m_axis_tready) && aresetn)
        assert (m_axis_tvalid && $stable(m_axis_tdata) && $stable(m_axis_tlast) && $stable(m_axis_tuser));

// The number of beats that are still to be sent: eight for each digest from the core. tlast is high with the last of
// the eight.
reg [4:0] owed = 5'd0;
always @(posedge aclk) begin
    if (!aresetn)
        owed <= 5'd0;
    else
        owed <= owed + (digest_valid && digest_ready ? 5'd8 : 5'd0) - {4'd0, `COUNTED(sent)};
end
always @(posedge aclk) if (known && aresetn) begin
    assert (owed == {1'b0, beats});
    assert (beats <= 4'd8);
    assert (m_axis_tlast == (owed == 5'd1));
end
