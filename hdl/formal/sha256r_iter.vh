// Properties of sha256r_iter's handshakes, which `make formal` proves for every state that can be reached. They
// hold whatever the environment does.

`include "counted.vh"

reg known = 1'b0;                     // a clock has passed, so that $past means something
always @(posedge clk) known <= 1'b1;
always @* if (!known) assume (rst);

// A result stays until it is taken, and does not change.
always @(posedge clk)
    if (known && !$past(rst) && $past(out_valid && !out_ready) && !rst)
        assert (out_valid && $stable(out_chain));

// Chains that were taken whole and whose result was not taken: one at most, which is under way or offered.
reg [1:0] owed = 2'd0;
reg [3:0] index = 4'd0;               // of the next word in its block
wire      word  = in_valid && in_ready;
wire      ended = word && index == 4'd15 && in_last;
always @(posedge clk) begin
    if (rst) begin
        owed  <= 2'd0;
        index <= 4'd0;
    end else begin
        owed  <= owed + {1'b0, ended} - {1'b0, `COUNTED(out_valid && out_ready)};
        index <= index + {3'd0, word};
    end
end
always @(posedge clk) if (known && !rst) begin
    assert (owed == {1'b0, running && last && t > 9'd15} + {1'b0, out_valid});
    assert (!(running && out_valid));
    assert (index == (absorb ? t[3:0] : 4'd0));
    // Where no word is awaited, every clock is a step towards an end that is not passed.
    assert (!running || t <= END[8:0]);
    assert (!running || t <= TURN[8:0] || last);
    assert (!running || absorb || step);
    // Nothing is taken up before the first word is there.
    assert (!load || in_valid);
end
