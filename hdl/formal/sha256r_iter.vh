// Properties of sha256r_iter's handshakes, which `make formal` proves for every reachable state and any behavior of the
// environment.

`include "counted.vh"

reg known = 1'b0;                     // one clock has passed, so $past has a value
always @(posedge clk) known <= 1'b1;
always @* if (!known) assume (rst);

// A result is stable until it is accepted.
always @(posedge clk)
    if (known && !$past(rst) && $past(out_valid && !out_ready) && !rst)
        assert (out_valid && $stable(out_chain));

// The number of chains that were completely accepted and whose result was not accepted yet: at most one, which is
// either in progress or offered.
reg [1:0] owed = 2'd0;
reg [3:0] index = 4'd0;               // index of the next word in its block
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
    // If no word is awaited, every clock is a step, and the counter does not exceed its end.
    assert (!running || t <= END[8:0]);
    assert (!running || t <= TURN[8:0] || last);
    assert (!running || absorb || step);
    // A chain does not start before its first word is valid.
    assert (!load || in_valid);
end
