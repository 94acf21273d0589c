// Made by hdl/generate_constants.py; `make test-hdl` compares.
`default_nettype none

// The initial value, H0 first: the first 32 bits of the fractional parts of the square roots of the first eight primes.
module sha256r_initial (
    output wire [255:0] value
);
    assign value = 256'h6a09e667_bb67ae85_3c6ef372_a54ff53a_510e527f_9b05688c_1f83d9ab_5be0cd19;
endmodule

`default_nettype wire
