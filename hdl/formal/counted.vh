// The control of a proof counts wrongly: what is proved must then be refused.
`ifdef CARELESS
    `define COUNTED(event) 1'b0
`else
    `define COUNTED(event) (event)
`endif
