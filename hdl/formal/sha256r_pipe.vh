// Properties of sha256r_pipe's handshakes, which `make formal` proves for every state that can be reached.

`include "counted.vh"

reg known = 1'b0;                     // a clock has passed, so that $past means something
always @(posedge clk) known <= 1'b1;
always @* if (!known) assume (rst);

// A result stays until it is taken, and does not change.
always @(posedge clk)
    if (known && !$past(rst) && $past(out_valid && !out_ready) && !rst)
        assert (out_valid && $stable(out_chain));

// Blocks that are under way: those that were taken less the results that were; and each is in a place of its own.
reg [8:0] owed = 9'd0;
reg [8:0] places;
integer place;
always @* begin
    places = 9'd0;
    for (place = 1; place <= END + 1; place = place + 1)
        places = places + {8'd0, valid[place]};
end
always @(posedge clk) begin
    if (rst)
        owed <= 9'd0;
    else
        owed <= owed + {8'd0, in_valid && in_ready} - {8'd0, `COUNTED(out_valid && out_ready)};
end
always @(posedge clk) if (known && !rst) begin
    assert (owed == places);
    // Nothing stands still but for a result that nobody takes.
    assert (step || (out_valid && !out_ready));
end
