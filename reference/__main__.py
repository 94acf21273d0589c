"""python3 -m reference NAME [OUT_LEN] < FILE: the digest of standard input in hex."""

import sys

from . import MODELS

if not 2 <= len(sys.argv) <= 3 or sys.argv[1] not in MODELS:
    sys.exit(f"{__doc__}\nNAME is one of: {' '.join(MODELS)}")
out_len = int(sys.argv[2]) if len(sys.argv) == 3 else None
print(MODELS[sys.argv[1]](sys.stdin.buffer.read(), out_len).hex())
