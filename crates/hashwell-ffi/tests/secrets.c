/* Searches the memory of the process for a secret after hw_*_wipe or hw_*_free of the object that contained it, or after
   the function that used it has returned. It must not contain 16 consecutive bytes of the secret (unchanged, combined with
   HMAC's pads, or with the bytes of words reversed) or of the states that are derived from it.

   Only the functions under test get the unmasked secret. The search uses the secret combined with a mask by exclusive
   or, because otherwise it would find its own copy. The derived states come from a child process and are masked as
   well. The functions run in a thread whose stack is unchanged while all memory is searched. `secrets NAME` forces the
   kernel with that name; `secrets --list` prints all names. */
#define _GNU_SOURCE
#include "check.h"

#ifndef __linux__

int main(int count, char **arguments) {
    (void)arguments;
    fputs(count == 1 ? "skipped: no /proc/self/mem" : "", stdout);
    return EXIT_SUCCESS;
}

#else

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LONGEST = 200, WORDS = LONGEST / 8, STATES = 64 << 10, NEEDLES = 8192 };
static const uint64_t MASK = 0xa5c30f965a3cf069;

/* Two consecutive masked words, and a description of them. */
struct needle {
    uint64_t words[2];
    const char *form;
};

static uint64_t secret[WORDS]; /* masked */
static size_t secret_len;
static struct needle needles[NEEDLES];
static size_t needle_count;

static uint64_t next_random(void) {
    static uint64_t state = 0x6d656d6f7279;
    state += 0x9e3779b97f4a7c15;
    uint64_t z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static uint64_t by_8(uint64_t word) {
    return __builtin_bswap64(word);
}

static uint64_t by_4(uint64_t word) {
    uint64_t reversed = __builtin_bswap64(word);
    return reversed << 32 | reversed >> 32;
}

static void add(uint64_t one, uint64_t two, const char *form) {
    CHECK(needle_count < NEEDLES, "room");
    needles[needle_count++] = (struct needle){{one, two}, form};
}

/* Adds masked words, also with their bytes reversed. Reversing a word reverses its mask too, so the mask is corrected. */
static void add_forms(uint64_t one, uint64_t two, const char *const forms[3]) {
    uint64_t mask_8 = by_8(MASK) ^ MASK;
    uint64_t mask_4 = by_4(MASK) ^ MASK;
    add(one, two, forms[0]);
    add(by_8(one) ^ mask_8, by_8(two) ^ mask_8, forms[1]);
    add(by_4(one) ^ mask_4, by_4(two) ^ mask_4, forms[2]);
    add(by_8(two) ^ mask_8, by_8(one) ^ mask_8, forms[1]);
}

static void of_secret(size_t len) {
    static const char *const forms[3][3] = {{"as it is", "reversed by 8", "reversed by 4"},
                                            {"xor ipad", "xor ipad, reversed by 8", "xor ipad, reversed by 4"},
                                            {"xor opad", "xor opad, reversed by 8", "xor opad, reversed by 4"}};
    static const uint64_t pads[3] = {0, 0x3636363636363636, 0x5c5c5c5c5c5c5c5c};
    secret_len = len;
    needle_count = 0;
    for (size_t i = 0; i < len / 8; i++) {
        secret[i] = next_random() ^ MASK;
    }
    for (size_t i = 0; i + 1 < len / 8; i++) {
        for (size_t pad = 0; pad < 3; pad++) {
            add_forms(secret[i] ^ pads[pad], secret[i + 1] ^ pads[pad], forms[pad]);
        }
    }
}

/* Writes the unmasked secret. The function is not inlined, so that the registers are overwritten afterwards. */
static __attribute__((noinline)) void reveal(unsigned char *clear, uint64_t other) {
    for (size_t i = 0; i < secret_len / 8; i++) {
        uint64_t word = secret[i] ^ MASK ^ other;
        memcpy(clear + 8 * i, &word, 8);
    }
}

static void forget(void *place, size_t len) {
    memset(place, 0, len);
    __asm__ volatile("" : : "r"(place) : "memory");
}

/* ---------------------------------------------------------------- the search */

static unsigned char window[1 << 16];

/* Prints the first few places found, and returns their number. */
static size_t search(const char *what, int quiet) {
    static unsigned char suspects[1 << 16];
    memset(suspects, 0, sizeof suspects);
    for (size_t i = 0; i < needle_count; i++) {
        suspects[needles[i].words[0] & 0xffff] = 1;
    }
    static char line[1024];
    size_t found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    int memory = open("/proc/self/mem", O_RDONLY);
    CHECK(maps && memory >= 0, "/proc/self");
    while (fgets(line, sizeof line, maps)) {
        unsigned long start, end;
        char rights[8], name[512] = "";
        if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %511s", &start, &end, rights, name) < 3 || strncmp(rights, "rw", 2) != 0) {
            continue;
        }
        for (unsigned long at = start; at + 16 <= end;) {
            size_t len = end - at < sizeof window ? end - at : sizeof window;
            ssize_t got = pread(memory, window, len, (off_t)at);
            for (ssize_t i = 0; i + 16 <= got; i++) {
                uint64_t words[2];
                memcpy(words, window + i, sizeof words);
                words[0] ^= MASK;
                words[1] ^= MASK;
                unsigned long address = at + (unsigned long)i;
                /* The window contains the memory that was read last, so places in it do not count. */
                int own = address >= (unsigned long)window && address < (unsigned long)(window + sizeof window);
                if (!suspects[words[0] & 0xffff] || own) {
                    continue;
                }
                for (size_t n = 0; n < needle_count; n++) {
                    if (needles[n].words[0] == words[0] && needles[n].words[1] == words[1]) {
                        if (!quiet && found < 5) {
                            fprintf(stderr, "%s: %s at %lx %s\n", what, needles[n].form, address, name);
                        }
                        found++;
                    }
                }
            }
            if (got < 16) {
                break;
            }
            at += (unsigned long)got - 15;
        }
    }
    fclose(maps);
    close(memory);
    return found;
}

/* ---------------------------------------------------------------- uses of secrets */

static hw_algorithm alg;
static const char *name;
static unsigned char text[] = "a message of a few words, which is not secret";
enum { TEXT = sizeof text - 1, MANY = 9 };
static unsigned char out[MANY * 512];

static hw_params keyed(const unsigned char *key, size_t len) {
    hw_params params = HW_PARAMS_INIT;
    params.key = key;
    params.key_len = len;
    return params;
}

static void hmac_at_once(const unsigned char *key, size_t len) {
    RUN(hw_hmac(alg, key, len, text, TEXT, out, hw_output_len(alg)), "hmac");
}

static void hmac_in_pieces(const unsigned char *key, size_t len) {
    hw_hmac_state hmac;
    RUN(hw_hmac_init(&hmac, alg, key, len), "hmac");
    RUN(hw_hmac_update(&hmac, text, TEXT), "hmac");
    RUN(hw_hmac_final(&hmac, out, hw_output_len(alg)), "hmac");
    EXPECT(HW_E_MISMATCH, hw_hmac_verify(&hmac, text, hw_output_len(alg)), "hmac");
    RUN(hw_hmac_reset(&hmac), "hmac");
    RUN(hw_hmac_update(&hmac, text, TEXT), "hmac");
    hw_hmac_wipe(&hmac);
}

static void hmac_on_the_heap(const unsigned char *key, size_t len) {
    hw_hmac_state *hmac;
    RUN(hw_hmac_new(&hmac, alg, key, len), "hmac");
    RUN(hw_hmac_update(hmac, text, TEXT), "hmac");
    RUN(hw_hmac_final(hmac, out, hw_output_len(alg)), "hmac");
    hw_hmac_free(hmac);
}

static void hmac_many(const unsigned char *key, size_t len) {
    const void *keys[MANY], *texts[MANY];
    size_t key_lengths[MANY], lengths[MANY];
    for (size_t i = 0; i < MANY; i++) {
        keys[i] = key;
        key_lengths[i] = len;
        texts[i] = text;
        lengths[i] = TEXT;
    }
    RUN(hw_hmac_many(alg, keys, key_lengths, 1, texts, lengths, MANY, out, MANY * hw_output_len(alg)), "many");
    RUN(hw_hmac_many(alg, keys, key_lengths, MANY, texts, lengths, MANY, out, MANY * hw_output_len(alg)), "many");
}

static void hkdf(const unsigned char *key, size_t len) {
    RUN(hw_hkdf(alg, key, len, "salt", 4, "info", 4, out, 100), "hkdf");
}

static void hkdf_expand(const unsigned char *key, size_t len) {
    RUN(hw_hkdf_expand(alg, key, len, "info", 4, out, 100), "hkdf");
}

static void drbg_with(hw_drbg_state *drbg, const unsigned char *seed) {
    RUN(hw_drbg_generate(drbg, out, 100, NULL, 0), "drbg");
    RUN(hw_drbg_reseed(drbg, seed, 32, NULL, 0), "drbg");
    RUN(hw_drbg_generate(drbg, out, 100, NULL, 0), "drbg");
}

static void drbg(const unsigned char *seed, size_t len) {
    hw_drbg_state drbg;
    RUN(hw_drbg_init(&drbg, alg, seed, 32, seed + 32, len - 32, NULL), "drbg");
    drbg_with(&drbg, seed);
    hw_drbg_wipe(&drbg);
}

static void drbg_on_the_heap(const unsigned char *seed, size_t len) {
    hw_drbg_state *drbg;
    RUN(hw_drbg_new(&drbg, alg, seed, 32, seed + 32, len - 32, NULL), "drbg");
    drbg_with(drbg, seed);
    hw_drbg_free(drbg);
}

static void hash_at_once(const unsigned char *key, size_t len) {
    hw_params params = keyed(key, len);
    RUN(hw_hash_with(alg, &params, text, TEXT, out, hw_output_len(alg)), "hash");
}

static void hash_in_pieces(const unsigned char *key, size_t len) {
    hw_params params = keyed(key, len);
    hw_hash_state hash;
    RUN(hw_hash_init(&hash, alg, &params), "hash");
    RUN(hw_hash_update(&hash, text, TEXT), "hash");
    RUN(hw_hash_final(&hash, out, hw_output_len(alg)), "hash");
    hw_hash_wipe(&hash);
}

static void hash_on_the_heap(const unsigned char *key, size_t len) {
    hw_params params = keyed(key, len);
    hw_hash_state *hash;
    RUN(hw_hash_new(&hash, alg, &params), "hash");
    RUN(hw_hash_update(hash, text, TEXT), "hash");
    RUN(hw_hash_final(hash, out, hw_output_len(alg)), "hash");
    hw_hash_free(hash);
}

static void the_text_many_times(const void **texts, size_t *lengths) {
    for (size_t i = 0; i < MANY; i++) {
        texts[i] = text;
        lengths[i] = TEXT;
    }
}

static void hash_many(const unsigned char *key, size_t len) {
    hw_params params = keyed(key, len);
    const void *texts[MANY];
    size_t lengths[MANY];
    the_text_many_times(texts, lengths);
    RUN(hw_hash_many(alg, &params, texts, lengths, MANY, out, MANY * hw_output_len(alg)), "many");
}

static void streams(const unsigned char *key, size_t len) {
    hw_params params = keyed(key, len);
    const void *texts[MANY];
    size_t lengths[MANY];
    the_text_many_times(texts, lengths);
    hw_streams_state *made;
    RUN(hw_streams_new(&made, alg, &params, texts, lengths, MANY), "streams");
    RUN(hw_streams_read(made, out, MANY * 200), "streams");
    hw_streams_free(made);
}

static void xof(const unsigned char *key, size_t len) {
    hw_params params = keyed(key, len);
    hw_hash_state hash;
    hw_xof_state stream, *on_the_heap;
    RUN(hw_hash_init(&hash, alg, &params), "hash");
    RUN(hw_hash_update(&hash, text, TEXT), "hash");
    RUN(hw_xof_init(&stream, &hash), "xof");
    RUN(hw_xof_new(&on_the_heap, &hash), "xof");
    RUN(hw_xof_read(&stream, out, 200), "xof");
    RUN(hw_xof_read(on_the_heap, out, 200), "xof");
    hw_xof_free(on_the_heap);
    hw_xof_wipe(&stream);
    hw_hash_wipe(&hash);
}

static void kmac_at_once(const unsigned char *key, size_t len) {
    RUN(hw_kmac(128, key, len, NULL, 0, text, TEXT, out, 32), "kmac");
}

static void kmac_in_pieces(const unsigned char *key, size_t len) {
    hw_kmac_state kmac, *on_the_heap;
    hw_xof_state stream;
    RUN(hw_kmac_new(&on_the_heap, 256, key, len, NULL, 0), "kmac");
    hw_kmac_free(on_the_heap);
    RUN(hw_kmac_init(&kmac, 256, key, len, NULL, 0), "kmac");
    RUN(hw_kmac_update(&kmac, text, TEXT), "kmac");
    RUN(hw_kmac_final(&kmac, out, 32), "kmac");
    EXPECT(HW_E_MISMATCH, hw_kmac_verify(&kmac, text, 32), "kmac");
    RUN(hw_xof_init_kmac(&stream, &kmac), "kmac");
    RUN(hw_xof_read(&stream, out, 200), "kmac");
    hw_xof_wipe(&stream);
    hw_kmac_wipe(&kmac);
}

static void source_with(hw_source_state *stream) {
    hw_source_state *child, *jumped;
    uint64_t number;
    RUN(hw_source_read(stream, out, 100), "%s", name);
    RUN(hw_source_spawn(stream, &child), "%s", name);
    RUN(hw_source_next_u64(child, &number), "%s", name);
    RUN(hw_source_jumped(stream, 2, &jumped), "%s", name);
    RUN(hw_source_next_u64(jumped, &number), "%s", name);
    hw_source_free(child);
    hw_source_free(jumped);
    hw_source_free(stream);
}

static void source_of_seed(const unsigned char *seed, size_t len) {
    hw_source_state *stream;
    RUN(hw_source_new(&stream, name, seed, len, NULL, 0), "%s", name);
    source_with(stream);
}

static void source_of_key(const unsigned char *key, size_t len) {
    hw_source_state *stream;
    RUN(hw_source_new_key(&stream, name, key, len, 0, 0), "%s", name);
    source_with(stream);
}

static void random_additional(const unsigned char *additional, size_t len) {
    hw_random_state random;
    RUN(hw_random_init(&random, HW_SHA256, NULL), "random");
    RUN(hw_random_reseed(&random, additional, len), "random");
    RUN(hw_random_read(&random, out, 100), "random");
    hw_random_wipe(&random);
}

/* The control: the search must find the secret of these functions. */
static void never_wiped(const unsigned char *key, size_t len) {
    hw_hmac_state *hmac;
    RUN(hw_hmac_new(&hmac, alg, key, len), "hmac");
    RUN(hw_hmac_update(hmac, text, TEXT), "hmac");
}

static void copied(const unsigned char *key, size_t len) {
    void *copy = allocate(len);
    memcpy(copy, key, len);
    __asm__ volatile("" : : "r"(copy) : "memory");
}

/* ---------------------------------------------------------------- states derived from secrets */

static size_t keep(unsigned char *states, size_t at, const void *state, size_t len) {
    CHECK(at + len <= STATES, "room");
    memcpy(states + at, state, len);
    return at + len;
}

static size_t states_of_hmac(const unsigned char *key, unsigned char *states) {
    hw_hmac_state hmac;
    memset(&hmac, 0, sizeof hmac);
    RUN(hw_hmac_init(&hmac, alg, key, secret_len), "hmac");
    size_t at = keep(states, 0, &hmac, sizeof hmac);
    RUN(hw_hmac_update(&hmac, text, TEXT), "hmac");
    return keep(states, at, &hmac, sizeof hmac);
}

static size_t states_of_hkdf(const unsigned char *key, unsigned char *states) {
    unsigned char prk[64];
    hw_hmac_state hmac;
    memset(&hmac, 0, sizeof hmac);
    RUN(hw_hkdf_extract(alg, key, secret_len, "salt", 4, prk, hw_output_len(alg)), "hkdf");
    RUN(hw_hmac_init(&hmac, alg, prk, hw_output_len(alg)), "hmac");
    return keep(states, keep(states, 0, prk, hw_output_len(alg) / 8 * 8), &hmac, sizeof hmac);
}

static size_t states_of_drbg(const unsigned char *seed, unsigned char *states) {
    hw_drbg_state state;
    memset(&state, 0, sizeof state);
    RUN(hw_drbg_init(&state, alg, seed, 32, seed + 32, secret_len - 32, NULL), "drbg");
    size_t at = keep(states, 0, &state, sizeof state);
    RUN(hw_drbg_generate(&state, out, 100, NULL, 0), "drbg");
    return keep(states, at, &state, sizeof state);
}

static size_t states_of_hash(const unsigned char *key, unsigned char *states) {
    hw_params params = keyed(key, secret_len);
    hw_hash_state hash;
    memset(&hash, 0, sizeof hash);
    RUN(hw_hash_init(&hash, alg, &params), "hash");
    size_t at = keep(states, 0, &hash, sizeof hash);
    RUN(hw_hash_update(&hash, text, TEXT), "hash");
    return keep(states, at, &hash, sizeof hash);
}

static size_t states_of_source(const unsigned char *seed, unsigned char *states) {
    hw_source_state *stream;
    uint64_t jumps, spawned;
    RUN(hw_source_new(&stream, name, seed, secret_len, NULL, 0), "%s", name);
    RUN(hw_source_key(stream, states, 32, &jumps, &spawned), "%s", name);
    hw_source_free(stream);
    return 32;
}

/* Derives the states twice from the secret and once from a different one. Words that depend on the secret, and on
   nothing else, are searched for. */
static void derive(size_t (*states)(const unsigned char *, unsigned char *)) {
    static const char *const forms[3] = {"in a state", "in a state, reversed by 8", "in a state, reversed by 4"};
    int ends[2];
    CHECK(pipe(ends) == 0, "pipe");
    pid_t pid = fork();
    CHECK(pid >= 0, "fork");
    if (pid == 0) {
        static unsigned char own[STATES], other[STATES], again[STATES], key[LONGEST];
        reveal(key, 0);
        size_t len = states(key, own);
        states(key, again);
        reveal(key, 0x9999999999999999);
        states(key, other);
        uint64_t before = 0;
        int counts_before = 0;
        for (size_t i = 0; i < len / 8; i++) {
            uint64_t word, different, same;
            memcpy(&word, own + 8 * i, 8);
            memcpy(&different, other + 8 * i, 8);
            memcpy(&same, again + 8 * i, 8);
            int counts = word != different && word == same && (word >> 32) > 0xffff && (uint32_t)word > 0xffff;
            if (counts && counts_before) {
                uint64_t pair[2] = {before ^ MASK, word ^ MASK};
                CHECK(write(ends[1], pair, sizeof pair) == sizeof pair, "pipe");
            }
            before = word;
            counts_before = counts;
        }
        _exit(0);
    }
    close(ends[1]);
    uint64_t pair[2];
    size_t count = 0;
    while (read(ends[0], pair, sizeof pair) == sizeof pair) {
        add_forms(pair[0], pair[1], forms);
        count++;
    }
    close(ends[0]);
    int status;
    CHECK(waitpid(pid, &status, 0) == pid && status == 0 && count > 0, "nothing is made of a secret");
}

/* ---------------------------------------------------------------- one test */

static void (*use)(const unsigned char *, size_t);
static atomic_int stage;

static void *work(void *nothing) {
    unsigned char clear[LONGEST];
    reveal(clear, 0);
    use(clear, secret_len);
    forget(clear, sizeof clear);
    atomic_store(&stage, 1);
    /* The loop calls no function, so it leaves the stack below unchanged. */
    while (atomic_load(&stage) == 1) {
    }
    return nothing;
}

static size_t left, cases;

static size_t left_by(const char *what, size_t len, void (*that)(const unsigned char *, size_t),
                      size_t (*states)(const unsigned char *, unsigned char *), int quiet) {
    static char label[100];
    snprintf(label, sizeof label, "%s, %s", what, name);
    of_secret(len);
    if (states) {
        derive(states);
    }
    use = that;
    atomic_store(&stage, 0);
    pthread_t thread;
    pthread_attr_t small;
    /* The stack is larger than any function needs, and all of it is searched. */
    CHECK(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, 256 << 10) == 0, "stack");
    CHECK(pthread_create(&thread, &small, work, NULL) == 0, "thread");
    pthread_attr_destroy(&small);
    while (atomic_load(&stage) == 0) {
        sched_yield();
    }
    size_t found = search(label, quiet);
    atomic_store(&stage, 2);
    CHECK(pthread_join(thread, NULL) == 0, "thread");
    cases++;
    return found;
}

#define LEAVES_NOTHING(len, that, states) (left += left_by(#that, len, that, states, 0) > 0)

static void of_algorithm(void) {
    name = hw_name(alg);
    uint64_t min, max;
    if (hw_has_hmac(alg) == 1) {
        LEAVES_NOTHING(32, hmac_at_once, states_of_hmac);
        LEAVES_NOTHING(64, hmac_in_pieces, states_of_hmac);
        LEAVES_NOTHING(200, hmac_on_the_heap, states_of_hmac);
        LEAVES_NOTHING(32, hmac_many, states_of_hmac);
        LEAVES_NOTHING(32, hkdf, states_of_hkdf);
        LEAVES_NOTHING(64, hkdf_expand, states_of_hmac);
        LEAVES_NOTHING(48, drbg, states_of_drbg);
        LEAVES_NOTHING(48, drbg_on_the_heap, states_of_drbg);
    }
    if (hw_limits(alg, HW_PARAM_KEY, &min, &max) == HW_OK) {
        size_t len = (size_t)max;
        LEAVES_NOTHING(len, hash_at_once, states_of_hash);
        LEAVES_NOTHING(len, hash_in_pieces, states_of_hash);
        LEAVES_NOTHING(len, hash_on_the_heap, states_of_hash);
        LEAVES_NOTHING(len, hash_many, states_of_hash);
        if (hw_kind(alg) == HW_XOF) {
            LEAVES_NOTHING(len, xof, states_of_hash);
            LEAVES_NOTHING(len, streams, states_of_hash);
        }
    }
}

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "--list") == 0) {
        EACH_ALGORITHM(each) {
            hw_kernel_info info;
            for (size_t i = 0; hw_kernel(each, i, &info) == HW_OK; i++) {
                if (info.available) {
                    puts(info.name);
                }
            }
        }
        return EXIT_SUCCESS;
    }
    if (count == 2) {
        RUN(hw_force_kernel(arguments[1]), "%s", arguments[1]);
    }
    EACH_ALGORITHM(each) {
        alg = each;
        of_algorithm();
    }
    name = "KMAC";
    LEAVES_NOTHING(32, kmac_at_once, NULL);
    LEAVES_NOTHING(32, kmac_in_pieces, NULL);
    name = "the operating system's";
    LEAVES_NOTHING(32, random_additional, NULL);
    for (size_t i = 0; (name = hw_source_at(i)); i++) {
        LEAVES_NOTHING(32, source_of_seed, states_of_source);
        LEAVES_NOTHING(32, source_of_key, NULL);
    }
    alg = HW_SHA256;
    name = "a control";
    CHECK(left_by("copied", 32, copied, NULL, 1) >= 3, "a copy on the heap is not found");
    CHECK(left_by("never wiped", 32, never_wiped, states_of_hmac, 1) >= 3, "HMAC's midstates are not found");
    CHECK(left == 0, "%zu of %zu uses leave something", left, cases);
    printf("%zu uses leave nothing", cases - 2);
    return EXIT_SUCCESS;
}

#endif
