"""Generates rtl/sha256r_constant.v and rtl/sha256r_initial.v from the roots of primes (FIPS 180-4, 4.2.2 and 5.3.3).

Usage: generate_constants.py            writes the files
       generate_constants.py --check    fails if a file differs from what would be written

For 90 rounds, K has 64 words as well, because K[64] ... K[89] are K[0] ... K[25] again (docs/spec/sha256-90r.md). The
index is therefore the lowest six bits of the number of the round.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from reference.sha2 import H0_SHA256, SHA256  # noqa: E402

RTL = Path(__file__).resolve().parent / "rtl"
HEAD = "// Made by hdl/generate_constants.py; `make test-hdl` compares.\n`default_nettype none\n\n"
TAIL = "endmodule\n\n`default_nettype wire\n"


def constant() -> str:
    cases = "\n".join(f"            6'd{t}: k = 32'h{k:08x};" for t, k in enumerate(SHA256.K))
    return f"""{HEAD}// K of round t, t modulo 64: the first 32 bits of the fractional part of the cube root of prime number t.
module sha256r_constant (
    input  wire [5:0]  t,
    output reg  [31:0] k
);
    always @* begin
        case (t)
{cases}
        endcase
    end
{TAIL}"""


def initial() -> str:
    value = "_".join(f"{word:08x}" for word in H0_SHA256)
    return f"""{HEAD}// The initial value, H0 first: the first 32 bits of the fractional parts of the square roots of the first eight primes.
module sha256r_initial (
    output wire [255:0] value
);
    assign value = 256'h{value};
{TAIL}"""


def main() -> None:
    for name, text in {"sha256r_constant.v": constant(), "sha256r_initial.v": initial()}.items():
        path = RTL / name
        if sys.argv[1:] != ["--check"]:
            path.write_text(text, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != text:
            sys.exit(f"{path.name} is not what generate_constants.py makes")


main()
