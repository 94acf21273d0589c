#!/usr/bin/env python3
"""Scans the machine code of the kernels of one binary for control flow and addresses that depend on data.

    tools/scan_kernels.py target/release/hashwell

For kernels that memcheck cannot run. Every kernel is disassembled (objdump) and symbolically followed along all paths.
Each register and stack slot is marked either *secret* or *public*. A kernel's arguments, according to the calling
convention and its contract in the source, are public as numbers. The memory to which its pointers point is secret,
except for the structure of pointers to inputs or outputs. Constants of the program are public. Everything that is
computed from a secret is secret.

Reported: a conditional jump on a secret; a load or store, gather or scatter, at a secret address; an indirect jump or
call to a secret address; division, square root, pext/pdep, and string instructions on secrets. For unknown
instructions, the scan assumes that they write everything that they read to their first operand and the flags.

A kernel may call another kernel, which is scanned separately. If the caller leaves a secret in an argument register, it
is secret in the callee. The call is reported if the callee then has a finding, or if it has arguments in memory. After
the call, everything that the callee may have written is secret: every register that it need not preserve, and the
caller's stack upwards from any address to which the callee got a pointer. All other calls are reported, except for
memset, memcpy and panics.

Not checked: that the remaining instructions take the same time for all operands; that a callee writes nothing below the
address in a pointer; memset, memcpy and panics; code for other processors.

The binary contains planted leaks (leak::controls), which must be reported, and `clean` kernels, which must not;
otherwise the scan fails. Exit code: 0 nothing found, 1 something found, 2 usage or no objdump, 3 a control failed.
"""

import re
import subprocess
import sys
from collections import defaultdict

KERNEL = re.compile(r"hashwell::families::(\w+)::(x86_\w+|soft)::(\w+)")
# The index of the argument that is a structure of pointers; see `CompressMany`, `AbsorbMany`, `SqueezeMany`, `Tags` and
# `Rekey` in the source.
POINTERS_IN = {
    "rsi": re.compile(r"::(compress|absorb|squeeze)(_b|_s|_vl|_folded|_b_mixed)?_\d\d?$"),
    "rdi": re.compile(r"::(tags|rekey)$"),
}
# Instructions that objdump supports since version 2.41.
NEWER = re.compile(r"::x86_sha512::")
CONTROLS = {
    "hashwell_measure::leak::controls::early_exit_compare": "jump",
    "hashwell_measure::leak::controls::secret_branch": "jump",
    "hashwell_measure::leak::controls::secret_indexed_load": "address",
}

PUBLIC, SECRET, TABLE = "public", "secret", "table"  # TABLE: a pointer to public memory

ARGUMENTS = ["rdi", "rsi", "rdx", "rcx", "r8", "r9"]
VOLATILE = ["rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11"]
CALLEE_WRITES = [*VOLATILE, *(f"v{n}" for n in range(32)), *(f"k{n}" for n in range(8)), "flags"]

GENERAL = {}
for _wide, _names in {
    "rax": "eax ax al ah", "rbx": "ebx bx bl bh", "rcx": "ecx cx cl ch", "rdx": "edx dx dl dh",
    "rsi": "esi si sil", "rdi": "edi di dil", "rbp": "ebp bp bpl", "rsp": "esp sp spl",
}.items():
    GENERAL.update({name: _wide for name in _names.split()} | {_wide: _wide})
for _n in range(8, 16):
    GENERAL.update({f"r{_n}{suffix}": f"r{_n}" for suffix in ("", "d", "w", "b")})
NARROW = re.compile(r"^([abcd][lh]|[abcd]x|[sd]il?|[bs]pl?|r\d+[wb])$")
LOW = re.compile(r"^([abcd]l|[sd]il|[bs]pl|r\d+b)$")
VECTOR = re.compile(r"^[xyz]mm(\d+)$")
SIZES = {"BYTE": 1, "WORD": 2, "DWORD": 4, "QWORD": 8, "XMMWORD": 16, "YMMWORD": 32, "ZMMWORD": 64}

SETS_FLAGS = re.compile(
    r"^(add|sub|adc|sbb|and|or|xor|cmp|test|inc|dec|neg|sh[lr]d?|sa[lr]|ro[lr]|rc[lr]|imul|mul|div|idiv|bt[src]?|bs[fr]|"
    r"andn|bls\w+|bzhi|bextr|popcnt|[lt]zcnt|adcx|adox|v?ptest|v?u?comis[sd]|kortest\w|ktest\w|xadd|cmpxchg)$"
)
KEEPS_FLAGS = re.compile(
    r"^(v\w+|p\w+|mov\w*|lea|sha1\w+|sha256\w+|cmov\w+|set\w+|not|bswap|rorx|sarx|shlx|shrx|mulx|xchg|nop\w*|endbr64|cqo|cdqe?|"
    r"cwde|k\w+|ret|jmp|call|ud2|(xor|and|andn|or|unpck[lh]|shuf|add|sub)p[sd]|cvt\w+|leave|[lm]fence)$"
)
OVERWRITES = re.compile(r"^(v\w+|mov\w*|lea|rorx|sarx|shlx|shrx|set\w+|pshuf[dlh]\w*|pextr\w|pmovmskb|pabs\w|lddqu|kmov\w|cvt\w+)$")
READS_FIRST = re.compile(r"^v(pternlog|permt2|permi2|pshldv|pshrdv|fn?m|pdp|pinsr)")
SAME_IS_ZERO = re.compile(r"^v?(p?xor|xorp|psub|pandn|pcmpeq)\w*$|^sub$")
UNSAFE_TIME = re.compile(r"^(div|idiv|v?div[sp][sd]|v?sqrt[sp][sd]|pext|pdep)$")
LET_PASS = re.compile(r"^mem(set|cpy|move)\b")
NO_RETURN = re.compile(r"core::(panicking|slice::index|option|result|str)::|_fail|unwrap_failed")


def disassemble(binary):
    """Instructions of each function: {address: (name, [(address, mnemonic, operands, comment)])}."""
    command = ["objdump", "-d", "-C", "-w", "-M", "intel", "--no-show-raw-insn", binary]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    functions, body = {}, None
    for line in text.splitlines():
        if head := re.match(r"^([0-9a-f]+) <(.*)>:$", line):
            body = []
            functions[int(head[1], 16)] = (head[2], body)
        elif body is not None and (row := re.match(r"^\s+([0-9a-f]+):\t(.*)$", line)):
            code, _, comment = row[2].partition("#")
            code = re.sub(r"^(?:(?:data16|cs|ds|es|lock|notrack|bnd|rex\S*)\s+)+", "", code.strip())
            repeated = re.match(r"^rep\w*\s", code)
            mnemonic, _, rest = code.partition(" ")
            if repeated:
                mnemonic = code
            body.append((int(row[1], 16), mnemonic, split(rest.strip()), comment.strip()))
    return functions


def split(text):
    """The operands of an instruction. Commas inside brackets do not separate operands."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", text)] if text else []


def relocations(binary, functions):
    """The contents of the slots of the global offset table: {address of the slot: name}."""
    text = subprocess.run(["objdump", "-R", "-C", "-w", binary], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines():
        if row := re.match(r"^([0-9a-f]+) (\S+)\s+(\S.*)$", line):
            target = re.match(r"^\*ABS\*\+0x([0-9a-f]+)", row[3])
            name = functions.get(int(target[1], 16), ("",))[0] if target else row[3]
            found[int(row[1], 16)] = name
    return found


def join(a, b):
    """The mark of a value that has one of two marks."""
    if a == b:
        return a
    if SECRET in (a, b):
        return SECRET
    if isinstance(a, tuple) and isinstance(b, tuple):
        # A pointer that a loop increases. Any other combination makes it a pointer to any address.
        known = a[1] is not None and b[1] is not None and b[1] >= a[1]
        return ("stack", a[1], True) if known else ("stack", None, True)
    return PUBLIC


def combine(marks):
    """The mark of a value that is computed from all of these."""
    marks = list(marks)
    if SECRET in marks:
        return SECRET
    if any(isinstance(mark, tuple) for mark in marks):
        return ("stack", None, True)
    return TABLE if TABLE in marks else PUBLIC


class State:
    """Marks of registers, of the flags and of four-byte cells of the stack."""

    def __init__(self, registers, cells, arrays):
        self.registers, self.cells, self.arrays = registers, cells, arrays

    def copy(self):
        return State(dict(self.registers), dict(self.cells), dict(self.arrays))

    def set(self, register, mark):
        """Sets the mark of a whole register. Its low byte is kept separately, because code writes and tests only
        that byte."""
        self.registers[register] = self.registers[register + ".low"] = mark

    def get(self, register):
        return self.registers.get(register, PUBLIC)

    def merge(self, other):
        """Combines the other state with this one. Returns true if that changed anything."""
        changed = False
        for mine, theirs, absent in (
            (self.registers, other.registers, PUBLIC),
            (self.cells, other.cells, PUBLIC),
            (self.arrays, other.arrays, PUBLIC),
        ):
            for key in mine.keys() | theirs.keys():
                joined = join(mine.get(key, absent), theirs.get(key, absent))
                if joined != mine.get(key, absent):
                    mine[key] = joined
                    changed = True
        return changed

    def load_stack(self, at, size, indexed):
        """The mark of a value that is loaded from the stack. An access with an index can reach everything from
        its displacement upwards."""
        if at is None or indexed:
            low = float("-inf") if at is None else at
            marks = [mark for cell, mark in self.cells.items() if cell * 4 >= low]
            return combine([PUBLIC, *marks, *self.arrays.values()])
        cells = range(at // 4, (at + size - 1) // 4 + 1)
        marks = [self.cells.get(cell, PUBLIC) for cell in cells]
        marks += [mark for start, mark in self.arrays.items() if start < at + size]
        whole = marks[0]
        for mark in marks[1:]:
            whole = join(whole, mark)
        return whole

    def store_stack(self, at, size, indexed, mark):
        if at is None or indexed:
            start = float("-inf") if at is None else at
            self.arrays[start] = join(self.arrays.get(start, PUBLIC), mark) if start in self.arrays else mark
            return
        for cell in range(at // 4, (at + size - 1) // 4 + 1):
            self.cells[cell] = mark


class Scan:
    """The scan of one function."""

    def __init__(self, name, body, slots, kernels, secrets=()):
        self.name, self.body, self.slots, self.kernels, self.secrets = name, body, slots, kernels, secrets
        self.index = {address: i for i, (address, *_) in enumerate(body)}
        self.found = {}
        self.reads_above = False  # the return address: arguments in memory

    def report(self, i, kind):
        address, mnemonic, operands, _ = self.body[i]
        self.found[address] = (kind, f"{mnemonic} {','.join(operands)}")

    def run(self):
        registers = {"rsp": ("stack", 0, False)}
        registers |= {register: TABLE for register, names in POINTERS_IN.items() if names.search(self.name)}
        states, todo = {0: State(registers, {}, {})}, [0]
        for register in self.secrets:
            states[0].set(register, SECRET)
        while todo:
            start = todo.pop()
            for target, state in self.block(start, states[start].copy()):
                if target not in states:
                    states[target] = state.copy()
                    todo.append(target)
                elif states[target].merge(state):
                    todo.append(target)
        return self.found

    def block(self, i, state):
        """Follows the code from `i` to the next jump. Returns the places at which it continues."""
        while i < len(self.body):
            _, mnemonic, operands, comment = self.body[i]
            if mnemonic in ("ret", "ud2", "int3", "hlt"):
                return []
            if mnemonic == "jmp":
                return self.jump(i, operands[0], comment, state)
            if mnemonic.startswith("j"):
                if state.get("flags") == SECRET:
                    self.report(i, "jump")
                return [*self.jump(i, operands[0], comment, state), (i + 1, state)]
            if mnemonic == "call":
                if not self.call(i, operands[0], comment, state):
                    return []
            else:
                self.step(i, mnemonic, operands, state)
            i += 1
            # Every jump target begins a new block. Here, the code continues into the next block without a jump.
            if i < len(self.body) and self.body[i][0] in self.targets():
                return [(i, state)]
        return []

    def targets(self):
        if not hasattr(self, "_targets"):
            jumps = (row for row in self.body if row[1].startswith("j") and row[2])
            places = (re.match(r"^([0-9a-f]+)", row[2][0]) for row in jumps)
            self._targets = {int(place[1], 16) for place in places if place}
        return self._targets

    def jump(self, i, operand, comment, state):
        if place := re.match(r"^([0-9a-f]+) <", operand):
            target = int(place[1], 16)
            if target in self.index:
                return [(self.index[target], state)]
            if target in self.kernels:
                self.give(i, target, state)
                return []
        # If a function ends with a call, the call is a jump.
        if not (self.leaves(operand, comment) or LET_PASS.match(self.called(operand, comment))):
            self.report(i, "jump that cannot be followed")
        return []

    def called(self, operand, comment):
        """The name of the called function, if it can be determined."""
        if slot := re.match(r"^([0-9a-f]+)", comment) if "[rip" in operand else None:
            return self.slots.get(int(slot[1], 16), comment)
        direct = re.match(r"^[0-9a-f]+ <(.*)>$", operand)
        return direct[1] if direct else operand

    def kernels_called(self, operand, comment):
        """The addresses of the kernels that this may call. A call through the global offset table may mean any
        instance of the name."""
        if direct := re.match(r"^([0-9a-f]+) <", operand):
            return [address for address in (int(direct[1], 16),) if address in self.kernels]
        name = self.called(operand, comment)
        return [address for address, (other, _) in self.kernels.items() if other == name]

    def leaves(self, operand, comment):
        return bool(NO_RETURN.search(self.called(operand, comment)))

    def call(self, i, operand, comment, state):
        """Follows a call. Returns true if the call returns."""
        name = self.called(operand, comment)
        if NO_RETURN.search(name):
            return False
        if called := self.kernels_called(operand, comment):
            for address in called:
                self.give(i, address, state)
            self.take_back(state)
            return True
        if not LET_PASS.match(name):
            self.report(i, "call that cannot be followed")
        destination = state.get("rdi")
        if not name.startswith("memset") and isinstance(destination, tuple):
            state.store_stack(destination[1], 1, True, SECRET)
        for register in [*VOLATILE, "flags"]:
            state.set(register, PUBLIC)
        return True

    def give(self, i, address, state):
        """Checks the arguments of a call of a kernel.

        A kernel expects numbers and pointers to secrets. It must get a pointer to public memory where it has a
        structure of pointers, and only there.
        """
        name, body = self.kernels[address]
        for register in ARGUMENTS:
            expected = register in POINTERS_IN and bool(POINTERS_IN[register].search(name))
            if expected != (state.get(register) == TABLE):
                self.report(i, "call that cannot be followed")
        secrets = [register for register in CALLEE_WRITES if state.get(register) == SECRET]
        others = {at: kernel for at, kernel in self.kernels.items() if at != address}
        callee = Scan(name, body, self.slots, others, secrets)
        if callee.run() and secrets:
            self.report(i, "secret given to a kernel as a number")
        if callee.reads_above:
            self.report(i, "call that cannot be followed")

    def take_back(self, state):
        """Marks everything that a kernel may have changed as secret. In memory, this is everything upwards from a
        pointer that it got.

        It cannot access memory below: a kernel gets references, which point to the beginning of the borrowed memory.
        Pointers that are stored in memory don't help it, either: its own scan treats them as secret and reports a
        write to such an address. The exceptions are the pointers of a structure, which is not on a caller's stack,
        as `give` checks.
        """
        for register in ARGUMENTS:
            if isinstance(mark := state.get(register), tuple):
                state.store_stack(mark[1], 1, True, SECRET)
        for register in CALLEE_WRITES:
            state.set(register, SECRET)

    # ------------------------------------------------------------------------------------ one instruction

    def address(self, i, operand, state, check=True):
        """The mark of the address of a memory operand, its stack offset (or None), and whether the operand has an
        index."""
        inner = re.search(r"\[(.*)\]", operand)[1]
        base, offset, indexed, marks = None, 0, False, []
        for sign, term in re.findall(r"([+-]?)([^+-]+)", inner):
            register, _, scale = term.partition("*")
            if register == "rip":
                marks.append(TABLE)
            elif register in GENERAL or VECTOR.match(register):
                mark = self.register(register, state)
                marks.append(mark)
                if isinstance(mark, tuple) and base is None and not (scale and scale != "1"):
                    base = mark
                else:
                    indexed = True
            elif register not in ("riz", "eiz"):
                offset += int(term, 0) * (-1 if sign == "-" else 1)
        if check and SECRET in marks:
            self.report(i, "address")
        if base is not None:
            return ("stack", None if base[1] is None else base[1] + offset, indexed or base[2])
        return (SECRET if SECRET in marks else TABLE if TABLE in marks or not marks else PUBLIC, None, indexed)

    def register(self, name, state):
        if vector := VECTOR.match(name):
            return state.get("v" + vector[1])
        wide = GENERAL.get(name, name)
        return state.get(wide + ".low" if LOW.match(name) else wide)

    def size(self, operand):
        word = re.match(r"^(\w+) (?:PTR|BCST)", operand)
        return SIZES.get(word[1], 64) if word else 64

    def read(self, i, operand, state):
        if "[" in operand:
            kind, offset, indexed = self.address(i, operand, state)
            if kind == "stack":
                self.reads_above |= offset is not None and offset + self.size(operand) > 8
                return state.load_stack(offset, self.size(operand), indexed)
            return PUBLIC if kind == TABLE else SECRET
        operand = re.sub(r"\{.*?\}", "", operand).strip()
        if operand in GENERAL or VECTOR.match(operand) or re.match(r"^k[0-7]$", operand):
            return self.register(operand, state)
        return PUBLIC

    def write(self, i, operand, mark, state):
        if "[" in operand:
            kind, offset, indexed = self.address(i, operand, state)
            if kind == "stack":
                state.store_stack(offset, self.size(operand), indexed, mark)
            elif kind == TABLE and mark == SECRET:
                self.report(i, "secret written to public memory")
            return
        masked = re.search(r"\{k[1-7]\}", operand) and "{z}" not in operand
        name = re.sub(r"\{.*?\}", "", operand).strip()
        old, low = self.register(GENERAL.get(name, name), state), mark
        if masked or NARROW.match(name):
            mark = join(old, mark)
        vector = VECTOR.match(name)
        place = "v" + vector[1] if vector else GENERAL.get(name, name)
        state.set(place, mark)
        if LOW.match(name):
            state.registers[place + ".low"] = low

    def step(self, i, mnemonic, operands, state):
        if mnemonic.startswith(("nop", "endbr", "lfence", "vzero", "prefetch")) or not mnemonic:
            return
        if mnemonic == "lea":
            kind, offset, indexed = self.address(i, operands[1], state, check=False)
            mark = kind if kind != "stack" else ("stack", offset, indexed)
            return self.write(i, operands[0], mark, state)
        if mnemonic == "push":
            mark = self.read(i, operands[0], state)
            self.move_stack(-8, state)
            return self.write(i, "QWORD PTR [rsp]", mark, state)
        if mnemonic == "pop":
            mark = self.read(i, "QWORD PTR [rsp]", state)
            self.move_stack(8, state)
            return self.write(i, operands[0], mark, state)
        if mnemonic == "leave":
            state.registers["rsp"], state.registers["rbp"] = state.get("rbp"), PUBLIC
            return None
        if operands and operands[0] == "rsp" and mnemonic in ("add", "sub", "and"):
            amount = int(operands[1], 0)
            if mnemonic != "and":
                self.move_stack(amount if mnemonic == "add" else -amount, state)
            return None
        reads = [self.read(i, operand, state) for operand in operands]
        if UNSAFE_TIME.match(mnemonic) and SECRET in (*reads, *self.implicit(mnemonic, state)):
            self.report(i, "instruction whose time may depend on operands")
        if mnemonic.startswith("rep"):
            if SECRET in (state.get("rcx"), state.get("rsi"), state.get("rdi")):
                self.report(i, "instruction whose time may depend on operands")
            return None
        self.results(i, mnemonic, operands, reads, state)
        return None

    def implicit(self, mnemonic, state):
        return [state.get("rax"), state.get("rdx")] if mnemonic in ("div", "idiv") else []

    def move_stack(self, by, state):
        _, offset, _ = state.get("rsp")
        state.registers["rsp"] = ("stack", offset + by, False)

    def results(self, i, mnemonic, operands, reads, state):
        if mnemonic in ("mul", "div", "idiv") or (mnemonic == "imul" and len(operands) == 1):
            mark = combine([*reads, state.get("rax"), state.get("rdx") if "div" in mnemonic else PUBLIC])
            for place in ("rax", "rdx", "flags"):
                state.set(place, mark)
            return
        if mnemonic in ("cqo", "cdq"):
            state.set("rdx", state.get("rax"))
            return
        if mnemonic == "xchg":
            self.write(i, operands[0], reads[1], state)
            self.write(i, operands[1], reads[0], state)
            return
        if mnemonic == "mulx":
            mark = combine([reads[2], state.get("rdx")])
            self.write(i, operands[0], mark, state)
            self.write(i, operands[1], mark, state)
            return
        if mnemonic.startswith("cmov"):
            mark = join(reads[0], reads[1]) if state.get("flags") != SECRET else SECRET
            self.write(i, operands[0], mark, state)
            return
        mark = self.result(mnemonic, operands, reads, state)
        compares = re.match(r"^(cmp|test|bt|v?ptest|v?u?comis[sd]|kortest\w|ktest\w)$", mnemonic)
        if operands and not compares:
            self.write(i, operands[0], mark, state)
        if SETS_FLAGS.match(mnemonic) or not KEEPS_FLAGS.match(mnemonic):
            state.registers["flags"] = combine([*reads, mark]) if compares else mark
        if compares:
            state.registers["flags"] = combine(reads)

    def result(self, mnemonic, operands, reads, state):
        plain = [re.sub(r"\{.*?\}", "", operand) for operand in operands]
        if SAME_IS_ZERO.match(mnemonic) or mnemonic == "xor":
            if len(plain) >= 2 and len(set(plain[-2:])) == 1 and "[" not in plain[-1]:
                return PUBLIC
        if mnemonic.startswith("set"):
            return state.get("flags")
        if mnemonic in ("adc", "sbb", "adcx", "adox", "rcl", "rcr"):
            return combine([*reads, state.get("flags")])
        if mnemonic.startswith("mov") and len(reads) == 2:
            return reads[1]
        if len(reads) > 1 and OVERWRITES.match(mnemonic) and not READS_FIRST.match(mnemonic):
            return reads[1] if len(reads) == 2 else combine(reads[1:])
        extra = [state.get("v0")] if mnemonic.startswith(("sha256rnds2", "pblendvb", "blendv")) else []
        if mnemonic in ("add", "sub") and isinstance(reads[0], tuple) and reads[1] == PUBLIC:
            if not re.match(r"^(0x)?[0-9a-f]+$", plain[1]):
                # With an index, the access reaches upwards from there.
                return ("stack", reads[0][1] if mnemonic == "add" else None, True)
            amount = int(plain[1], 0) * (1 if mnemonic == "add" else -1)
            return ("stack", None if reads[0][1] is None else reads[0][1] + amount, reads[0][2])
        return combine([*reads, *extra])


def scan(binary):
    """{kernel or control: {address: finding}}. Instances of a generic function are listed separately."""
    functions = disassemble(binary)
    return scan_functions(functions, relocations(binary, functions))


def scan_functions(functions, slots):
    """The same as `scan`, for functions that are already disassembled."""
    wanted = {a: f for a, f in functions.items() if KERNEL.fullmatch(f[0]) or f[0] in CONTROLS}
    kernels = {address: kernel for address, kernel in wanted.items() if kernel[0] not in CONTROLS}
    return [(name, followed(Scan(name, body, slots, kernels))) for _, (name, body) in sorted(wanted.items())]


def followed(scan):
    """The findings of a kernel. None if it has newer instructions, which only a newer objdump can disassemble."""
    unknown = next((address for address, mnemonic, *_ in scan.body if mnemonic == "(bad)"), None)
    if unknown is None:
        return scan.run()
    return None if NEWER.search(scan.name) else {unknown: ("instruction that objdump does not know", "(bad)")}


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        results = scan(arguments[0])
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"scan_kernels: {error}", file=sys.stderr)
        return 2
    instances, findings, kinds = defaultdict(int), [], defaultdict(set)
    for name, found in results:
        if found is None:
            print(f"NOT SCANNED {name}: this objdump does not know its instructions")
            continue
        instances[name] += 1
        kinds[name] |= {kind for kind, _ in found.values()}
        if name not in CONTROLS:
            findings += [f"{name}: {kind} at {address:x}: {code}" for address, (kind, code) in sorted(found.items())]
    missed = [name for name, kind in CONTROLS.items() if kind not in kinds[name]]
    for name, kind in CONTROLS.items():
        print(f"control {name.rsplit('::', 1)[1]}: {'NOT FOUND' if name in missed else kind + ' found, as it must be'}")
    for finding in findings:
        print(finding)
    kernels = {name: n for name, n in instances.items() if name not in CONTROLS}
    for name, n in sorted(kernels.items()):
        print(f"scanned {name}" + (f", {n} instances" if n > 1 else ""))
    if missed or not kernels:
        print("INCONCLUSIVE")
        return 3
    print(f"{sum(kernels.values())} functions: " + ("LEAK" if findings else "NO SECRET-DEPENDENT JUMP OR ADDRESS SEEN"))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
