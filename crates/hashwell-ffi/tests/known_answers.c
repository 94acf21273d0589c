/* Tests the vectors in vectors/, which run.py converts: one line for each case or step, with fields NAME=VALUE. Bytes
   are in hex or have the form PATTERN:LENGTH. Usage: known_answers CASES. */
#include "check.h"

enum { LINE = 1 << 20 };

static char line[LINE];

struct bytes {
    unsigned char *data; /* NULL: not given */
    size_t len;
};

static const char *field(const char *name) {
    size_t len = strlen(name);
    for (const char *at = line; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strncmp(at, name, len) == 0 && at[len] == '=') {
            return at + len + 1;
        }
    }
    return NULL;
}

static size_t number(const char *name, size_t otherwise) {
    const char *text = field(name);
    return text ? (size_t)strtoull(text, NULL, 10) : otherwise;
}

static unsigned digit(char c) {
    CHECK((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'), "%c", c);
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static struct bytes read_bytes(const char *name) {
    struct bytes bytes = {NULL, 0};
    const char *text = field(name);
    if (!text) {
        return bytes;
    }
    size_t len = strcspn(text, " \n");
    const char *colon = (const char *)memchr(text, ':', len);
    if (colon) {
        bytes.len = (size_t)strtoull(colon + 1, NULL, 10);
        bytes.data = (unsigned char *)allocate(bytes.len);
        if (strncmp(text, "mod251", 6) == 0) {
            fill_mod251(bytes.data, bytes.len);
        } else {
            memset(bytes.data, (int)strtoul(text, NULL, 16), bytes.len);
        }
        return bytes;
    }
    bytes.len = len / 2;
    bytes.data = (unsigned char *)allocate(bytes.len);
    for (size_t i = 0; i < bytes.len; i++) {
        bytes.data[i] = (unsigned char)(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
    }
    return bytes;
}

static void compare(const unsigned char *got, struct bytes expected) {
    CHECK(!expected.len || memcmp(got, expected.data, expected.len) == 0, "%s", line);
}

static void hash(hw_algorithm alg, struct bytes input, struct bytes expected) {
    struct bytes key = read_bytes("key"), salt = read_bytes("salt"), personal = read_bytes("personal"), context = read_bytes("context");
    struct bytes customization = read_bytes("customization"), function_name = read_bytes("function_name");
    size_t skip = number("skip", 0), len = skip + expected.len;
    unsigned char *out = (unsigned char *)allocate(len);
    hw_params params = HW_PARAMS_INIT;
    params.output_len = hw_kind(alg) == HW_FIXED ? len : 0;
    params.key = key.data, params.key_len = key.len;
    params.salt = salt.data, params.salt_len = salt.len;
    params.personal = personal.data, params.personal_len = personal.len;
    params.customization = customization.data, params.customization_len = customization.len;
    params.function_name = function_name.data, params.function_name_len = function_name.len;
    params.context = context.data, params.context_len = context.len;
    params.domain = (int)number("domain", 0);

    RUN(hw_hash_with(alg, &params, input.data, input.len, out, len), "%s", line);
    compare(out + skip, expected);
    const void *messages[1] = {input.data};
    memset(out, 0, len);
    RUN(hw_hash_many(alg, &params, messages, &input.len, 1, out, len), "%s", line);
    compare(out + skip, expected);

    hw_hash_state state;
    int code = hw_hash_init(&state, alg, &params);
    if (customization.len > HW_MAX_KANGAROO_CUSTOMIZATION && code == HW_E_RANGE) {
        CHECK(alg == HW_KT128 || alg == HW_KT256, "%s", line);
    } else {
        RUN(code, "%s", line);
        RUN(hw_hash_update(&state, input.data, input.len), "%s", line);
        RUN(hw_hash_final(&state, out, len), "%s", line);
        compare(out + skip, expected);
        if (hw_kind(alg) == HW_XOF) {
            hw_xof_state xof;
            RUN(hw_xof_init(&xof, &state), "%s", line);
            RUN(hw_xof_read(&xof, out, skip), "%s", line);
            RUN(hw_xof_read(&xof, out, expected.len), "%s", line);
            compare(out, expected);
        }
    }
    free(out);
    free(key.data), free(salt.data), free(personal.data), free(context.data);
    free(customization.data), free(function_name.data);
}

/* A loaded state continues. Saving it after the same message gives the same bytes, if it has no parameters. */
static void state(hw_algorithm alg, struct bytes expected) {
    struct bytes saved = read_bytes("state");
    size_t len = number("len", 0), rest = number("rest", 0), written = 0;
    unsigned char *message = (unsigned char *)allocate(len + rest), *out = (unsigned char *)allocate(HW_HASH_EXPORT_MAX);
    fill_mod251(message, len + rest);
    hw_hash_state hash;
    RUN(hw_hash_import(&hash, saved.data, saved.len), "%s", line);
    CHECK(hw_hash_algorithm(&hash) == alg && hw_hash_message_len(&hash) == len, "%s", line);
    RUN(hw_hash_update(&hash, message + len, rest), "%s", line);
    RUN(hw_hash_final(&hash, out, expected.len), "%s", line);
    compare(out, expected);
    if (expected.len == hw_output_len(alg) && hw_hash_export(&hash, out, HW_HASH_EXPORT_MAX, &written) == HW_OK) {
        RUN(hw_hash_init(&hash, alg, NULL), "%s", line);
        RUN(hw_hash_update(&hash, message, len), "%s", line);
        EXPECT(HW_E_LENGTH, hw_hash_export(&hash, out, saved.len - 1, &written), "%s", line);
        RUN(hw_hash_export(&hash, out, saved.len, &written), "%s", line);
        CHECK(written == saved.len && memcmp(out, saved.data, saved.len) == 0, "%s", line);
    }
    saved.data[saved.len / 2] ^= 1;
    EXPECT(HW_E_SAVED, hw_hash_import(&hash, saved.data, saved.len), "%s", line);
    EXPECT(HW_E_SAVED, hw_hash_import(&hash, saved.data, 0), "%s", line);
    free(message), free(out), free(saved.data);
}

static int is_kind(const char *kind) {
    const char *given = field("kind");
    return given && strncmp(given, kind, strlen(kind)) == 0 && strchr(" \n", given[strlen(kind)]) != NULL;
}

/* An impossible state is refused, and afterwards the place has no state. */
static void rejected(void) {
    struct bytes saved = read_bytes("state");
    if (is_kind("plain")) {
        hw_hash_state hash;
        memset(&hash, 0, sizeof hash);
        EXPECT(HW_E_SAVED, hw_hash_import(&hash, saved.data, saved.len), "%s", line);
        CHECK(hw_hash_algorithm(&hash) == 0, "%s", line);
    } else if (is_kind("hash")) {
        hw_hash_state hash;
        memset(&hash, 0, sizeof hash);
        EXPECT(HW_E_SAVED, hw_hash_import_secret(&hash, saved.data, saved.len), "%s", line);
        CHECK(hw_hash_algorithm(&hash) == 0, "%s", line);
    } else if (is_kind("hmac")) {
        hw_hmac_state hmac;
        memset(&hmac, 0, sizeof hmac);
        EXPECT(HW_E_SAVED, hw_hmac_import_secret(&hmac, saved.data, saved.len), "%s", line);
        EXPECT(HW_E_STATE, hw_hmac_reset(&hmac), "%s", line);
    } else {
        hw_kmac_state kmac;
        memset(&kmac, 0, sizeof kmac);
        CHECK(is_kind("kmac"), "%s", line);
        EXPECT(HW_E_SAVED, hw_kmac_import_secret(&kmac, saved.data, saved.len), "%s", line);
        EXPECT(HW_E_STATE, hw_kmac_reset(&kmac), "%s", line);
    }
    free(saved.data);
}

/* A loaded state with a key continues. Saving it after the same key and message gives the same bytes. */
static void secret(hw_algorithm alg, struct bytes expected) {
    struct bytes saved = read_bytes("state"), key = read_bytes("key"), customization = read_bytes("customization");
    size_t len = number("len", 0), rest = number("rest", 0), written = 0;
    unsigned char *message = (unsigned char *)allocate(len + rest), *out = (unsigned char *)allocate(HW_HASH_EXPORT_MAX);
    fill_mod251(message, len + rest);
    if (is_kind("hash")) {
        hw_hash_state hash;
        RUN(hw_hash_import_secret(&hash, saved.data, saved.len), "%s", line);
        CHECK(hw_hash_algorithm(&hash) == alg && hw_hash_message_len(&hash) == len, "%s", line);
        EXPECT(HW_E_UNSUPPORTED, hw_hash_export(&hash, out, HW_HASH_EXPORT_MAX, &written), "%s", line);
        if (field("salt") || field("context")) {
            EXPECT(HW_E_UNSUPPORTED, hw_hash_export_secret(&hash, out, HW_HASH_EXPORT_MAX, &written), "%s", line);
        } else {
            RUN(hw_hash_export_secret(&hash, out, HW_HASH_EXPORT_MAX, &written), "%s", line);
            CHECK(written == saved.len && memcmp(out, saved.data, saved.len) == 0, "%s", line);
            hw_params params = HW_PARAMS_INIT;
            params.key = key.data, params.key_len = key.len;
            RUN(hw_hash_init(&hash, alg, &params), "%s", line);
            RUN(hw_hash_update(&hash, message, len), "%s", line);
            EXPECT(HW_E_LENGTH, hw_hash_export_secret(&hash, out, saved.len - 1, &written), "%s", line);
            RUN(hw_hash_export_secret(&hash, out, saved.len, &written), "%s", line);
            CHECK(written == saved.len && memcmp(out, saved.data, saved.len) == 0, "%s", line);
        }
        RUN(hw_hash_update(&hash, message + len, rest), "%s", line);
        RUN(hw_hash_final(&hash, out, expected.len), "%s", line);
    } else if (is_kind("hmac")) {
        hw_hmac_state hmac, fresh;
        RUN(hw_hmac_import_secret(&hmac, saved.data, saved.len), "%s", line);
        RUN(hw_hmac_export_secret(&hmac, out, HW_HASH_EXPORT_MAX, &written), "%s", line);
        CHECK(written == saved.len && memcmp(out, saved.data, saved.len) == 0, "%s", line);
        RUN(hw_hmac_init(&fresh, alg, key.data, key.len), "%s", line);
        RUN(hw_hmac_update(&fresh, message, len), "%s", line);
        RUN(hw_hmac_export_secret(&fresh, out, saved.len, &written), "%s", line);
        CHECK(written == saved.len && memcmp(out, saved.data, saved.len) == 0, "%s", line);
        RUN(hw_hmac_update(&hmac, message + len, rest), "%s", line);
        RUN(hw_hmac_final(&hmac, out, expected.len), "%s", line);
    } else {
        hw_kmac_state kmac, fresh;
        CHECK(is_kind("kmac"), "%s", line);
        RUN(hw_kmac_import_secret(&kmac, saved.data, saved.len), "%s", line);
        const char *name = field("algorithm");
        int bits = strncmp(name, "kmac128", 7) == 0 ? 128 : 256;
        RUN(hw_kmac_init(&fresh, bits, key.data, key.len, customization.data, customization.len), "%s", line);
        RUN(hw_kmac_update(&fresh, message, len), "%s", line);
        RUN(hw_kmac_export_secret(&fresh, out, saved.len, &written), "%s", line);
        CHECK(written == saved.len && memcmp(out, saved.data, saved.len) == 0, "%s", line);
        RUN(hw_kmac_update(&kmac, message + len, rest), "%s", line);
        RUN(hw_kmac_final(&kmac, out, expected.len), "%s", line);
    }
    compare(out, expected);
    free(message), free(out), free(saved.data), free(key.data), free(customization.data);
}

static void hmac(hw_algorithm alg, struct bytes input, struct bytes expected) {
    struct bytes key = read_bytes("key");
    unsigned char tag[64];
    RUN(hw_hmac(alg, key.data, key.len, input.data, input.len, tag, expected.len), "%s", line);
    compare(tag, expected);
    hw_hmac_state state;
    RUN(hw_hmac_init(&state, alg, key.data, key.len), "%s", line);
    RUN(hw_hmac_update(&state, input.data, input.len), "%s", line);
    RUN(hw_hmac_final(&state, tag, expected.len), "%s", line);
    compare(tag, expected);
    free(key.data);
}

static void hkdf(hw_algorithm alg, struct bytes ikm, struct bytes expected) {
    struct bytes salt = read_bytes("salt"), info = read_bytes("info"), prk = read_bytes("prk");
    unsigned char out[255 * 64];
    RUN(hw_hkdf(alg, ikm.data, ikm.len, salt.data, salt.len, info.data, info.len, out, expected.len), "%s", line);
    compare(out, expected);
    RUN(hw_hkdf_extract(alg, ikm.data, ikm.len, salt.data, salt.len, out, prk.len), "%s", line);
    compare(out, prk);
    RUN(hw_hkdf_expand(alg, prk.data, prk.len, info.data, info.len, out, expected.len), "%s", line);
    compare(out, expected);
    free(salt.data), free(info.data), free(prk.data);
}

static void kmac(struct bytes input, struct bytes expected) {
    struct bytes key = read_bytes("key"), customization = read_bytes("customization");
    int bits = (int)number("bits", 0);
    unsigned char *out = (unsigned char *)allocate(expected.len);
    hw_kmac_state state;
    RUN(hw_kmac_init(&state, bits, key.data, key.len, customization.data, customization.len), "%s", line);
    RUN(hw_kmac_update(&state, input.data, input.len), "%s", line);
    if (number("xof", 0)) {
        hw_xof_state xof;
        RUN(hw_xof_init_kmac(&xof, &state), "%s", line);
        RUN(hw_xof_read(&xof, out, expected.len), "%s", line);
    } else {
        RUN(hw_kmac_verify(&state, expected.data, expected.len), "%s", line);
        RUN(hw_kmac(bits, key.data, key.len, customization.data, customization.len, input.data, input.len, out,
                    expected.len),
            "%s", line);
    }
    compare(out, expected);
    free(out), free(key.data), free(customization.data);
}

/* The generator of the last "hmac-drbg" line, and the steps with it. */
static hw_drbg_state drbg;

static void instantiate(hw_algorithm alg) {
    struct bytes entropy = read_bytes("entropy"), nonce = read_bytes("nonce");
    struct bytes personalization = read_bytes("personalization");
    hw_drbg_params params = HW_DRBG_PARAMS_INIT;
    params.personalization = personalization.data, params.personalization_len = personalization.len;
    params.prediction_resistance = 1;
    RUN(hw_drbg_init(&drbg, alg, entropy.data, entropy.len, nonce.data, nonce.len, &params), "%s", line);
    free(entropy.data), free(nonce.data), free(personalization.data);
}

static void reseed(void) {
    struct bytes entropy = read_bytes("reseed"), additional = read_bytes("additional");
    RUN(hw_drbg_reseed(&drbg, entropy.data, entropy.len, additional.data, additional.len), "%s", line);
    free(entropy.data), free(additional.data);
}

static int entropy_once(void *context, void *out, size_t len) {
    const struct bytes *entropy = (const struct bytes *)context;
    CHECK(len == entropy->len, "%s", line);
    memcpy(out, entropy->data, len);
    return 0;
}

static void generate(struct bytes expected) {
    struct bytes entropy = read_bytes("entropy"), additional = read_bytes("additional");
    size_t len = number("generate", 0);
    unsigned char *out = (unsigned char *)allocate(len);
    RUN(entropy.data ? hw_drbg_generate_from(&drbg, entropy_once, &entropy, 1, out, len, additional.data, additional.len)
                     : hw_drbg_generate(&drbg, out, len, additional.data, additional.len),
        "%s", line);
    compare(out, expected);
    free(out), free(entropy.data), free(additional.data);
}

/* Reads a stream by name. The case gives its seed, its jumps, its child and the position. */
static void random_stream(struct bytes expected) {
    struct bytes seed = read_bytes("seed"), personalization = read_bytes("personalization"), key = read_bytes("key");
    char name[40];
    unsigned char root[32], *out = (unsigned char *)allocate(expected.len);
    uint64_t jumps, spawned;
    hw_source_state *source, *next;
    const char *text = field("source");
    CHECK(text && sscanf(text, "%39s", name) == 1, "%s", line);
    RUN(hw_source_new(&source, name, seed.data, seed.len, personalization.data, personalization.len), "%s", line);
    RUN(hw_source_key(source, root, sizeof root, &jumps, &spawned), "%s", line);
    CHECK(key.len == sizeof root, "%s", line);
    compare(root, key);
    if (field("jumps")) {
        RUN(hw_source_jumped(source, number("jumps", 0), &next), "%s", line);
        hw_source_free(source);
        source = next;
    }
    if (field("child")) {
        RUN(hw_source_key(source, root, sizeof root, &jumps, &spawned), "%s", line);
        hw_source_free(source);
        RUN(hw_source_new_key(&next, name, root, sizeof root, jumps, number("child", 0)), "%s", line);
        RUN(hw_source_spawn(next, &source), "%s", line);
        hw_source_free(next);
    }
    if (field("words")) {
        RUN(hw_source_seed_others(source, out, expected.len), "%s", line);
    } else {
        RUN(hw_source_seek(source, number("skip_low", 0), number("skip_high", 0)), "%s", line);
        RUN(hw_source_read(source, out, expected.len), "%s", line);
    }
    compare(out, expected);
    hw_source_free(source);
    free(out), free(seed.data), free(personalization.data), free(key.data);
}

int main(int argc, char **argv) {
    FILE *cases = argc == 2 ? fopen(argv[1], "r") : NULL;
    CHECK(cases, "usage: known_answers CASES");
    size_t done = 0;
    for (; fgets(line, LINE, cases); done++) {
        char kind[32], name[32];
        const char *algorithm = field("algorithm");
        CHECK(strchr(line, '\n') && sscanf(line, "%31s", kind) == 1, "%s", line);
        hw_algorithm alg = algorithm && sscanf(algorithm, "%31s", name) == 1 ? hw_find(name) : 0;
        struct bytes input = read_bytes("input"), expected = read_bytes("expected");
        if (strcmp(kind, "hash") == 0) {
            hash(alg, input, expected);
        } else if (strcmp(kind, "state") == 0) {
            state(alg, expected);
        } else if (strcmp(kind, "rejected") == 0) {
            rejected();
        } else if (strcmp(kind, "secret") == 0) {
            secret(alg, expected);
        } else if (strcmp(kind, "hmac") == 0) {
            hmac(alg, input, expected);
        } else if (strcmp(kind, "hkdf") == 0) {
            hkdf(alg, input, expected);
        } else if (strcmp(kind, "kmac") == 0) {
            kmac(input, expected);
        } else if (strcmp(kind, "hmac-drbg") == 0) {
            instantiate(alg);
        } else if (strcmp(kind, "random") == 0) {
            random_stream(expected);
        } else if (strcmp(kind, "reseed") == 0) {
            reseed();
        } else {
            CHECK(strcmp(kind, "generate") == 0, "%s", line);
            generate(expected);
        }
        free(input.data), free(expected.data);
    }
    fclose(cases);
    CHECK(done > 0, "no cases");
    printf("%zu known answers\n", done);
    return EXIT_SUCCESS;
}
