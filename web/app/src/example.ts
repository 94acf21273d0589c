/** An example of a draw: the worked example of docs/spec/draw.md. */

export const EXAMPLE_LIST = 'fig\napple\npear\nquince\nplum\ncherry\n';

export const EXAMPLE_TRANSCRIPT = `{
"commitment": "08156a181cd19bab00f8cc9be1883928f11c123cc033b7c939a7f847ec1c10aa",
"output": "9916828581709ff1c2d21297bf504b99031d6ba9d358a64a3c56d50dbaea7d51",
"picks": [
 {"id":"fig","index":2},
 {"id":"pear","index":3},
 {"id":"apple","index":0}
],
"plan": {"context":"worked example","k":3,"list":{"columns":["id"],"digest":"5ca8f50c6872c2e78010cf7e8dbdd7c8bab351c53a14d576880411eede86bdca","kind":"list"},"method":"index","n":6,"random_source":"counter","seed_source":{"description":"","kind":"dice"},"spec":"hwdraw/1"},
"program": "hashwell 0.1.0",
"seed": {"from":"dice","text":"08773518267254361087"}
}
`;
