/* All libraries that hashwell speed looks for, in one file. All functions exist, and all digests are wrong. */

#include <stddef.h>
#include <stdint.h>

static int something;

/* OpenSSL */
const char *OpenSSL_version(int type) { return "wrong OpenSSL"; }
void *EVP_MD_fetch(void *context, const char *name, const char *properties) { return &something; }
void *EVP_MD_CTX_new(void) { return &something; }
int EVP_DigestInit_ex2(void *context, void *md, void *parameters) { return 1; }
int EVP_DigestUpdate(void *context, const void *data, size_t len) { return 1; }
int EVP_DigestFinal_ex(void *context, uint8_t *out, unsigned *len) { return 1; }
int EVP_DigestFinalXOF(void *context, uint8_t *out, size_t len) { return 1; }
int EVP_DigestSqueeze(void *context, uint8_t *out, size_t len) { return 1; }

/* libb2 */
int blake2b(uint8_t *out, const void *in, const void *key, size_t out_len, size_t len, size_t key_len) { return 0; }
int blake2s(uint8_t *out, const void *in, const void *key, size_t out_len, size_t len, size_t key_len) { return 0; }

/* libgcrypt */
const char *gcry_check_version(const char *wanted) { return "wrong libgcrypt"; }
unsigned gcry_md_algo_info(int id, int what, void *buffer, size_t *len) { return 0; }
unsigned gcry_md_open(void **handle, int id, unsigned flags) { *handle = &something; return 0; }
void gcry_md_reset(void *handle) {}
void gcry_md_write(void *handle, const void *data, size_t len) {}
const uint8_t *gcry_md_read(void *handle, int id) { static uint8_t zeros[64]; return zeros; }
unsigned gcry_md_extract(void *handle, int id, void *out, size_t len) { return 0; }

/* nettle */
static void init(void *context) {}
static void update(void *context, size_t len, const uint8_t *data) {}
static void digest(void *context, size_t len, uint8_t *out) {}
struct nettle_hash { const char *name; unsigned sizes[3]; void *functions[3]; };
static const struct nettle_hash sha256 = {"sha256", {8, 32, 64}, {init, update, digest}};
static const struct nettle_hash *const hashes[] = {&sha256, NULL};
const struct nettle_hash *const *nettle_get_hashes(void) { return hashes; }

/* libsodium */
int sodium_init(void) { return 0; }
int crypto_generichash(uint8_t *out, size_t out_len, const uint8_t *in, unsigned long long len, const uint8_t *key,
                       size_t key_len) { return 0; }
int crypto_hash_sha256(uint8_t *out, const uint8_t *in, unsigned long long len) { return 0; }

/* NSS */
int NSS_NoDB_Init(const char *folder) { return 0; }
unsigned HASH_ResultLen(int id) { return 32; }
void *HASH_Create(int id) { return &something; }
void HASH_Begin(void *context) {}
void HASH_Update(void *context, const uint8_t *data, unsigned len) {}
void HASH_End(void *context, uint8_t *out, unsigned *len, unsigned room) {}

/* GnuTLS: it has SHA-256 only. */
const char *gnutls_check_version(const char *wanted) { return "wrong GnuTLS"; }
int gnutls_digest_get_id(const char *name) { return 1; }
size_t gnutls_hash_get_len(int id) { return 32; }
int gnutls_hash_fast(int id, const void *data, size_t len, void *digest) { return 0; }

/* Mbed TLS */
void mbedtls_version_get_string(char *version) { version[0] = 0; }
const void *mbedtls_md_info_from_string(const char *name) { return &something; }
unsigned char mbedtls_md_get_size(const void *info) { return 32; }
int mbedtls_md(const void *info, const uint8_t *data, size_t len, uint8_t *digest) { return 0; }

/* wolfSSL */
const char *wolfSSL_lib_version(void) { return "wrong wolfSSL"; }
int wc_Sha256Hash(const uint8_t *data, unsigned len, uint8_t *digest) { return 0; }
int wc_Shake128Hash(const uint8_t *data, unsigned len, uint8_t *digest, unsigned room) { return 0; }

/* Botan: every digest has 32 bytes. */
const char *botan_version_string(void) { return "wrong Botan"; }
int botan_hash_init(void **hash, const char *name, unsigned flags) { *hash = &something; return 0; }
int botan_hash_output_length(void *hash, size_t *len) { *len = 32; return 0; }
int botan_hash_update(void *hash, const uint8_t *data, size_t len) { return 0; }
int botan_hash_final(void *hash, uint8_t *digest) { return 0; }

/* Crypto++ */
void _ZN8CryptoPP6SHA2569TransformEPjPKj(void) {}

/* Common Crypto */
uint8_t *CC_SHA256(const void *data, unsigned len, uint8_t *digest) { return digest; }

/* xxHash */
uint64_t XXH3_64bits(const void *data, size_t len) { return 7; }
