// In the control of a proof, one transfer is counted wrongly, so the proof must fail.
`ifdef CARELESS
    `define COUNTED(event) 1'b0
`else
    `define COUNTED(event) (event)
`endif
