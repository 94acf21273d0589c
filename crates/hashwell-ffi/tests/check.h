/* Functions and macros that the C tests share. The tests are C11 and C++17. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hashwell.h"

#define CHECK(condition, ...) \
    do { \
        if (!(condition)) { \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__); \
            fputc('\n', stderr); \
            exit(EXIT_FAILURE); \
        } \
    } while (0)

/* Checks that the result is this code. */
#define EXPECT(code, call, ...) \
    do { \
        int got_ = (call); \
        if (got_ != (code)) { \
            fprintf(stderr, "%s:%d: %s gives %d (%s), not %d: ", __FILE__, __LINE__, #call, got_, hw_strerror(got_), \
                    (code)); \
            fprintf(stderr, __VA_ARGS__); \
            fputc('\n', stderr); \
            exit(EXIT_FAILURE); \
        } \
    } while (0)

/* Checks that the call succeeds. */
#define RUN(call, ...) EXPECT(HW_OK, call, __VA_ARGS__)

/* Loops over all algorithms. */
#define EACH_ALGORITHM(alg) \
    for (size_t alg##_i = 0; alg##_i < hw_count(); alg##_i++) \
        for (hw_algorithm alg = hw_at(alg##_i), alg##_once = 1; alg##_once; alg##_once = 0)

static inline void *allocate(size_t len) {
    void *memory = malloc(len ? len : 1);
    CHECK(memory, "no memory");
    return memory;
}

/* Byte i is i mod 251. */
static inline void fill_mod251(unsigned char *out, size_t len) {
    for (size_t i = 0; i < len; i++) {
        out[i] = (unsigned char)(i % 251);
    }
}

#endif
