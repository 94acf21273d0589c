// Properties of sha256r_pipe's handshakes, which `make formal` proves for every reachable state.

`include "counted.vh"

reg known = 1'b0;                     // one clock has passed, so $past has a value
always @(posedge clk) known <= 1'b1;
always @* if (!known) assume (rst);

// A result is stable until it is accepted.
always @(posedge clk)
    if (known && !$past(rst) && $past(out_valid && !out_ready) && !rst)
        assert (out_valid && $stable(out_chain));

// The number of blocks in flight (accepted blocks minus accepted results) is the number of valid stages, so no block is
// lost or repeated.
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
    // The pipeline stalls only if a result waits to be accepted.
    assert (step || (out_valid && !out_ready));
end
