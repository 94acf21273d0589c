"""Compiles CUDA C by NVRTC, which needs no card, for each architecture given, and prints what it says of registers.

`python tools/test_nvrtc.py FOLDER_OF_NVRTC FILE.cu…`; exits with 1 if a text is refused, if a kernel spills registers to
memory, or if nothing was said of any kernel.
"""

import ctypes
import re
import sys
from pathlib import Path

ARCHITECTURES = ("sm_75", "sm_90")


def compiled(nvrtc: ctypes.CDLL, text: bytes, architecture: str) -> tuple[bool, str]:
    """Whether NVRTC takes a text, and its log."""
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"text.cu", 0, None, None)
    options = [f"--gpu-architecture={architecture}".encode(), b"--ptxas-options=-v"]
    code = nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return code == 0, log.value.decode()


# What ptxas says of a kernel: its name, the bytes of its spills, its registers.
KERNEL = re.compile(
    r"Compiling entry function '(\w+)'.*?(\d+) bytes spill stores, (\d+) bytes spill loads.*?Used (\d+) registers", re.DOTALL
)


def main() -> int:
    folder, *files = sys.argv[1:]
    library = next(Path(folder).glob("nvidia/cuda_nvrtc/lib/libnvrtc.so.*[0-9]"))
    nvrtc = ctypes.CDLL(str(library))
    faults = 0
    for path in map(Path, files):
        for architecture in ARCHITECTURES:
            taken, log = compiled(nvrtc, path.read_bytes(), architecture)
            kernels = KERNEL.findall(log)
            for name, stores, loads, registers in kernels:
                print(f"{path.stem} {architecture}: {name}: {registers} registers, {stores} + {loads} bytes spilled")
                faults += stores != "0" or loads != "0"
            if not taken or not kernels:
                print(f"{path.stem} {architecture}: refused, or nothing said of it:\n{log}")
                faults += 1
    return int(faults > 0 or not files)


if __name__ == "__main__":
    sys.exit(main())
