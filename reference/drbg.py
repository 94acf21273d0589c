"""HMAC-DRBG: SP 800-90A Rev. 1 section 10.1.2, over any hash, as a function from bytes to bytes."""

from .mac import Hash, hmac

MAX_REQUEST = 1 << 16  # bytes; table 2's 2^19 bits


class HmacDrbg:
    """The internal state (K, V, reseed_counter) and the algorithms on it. Lengths of seeds are not checked."""

    def __init__(self, H: Hash, B: int, entropy: bytes, nonce: bytes, personalization: bytes = b""):
        """10.1.2.3, HMAC_DRBG_Instantiate. B is the block size of H in bytes."""
        self.H, self.B = H, B
        outlen = len(H(b""))
        self.K, self.V = b"\x00" * outlen, b"\x01" * outlen
        self.update(entropy + nonce + personalization)
        self.reseed_counter = 1

    def hmac(self, text: bytes) -> bytes:
        return hmac(self.H, self.B, self.K, text)

    def update(self, provided_data: bytes) -> None:
        """10.1.2.2, HMAC_DRBG_Update. Empty data is Null."""
        for separator in (b"\x00", b"\x01") if provided_data else (b"\x00",):
            self.K = self.hmac(self.V + separator + provided_data)
            self.V = self.hmac(self.V)

    def reseed(self, entropy: bytes, additional: bytes = b"") -> None:
        """10.1.2.4, HMAC_DRBG_Reseed."""
        self.update(entropy + additional)
        self.reseed_counter = 1

    def generate(self, n: int, additional: bytes = b"", entropy: bytes | None = None) -> bytes:
        """10.1.2.5, HMAC_DRBG_Generate, of n bytes; with `entropy`, 9.3.1 steps 7.1 to 7.4 first."""
        if n > MAX_REQUEST:
            raise ValueError(f"a request is of at most {MAX_REQUEST} bytes, not {n}")
        if entropy is not None:
            self.reseed(entropy, additional)
            additional = b""
        if additional:
            self.update(additional)
        temp = b""
        while len(temp) < n:
            self.V = self.hmac(self.V)
            temp += self.V
        self.update(additional)
        self.reseed_counter += 1
        return temp[:n]
