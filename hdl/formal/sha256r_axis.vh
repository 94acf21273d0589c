// Properties of sha256r_axis' way out, which `make formal` proves for every state that can be reached.

`include "counted.vh"

reg known = 1'b0;                     // a clock has passed, so that $past means something
always @(posedge aclk) known <= 1'b1;
always @* if (!known) assume (!aresetn);

// A beat stays until it is taken, and does not change.
always @(posedge aclk)
    if (known && $past(aresetn) && $past(m_axis_tvalid && !m_axis_tready) && aresetn)
        assert (m_axis_tvalid && $stable(m_axis_tdata) && $stable(m_axis_tlast) && $stable(m_axis_tuser));

// Beats owed: eight for each digest that was taken from the core, and the last of the eight says so.
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
