/* The digest of standard input, or the beginning of its output stream: hwsum ALGORITHM [BYTES].
   cc hwsum.c $(pkg-config --cflags --libs hashwell) -o hwsum */
#include <hashwell.h>
#include <stdio.h>
#include <stdlib.h>

static void fail(const char *what, int code) {
    fprintf(stderr, "hwsum: %s: %s\n", what, hw_strerror(code));
    exit(EXIT_FAILURE);
}

static void print_hex(const unsigned char *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) {
        printf("%02x", bytes[i]);
    }
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) {
        fputs("usage: hwsum ALGORITHM [BYTES] < FILE\n", stderr);
        return 2;
    }
    hw_hash_state hash; /* kilobytes, on the stack */
    int code = hw_hash_init(&hash, hw_find(argv[1]), NULL);
    if (code != HW_OK) {
        fail(argv[1], code);
    }

    static unsigned char buffer[65536];
    size_t len;
    while ((len = fread(buffer, 1, sizeof buffer, stdin)) > 0) {
        hw_hash_update(&hash, buffer, len);
    }
    if (ferror(stdin)) {
        perror("hwsum");
        return EXIT_FAILURE;
    }

    if (argc == 2) {
        size_t digest_len = hw_hash_output_len(&hash);
        hw_hash_final(&hash, buffer, digest_len);
        print_hex(buffer, digest_len);
    } else {
        hw_xof_state stream;
        code = hw_xof_init(&stream, &hash);
        if (code != HW_OK) {
            fail(argv[1], code);
        }
        for (unsigned long long left = strtoull(argv[2], NULL, 10); left > 0; left -= len) {
            len = left < sizeof buffer ? (size_t)left : sizeof buffer;
            hw_xof_read(&stream, buffer, len);
            print_hex(buffer, len);
        }
    }
    putchar('\n');
    return EXIT_SUCCESS;
}
