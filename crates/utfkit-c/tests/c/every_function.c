/* Calls every function of utfkit.h on memory next to unmapped pages, and with invalid arguments. Prints the
 * number of checks; ends at the first that fails. */
#define _DEFAULT_SOURCE
#include "utfkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGES ((size_t)16 << 12)

static size_t calls;

static void check_that(int holds, const char *what, int line) {
  calls++;
  if (!holds) {
    fprintf(stderr, "line %d: %s\n", line, what);
    exit(1);
  }
}
#define CHECK(what) check_that((what), #what, __LINE__)

/* Memory between two pages that fault. */
struct guarded {
  unsigned char *start, *end;
};

static struct guarded guarded(void) {
  unsigned char *all = (unsigned char *)mmap(NULL, PAGES + 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  struct guarded memory = {all + 4096, all + 4096 + PAGES};
  if (all == MAP_FAILED || mprotect(all, 4096, PROT_NONE) || mprotect(memory.end, 4096, PROT_NONE)) exit(2);
  return memory;
}

static struct guarded source_memory, target_memory;

/* Memory of `len` bytes at the end or at the beginning of the pages. */
static void *put(const void *bytes, size_t len, int at_end) {
  unsigned char *place = at_end ? source_memory.end - len : source_memory.start;
  if (len) memcpy(place, bytes, len);
  return place;
}
static void *space(size_t len, int at_end) {
  unsigned char *place = at_end ? target_memory.end - len : target_memory.start;
  memset(place, 0xAA, len);
  return place;
}

static const char *const texts[] = {
  "",
  "a",
  "caf\xC3\xA9",
  "\xE2\x82\xAC \xF0\x9F\x98\x80 and more text, so that a vector register is filled with it: \xD0\xB6\xD0\xB6\xD0\xB6",
  "\xFF",
  "ab\xC3",
  "ab\xE2\x82",
  "\xED\xA0\x80",
  "\xC0\xAF\xF4\x90\x80\x80",
  "0123456789012345678901234567890123456789012345678901234567890123456789\xF0\x9F\x98",
};
#define TEXTS (sizeof texts / sizeof *texts)

static void sane(utfkit_result done, size_t len, size_t capacity) {
  CHECK(done.status <= UTFKIT_INVALID_ARGUMENT);
  CHECK(done.status != UTFKIT_INVALID_ARGUMENT);
  CHECK(done.read <= len && done.offset <= len && done.written <= capacity && done.offset + done.length <= len);
  CHECK((done.status == UTFKIT_OK) == (done.read == len && done.kind == UTFKIT_NO_ERROR && done.offset == len && done.status != UTFKIT_NO_SPACE));
}

/* A conversion with every capacity up to one unit more than needed. */
#define CONVERSION(function, S, D, most)                                                        \
  static void try_##function(const void *bytes, size_t len) {                                    \
    size_t capacity, units = len / sizeof(S), full = most * units;                               \
    int end;                                                                                     \
    D *all = (D *)malloc(full * sizeof(D) + 1);                                                  \
    const S *src = (const S *)put(bytes, units * sizeof(S), 1);                                  \
    const utfkit_result whole = function(src, units, all, full);                                 \
    sane(whole, units, full);                                                                    \
    CHECK(whole.status != UTFKIT_NO_SPACE);                                                      \
    for (end = 0; end < 2; end++) {                                                              \
      for (capacity = 0; capacity <= whole.written + 1; capacity++) {                            \
        D *dst = (D *)space(capacity * sizeof(D), end);                                          \
        const utfkit_result done = function((const S *)put(bytes, units * sizeof(S), end), units, dst, capacity); \
        sane(done, units, capacity);                                                             \
        CHECK((capacity < whole.written) == (done.status == UTFKIT_NO_SPACE));                   \
        CHECK(memcmp(dst, all, done.written * sizeof(D)) == 0);                                  \
      }                                                                                          \
    }                                                                                            \
    free(all);                                                                                   \
    CHECK(function(NULL, 1, (D *)space(8, 1), 1).status == UTFKIT_INVALID_ARGUMENT);             \
    CHECK(function(NULL, 0, NULL, 0).status == UTFKIT_OK);                                       \
    CHECK(function((const S *)put("abcd", 4, 1), 1, NULL, 1).status == UTFKIT_INVALID_ARGUMENT); \
    CHECK(function((const S *)source_memory.start, 4, (D *)source_memory.start, 4).status == UTFKIT_INVALID_ARGUMENT); \
    CHECK(function((const S *)source_memory.start, SIZE_MAX, NULL, 0).status == UTFKIT_INVALID_ARGUMENT); \
    if (sizeof(S) > 1)                                                                           \
      CHECK(function((const S *)(source_memory.start + 1), 1, NULL, 0).status == UTFKIT_INVALID_ARGUMENT); \
  }

#define CONVERSIONS(X)                                                                            \
  X(utfkit_utf8_to_utf16, uint8_t, uint16_t, 1) X(utfkit_utf8_to_utf32, uint8_t, uint32_t, 1)       \
  X(utfkit_utf8_to_latin1, uint8_t, uint8_t, 1) X(utfkit_utf16_to_utf8, uint16_t, uint8_t, 3)       \
  X(utfkit_utf16_to_utf32, uint16_t, uint32_t, 1) X(utfkit_utf16_to_latin1, uint16_t, uint8_t, 1)   \
  X(utfkit_utf32_to_utf8, uint32_t, uint8_t, 4) X(utfkit_utf32_to_utf16, uint32_t, uint16_t, 2)     \
  X(utfkit_utf32_to_latin1, uint32_t, uint8_t, 1) X(utfkit_latin1_to_utf8, uint8_t, uint8_t, 2)     \
  X(utfkit_latin1_to_utf16, uint8_t, uint16_t, 1) X(utfkit_latin1_to_utf32, uint8_t, uint32_t, 1)   \
  X(utfkit_utf8_to_utf16_lossy, uint8_t, uint16_t, 1) X(utfkit_utf16_to_utf8_lossy, uint16_t, uint8_t, 3) \
  X(utfkit_utf8_to_utf8_lossy, uint8_t, uint8_t, 3)
CONVERSIONS(CONVERSION)

#define VALIDATION(function, S)                                                                   \
  static void try_##function(const void *bytes, size_t len) {                                     \
    const size_t units = len / sizeof(S);                                                         \
    sane(function((const S *)put(bytes, units * sizeof(S), 0), units), units, 0);                 \
    sane(function((const S *)put(bytes, units * sizeof(S), 1), units), units, 0);                 \
    CHECK(function(NULL, 0).status == UTFKIT_OK);                                                 \
    CHECK(function(NULL, 1).status == UTFKIT_INVALID_ARGUMENT);                                   \
  }
#define VALIDATIONS(X) X(utfkit_validate_utf8, uint8_t) X(utfkit_validate_ascii, uint8_t) X(utfkit_validate_utf16, uint16_t) X(utfkit_validate_utf32, uint32_t)
VALIDATIONS(VALIDATION)

#define COUNT(function, S)                                                                        \
  static void try_##function(const void *bytes, size_t len) {                                     \
    const size_t units = len / sizeof(S);                                                         \
    const size_t count = function((const S *)put(bytes, units * sizeof(S), 0), units);            \
    CHECK(count == function((const S *)put(bytes, units * sizeof(S), 1), units));                 \
    CHECK(count <= 4 * units && function(NULL, 0) == 0 && function(NULL, 9) == 0);                \
  }
#define COUNTS(X)                                                                                 \
  X(utfkit_count_code_points, uint8_t) X(utfkit_count_utf16, uint16_t) X(utfkit_utf16_len_from_utf8, uint8_t) \
  X(utfkit_utf8_len_from_utf16, uint16_t) X(utfkit_utf8_len_from_utf32, uint32_t) X(utfkit_utf8_len_from_latin1, uint8_t) \
  X(utfkit_utf16_len_from_utf32, uint32_t) X(utfkit_utf32_len_from_utf16, uint16_t)               \
  X(utfkit_trim_partial_utf8, uint8_t) X(utfkit_trim_partial_utf16, uint16_t)
COUNTS(COUNT)

static void boundaries(const char *text, size_t len) {
  const uint8_t *src = (const uint8_t *)put(text, len, 1);
  size_t at = 0;
  while (at < len) {
    const size_t next = utfkit_next_boundary(src, len, at);
    CHECK(next > at && next <= len && utfkit_is_boundary(src, len, next));
    CHECK(utfkit_previous_boundary(src, len, next) == at);
    CHECK(utfkit_resynchronize(src, len, at) >= at);
    at = next;
  }
  CHECK(utfkit_next_boundary(src, len, len + 9) <= len && !utfkit_is_boundary(src, len, len + 1));
  CHECK(utfkit_previous_boundary(src, len, SIZE_MAX) <= len && utfkit_resynchronize(src, len, SIZE_MAX) <= len);
  CHECK(utfkit_next_boundary(NULL, 3, 0) == 0 && utfkit_previous_boundary(NULL, 3, 2) == 0);
  CHECK(utfkit_resynchronize(NULL, 3, 2) == 0 && !utfkit_is_boundary(NULL, 3, 0));
}

static void in_place(void) {
  const uint16_t units[] = {0x61, 0xDC00, 0xD83C, 0xDF89, 0xD800};
  uint16_t *place = (uint16_t *)put(units, sizeof units, 1);
  CHECK(utfkit_to_well_formed_utf16(place, 5) == 2 && place[1] == 0xFFFD && place[2] == 0xD83C && place[4] == 0xFFFD);
  CHECK(utfkit_swap_utf16_bytes(place, 5) == 5 && place[0] == 0x6100);
  CHECK(utfkit_to_well_formed_utf16(NULL, 5) == 0 && utfkit_swap_utf16_bytes(NULL, 5) == 0);
}

static void encodings(const char *text, size_t len) {
  const utfkit_encoding some[] = {UTFKIT_UTF8, UTFKIT_UTF16LE, UTFKIT_UTF16BE, UTFKIT_UTF16, UTFKIT_UTF32LE,
                                  UTFKIT_UTF32BE, UTFKIT_UTF32, UTFKIT_LATIN1, UTFKIT_ASCII};
  utfkit_encoding found[5];
  size_t i, j, name_len, bom_len;
  for (i = 0; i < utfkit_encoding_count(); i++) {
    const utfkit_encoding one = utfkit_encoding_at(i);
    const char *name = utfkit_encoding_name(one, &name_len);
    CHECK(one != UTFKIT_NONE && name && utfkit_encoding_for_label((const char *)put(name, name_len, 1), name_len) == one);
    CHECK(utfkit_encoding_name(one, NULL) == name && utfkit_encoding_unit_size(one) > 0);
    sane(utfkit_validate(one, (const uint8_t *)put(text, len, 1), len), len, 0);
    for (j = 0; j < sizeof some / sizeof *some; j++) {
      size_t capacity;
      for (capacity = 0; capacity < 24; capacity++) {
        utfkit_result done = utfkit_convert(one, some[j], (const uint8_t *)put(text, len, 1), len, (uint8_t *)space(capacity, 1), capacity);
        sane(done, len, capacity);
        done = utfkit_convert(some[j], one, (const uint8_t *)put(text, len, 0), len, (uint8_t *)space(capacity, 0), capacity);
        sane(done, len, capacity);
      }
    }
  }
  CHECK(utfkit_encoding_at(SIZE_MAX) == UTFKIT_NONE && utfkit_encoding_for_label(NULL, 4) == UTFKIT_NONE);
  CHECK(utfkit_encoding_for_label("\xFF", 1) == UTFKIT_NONE && !utfkit_encoding_name(99, &name_len) && name_len == 0);
  CHECK(utfkit_encoding_unit_size(UTFKIT_NONE) == 0 && utfkit_encoding_unit_size(UINT32_MAX) == 0);
  CHECK(utfkit_validate(99, NULL, 0).status == UTFKIT_INVALID_ARGUMENT);
  CHECK(utfkit_convert(99, 1, NULL, 0, NULL, 0).status == UTFKIT_INVALID_ARGUMENT);
  CHECK(utfkit_bom((const uint8_t *)put("\xEF\xBB\xBFx", 4, 1), 4, &bom_len) == UTFKIT_UTF8 && bom_len == 3);
  CHECK(utfkit_bom((const uint8_t *)put(text, len, 1), len, NULL) == UTFKIT_NONE && utfkit_bom(NULL, 3, &bom_len) == UTFKIT_NONE);
  CHECK(utfkit_detect_encodings((const uint8_t *)put(text, len, 1), len, (utfkit_encoding *)space(4, 1), 1) <= 5);
  CHECK(utfkit_detect_encodings((const uint8_t *)found, sizeof found, found, 5) == 0);
  CHECK(utfkit_detect_encodings(NULL, 0, found, 5) == 5 && utfkit_detect_encodings(NULL, 1, found, 5) == 0);
  CHECK(utfkit_detect((const uint8_t *)put(text, len, 1), len).certainty <= UTFKIT_CERTAIN);
  CHECK(utfkit_detect(NULL, 1).encoding == UTFKIT_NONE);
}

static void transcoder(const char *text, size_t len) {
  utfkit_policy policy;
  CHECK(!utfkit_transcoder_new(0, 1, UTFKIT_STRICT) && !utfkit_transcoder_new(1, 1, 77));
  CHECK(utfkit_transcode(NULL, NULL, 0, NULL, 0, true).status == UTFKIT_INVALID_ARGUMENT);
  CHECK(!utfkit_transcoder_had_errors(NULL));
  utfkit_transcoder_reset(NULL);
  utfkit_transcoder_free(NULL);
  for (policy = UTFKIT_STRICT; policy <= UTFKIT_ESCAPE; policy++) {
    size_t piece, capacity;
    utfkit_transcoder *one = utfkit_transcoder_new(UTFKIT_UTF8, UTFKIT_UTF16BE, policy);
    for (piece = 1; piece < 5; piece++) {
      for (capacity = 1; capacity < 9; capacity++) {
        size_t at = 0, rounds = 0;
        utfkit_result step;
        do {
          const size_t some = len - at < piece ? len - at : piece;
          step = utfkit_transcode(one, (const uint8_t *)put(text + at, some, 1), some, (uint8_t *)space(capacity, 1), capacity, at + some == len);
          CHECK(step.status != UTFKIT_INVALID_ARGUMENT && step.read <= some && step.written <= capacity);
          at += step.read;
          CHECK(++rounds < 10000);
        } while (at < len || step.status != UTFKIT_OK);
        (void)utfkit_transcoder_had_errors(one);
        utfkit_transcoder_reset(one);
      }
    }
    CHECK(utfkit_transcode(one, NULL, 1, NULL, 0, true).status == UTFKIT_INVALID_ARGUMENT);
    utfkit_transcoder_free(one);
  }
}

static void count_finding(void *context, const utfkit_finding *finding) {
  CHECK(finding->line == 1 && finding->length > 0 && strlen(finding->message) > 10);
  CHECK(strcmp(utfkit_kind_name((uint32_t)finding->kind), "none") != 0);
  ++*(size_t *)context;
}

static void checker(const char *text, size_t len) {
  size_t whole = 0, pieces = 0, i;
  utfkit_checker *one = utfkit_checker_new(UTFKIT_UTF8);
  const uint64_t count = utfkit_check(UTFKIT_UTF8, (const uint8_t *)put(text, len, 1), len, count_finding, &whole);
  CHECK(count == whole && (count == 0) == (utfkit_validate_utf8((const uint8_t *)text, len).status == UTFKIT_OK));
  for (i = 0; i < len; i++) utfkit_checker_feed(one, (const uint8_t *)put(text + i, 1, 1), 1, i + 1 == len, count_finding, &pieces);
  CHECK(pieces == whole);
  CHECK(utfkit_checker_feed(NULL, NULL, 0, true, NULL, NULL) == 0 && utfkit_checker_feed(one, NULL, 1, true, NULL, NULL) == 0);
  utfkit_checker_free(one);
  utfkit_checker_free(NULL);
  CHECK(!utfkit_checker_new(99) && utfkit_check(99, NULL, 0, NULL, NULL) == 0 && utfkit_check(1, NULL, 5, NULL, NULL) == 0);
  CHECK(utfkit_check(UTFKIT_UTF8, (const uint8_t *)text, len, NULL, NULL) == count);
}

static void repair(const char *text, size_t len) {
  const uint8_t *src = (const uint8_t *)put(text, len, 1);
  const utfkit_result none = utfkit_repair(src, len, NULL, 0, UTFKIT_LATIN1, UTFKIT_UNDOUBLE | UTFKIT_REINTERPRET);
  const size_t need = none.status == UTFKIT_OK ? 0 : none.length;
  uint8_t *dst = (uint8_t *)space(need, 1);
  const utfkit_result done = utfkit_repair(src, len, dst, need, UTFKIT_LATIN1, UTFKIT_UNDOUBLE | UTFKIT_REINTERPRET);
  CHECK(done.status == UTFKIT_OK && done.written == need && utfkit_validate_utf8(dst, need).status == UTFKIT_OK);
  CHECK(utfkit_repair(src, len, NULL, 0, UTFKIT_UTF16LE, 0).status == UTFKIT_INVALID_ARGUMENT);
  CHECK(utfkit_repair(src, len, NULL, 0, UTFKIT_NONE, 4).status == UTFKIT_INVALID_ARGUMENT);
  CHECK(utfkit_repair(NULL, 1, NULL, 0, UTFKIT_NONE, 0).status == UTFKIT_INVALID_ARGUMENT);
}

int main(void) {
  size_t i;
  source_memory = guarded();
  target_memory = guarded();
  for (i = 0; i < TEXTS; i++) {
    const char *text = texts[i];
    const size_t len = strlen(text);
#define TRY(function, ...) try_##function(text, len);
    CONVERSIONS(TRY) VALIDATIONS(TRY) COUNTS(TRY)
    boundaries(text, len);
    transcoder(text, len);
    checker(text, len);
    repair(text, len);
    encodings(text, len);
  }
  in_place();
  CHECK(strcmp(utfkit_kind_name(UTFKIT_TOO_LARGE), "too-large") == 0 && strcmp(utfkit_kind_name(9999), "other") == 0);
  CHECK(strlen(utfkit_version()) >= 5);
  printf("%s: %zu checks\n", utfkit_version(), calls);
  return 0;
}
