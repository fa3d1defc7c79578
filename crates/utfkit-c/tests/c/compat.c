/* Calls every function of simdutf_compat.h: conversions round-trip, and errors are those of simdutf. */
#include "simdutf_compat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_that(int holds, const char *what, int line) {
  if (!holds) {
    fprintf(stderr, "line %d: %s\n", line, what);
    exit(1);
  }
}
#define CHECK(what) check_that((what), #what, __LINE__)

static const char text[] = "na\xC3\xAFve, \xE2\x82\xAC 5 \xF0\x9F\x8E\x89";
#define LEN (sizeof text - 1)

/* UTF-8 to FORM and back, by each of the three functions. */
#define ROUND(form, type, from)                                                             \
  {                                                                                         \
    type units[64];                                                                         \
    char back[64];                                                                          \
    const size_t len = from##_len;                                                          \
    const size_t n = simdutf_convert_utf8_to_##form(from, len, units);                      \
    simdutf_result r = simdutf_convert_utf8_to_##form##_with_errors(from, len, units);      \
    CHECK(n > 0 && r.error == SIMDUTF_ERROR_SUCCESS && r.count == n);                       \
    CHECK(simdutf_convert_valid_utf8_to_##form(from, len, units) == n);                     \
    CHECK(simdutf_convert_##form##_to_utf8(units, n, back) == len && !memcmp(back, from, len)); \
    CHECK(simdutf_convert_valid_##form##_to_utf8(units, n, back) == len);                   \
  }
/* FORM to UTF-8 with errors. */
#define BACK(form, type)                                                                    \
  {                                                                                         \
    type units[64];                                                                         \
    char back[64];                                                                          \
    const size_t n = simdutf_convert_utf8_to_##form(text, LEN, units);                      \
    const simdutf_result r = simdutf_convert_##form##_to_utf8_with_errors(units, n, back);  \
    CHECK(r.error == SIMDUTF_ERROR_SUCCESS && r.count == LEN && !memcmp(back, text, LEN));  \
  }

/* A to B, compared with UTF-8 to B. */
#define BETWEEN(a, A, b, B, from)                                                           \
  {                                                                                         \
    A first[64];                                                                            \
    B second[64], expected[64];                                                             \
    const size_t n = simdutf_convert_utf8_to_##a(from, from##_len, first);                  \
    const size_t m = simdutf_convert_utf8_to_##b(from, from##_len, expected);               \
    const simdutf_result r = simdutf_convert_##a##_to_##b##_with_errors(first, n, second);  \
    CHECK(r.error == SIMDUTF_ERROR_SUCCESS && r.count == m && !memcmp(second, expected, m * sizeof(B))); \
    CHECK(simdutf_convert_##a##_to_##b(first, n, second) == m);                             \
    CHECK(simdutf_convert_valid_##a##_to_##b(first, n, second) == m);                       \
  }

#define REPORTS(src, code, at)                                                              \
  {                                                                                         \
    const simdutf_result r = simdutf_validate_utf8_with_errors(src, sizeof src - 1);        \
    CHECK(r.error == code && r.count == at && !simdutf_validate_utf8(src, sizeof src - 1)); \
  }
#define REPORTS_TO_LATIN1(src, code, at)                                                            \
  {                                                                                                 \
    const simdutf_result r = simdutf_convert_utf8_to_latin1_with_errors(src, sizeof src - 1, bytes); \
    CHECK(r.error == code && r.count == at);                                                        \
  }

int main(void) {
  const char *const full = text, *const west = "na\xC3\xAFve";
  const size_t full_len = LEN, west_len = 6;
  char16_t units[64], other[64];
  char32_t values[64];
  char bytes[64];
  size_t i, n;
  simdutf_result r;

  ROUND(utf16, char16_t, full) ROUND(utf16le, char16_t, full) ROUND(utf16be, char16_t, full) ROUND(utf32, char32_t, full)
  ROUND(latin1, char, west)
  BACK(utf16, char16_t) BACK(utf16le, char16_t) BACK(utf16be, char16_t) BACK(utf32, char32_t)
  BETWEEN(utf16, char16_t, utf32, char32_t, full) BETWEEN(utf16le, char16_t, utf32, char32_t, full)
  BETWEEN(utf16be, char16_t, utf32, char32_t, full) BETWEEN(utf32, char32_t, utf16, char16_t, full)
  BETWEEN(utf32, char32_t, utf16le, char16_t, full) BETWEEN(utf32, char32_t, utf16be, char16_t, full)
  BETWEEN(latin1, char, utf16, char16_t, west) BETWEEN(latin1, char, utf16le, char16_t, west)
  BETWEEN(latin1, char, utf16be, char16_t, west) BETWEEN(latin1, char, utf32, char32_t, west)
  BETWEEN(utf16, char16_t, latin1, char, west) BETWEEN(utf16le, char16_t, latin1, char, west)
  BETWEEN(utf16be, char16_t, latin1, char, west) BETWEEN(utf32, char32_t, latin1, char, west)
  CHECK(simdutf_convert_latin1_to_utf8_with_errors("\xE9", 1, bytes).count == 2);

  REPORTS("ab\xFF", SIMDUTF_ERROR_HEADER_BITS, 2)
  REPORTS("\xF8\x88\x80\x80\x80", SIMDUTF_ERROR_HEADER_BITS, 0)
  REPORTS("a\xC3", SIMDUTF_ERROR_TOO_SHORT, 1)
  REPORTS("a\xC0", SIMDUTF_ERROR_TOO_SHORT, 1)
  REPORTS("a\xE2\x82z", SIMDUTF_ERROR_TOO_SHORT, 1)
  REPORTS("abc\x80", SIMDUTF_ERROR_TOO_LONG, 3)
  REPORTS("\xC0\xAF", SIMDUTF_ERROR_OVERLONG, 0)
  REPORTS("\xE0\x80\x80", SIMDUTF_ERROR_OVERLONG, 0)
  REPORTS("\xF4\x90\x80\x80", SIMDUTF_ERROR_TOO_LARGE, 0)
  REPORTS("\xF5\x80\x80\x80", SIMDUTF_ERROR_TOO_LARGE, 0)
  REPORTS("\xED\xA0\x80", SIMDUTF_ERROR_SURROGATE, 0)
  REPORTS_TO_LATIN1("ab\xE2\x82\xAC", SIMDUTF_ERROR_TOO_LARGE, 2)
  REPORTS_TO_LATIN1("ab\xE2\x82", SIMDUTF_ERROR_TOO_LARGE, 2)
  REPORTS_TO_LATIN1("\xED\xA0\x80", SIMDUTF_ERROR_TOO_LARGE, 0)
  REPORTS_TO_LATIN1("a\xF4\xB0", SIMDUTF_ERROR_TOO_LARGE, 1)
  REPORTS_TO_LATIN1("\xC4\x80", SIMDUTF_ERROR_TOO_LARGE, 0)
  REPORTS_TO_LATIN1("\xC4z", SIMDUTF_ERROR_TOO_SHORT, 0)
  REPORTS_TO_LATIN1("\xC0\x80", SIMDUTF_ERROR_OVERLONG, 0)
  REPORTS_TO_LATIN1("\xE9\xF8", SIMDUTF_ERROR_TOO_LARGE, 0)
  REPORTS_TO_LATIN1("\xF8\x88", SIMDUTF_ERROR_HEADER_BITS, 0)
  REPORTS_TO_LATIN1("a\xA9", SIMDUTF_ERROR_TOO_LONG, 1)
  CHECK(simdutf_convert_utf8_to_latin1("\xE2\x82\xAC", 3, bytes) == 0);

  CHECK(simdutf_validate_ascii("abc", 3) && !simdutf_validate_ascii("ab\x80", 3));
  r = simdutf_validate_ascii_with_errors("ab\x80", 3);
  CHECK(r.error == SIMDUTF_ERROR_TOO_LARGE && r.count == 2);
  for (i = 0; i < 4; i++) units[i] = (char16_t)(0x61 + i);
  CHECK(simdutf_validate_utf16_as_ascii(units, 4));
  units[3] = 0xD800;
  CHECK(!simdutf_validate_utf16_as_ascii(units, 4) && !simdutf_validate_utf16(units, 4));
  r = simdutf_validate_utf16_with_errors(units, 4);
  CHECK(r.error == SIMDUTF_ERROR_SURROGATE && r.count == 3);
  for (n = 0; n < 2; n++) {
    /* Little-endian, then big-endian. */
    const char *const some = n ? "\0a\0b\xD8\0" : "a\0b\0\0\xD8";
    memcpy(units, some, 6);
    CHECK((n ? simdutf_validate_utf16be : simdutf_validate_utf16le)(units, 2) && !(n ? simdutf_validate_utf16be : simdutf_validate_utf16le)(units, 3));
    CHECK((n ? simdutf_validate_utf16be_as_ascii : simdutf_validate_utf16le_as_ascii)(units, 2));
    CHECK(!(n ? simdutf_validate_utf16be_as_ascii : simdutf_validate_utf16le_as_ascii)(units, 3));
    r = (n ? simdutf_validate_utf16be_with_errors : simdutf_validate_utf16le_with_errors)(units, 3);
    CHECK(r.error == SIMDUTF_ERROR_SURROGATE && r.count == 2);
    r = (n ? simdutf_utf8_length_from_utf16be_with_replacement : simdutf_utf8_length_from_utf16le_with_replacement)(units, 3);
    CHECK(r.error == SIMDUTF_ERROR_SURROGATE && r.count == 5);
    (n ? simdutf_to_well_formed_utf16be : simdutf_to_well_formed_utf16le)(units, 3, other);
    CHECK(!memcmp(other, n ? "\0a\0b\xFF\xFD" : "a\0b\0\xFD\xFF", 6));
  }
  units[0] = 0x61, units[1] = 0xDC00;
  simdutf_to_well_formed_utf16(units, 2, other);
  CHECK(other[0] == 0x61 && other[1] == 0xFFFD);
  r = simdutf_utf8_length_from_utf16_with_replacement(units, 1);
  CHECK(r.error == SIMDUTF_ERROR_SUCCESS && r.count == 1);
  values[0] = 0x61, values[1] = 0xD800, values[2] = 0x110000;
  r = simdutf_validate_utf32_with_errors(values, 2);
  CHECK(r.error == SIMDUTF_ERROR_SURROGATE && r.count == 1 && simdutf_validate_utf32(values, 1) && !simdutf_validate_utf32(values, 2));
  r = simdutf_convert_utf32_to_latin1_with_errors(values, 2, bytes);
  CHECK(r.error == SIMDUTF_ERROR_TOO_LARGE && r.count == 1);
  r = simdutf_convert_utf16_to_latin1_with_errors(units, 2, bytes);
  CHECK(r.error == SIMDUTF_ERROR_TOO_LARGE && r.count == 1);
  r = simdutf_validate_utf32_with_errors(values + 2, 1);
  CHECK(r.error == SIMDUTF_ERROR_TOO_LARGE && r.count == 0);

  CHECK(simdutf_detect_encodings("cafe", 4) == (SIMDUTF_ENCODING_UTF8 | SIMDUTF_ENCODING_UTF16_LE));
  CHECK(simdutf_autodetect_encoding("\xFE\xFF\0a", 4) == SIMDUTF_ENCODING_UTF16_BE);
  CHECK(simdutf_autodetect_encoding("\xFF", 1) == SIMDUTF_ENCODING_UNSPECIFIED);

  CHECK(simdutf_count_utf8(text, LEN) == 12 && simdutf_utf32_length_from_utf8(text, LEN) == 12 && simdutf_latin1_length_from_utf8(west, 6) == 5);
  n = simdutf_convert_utf8_to_utf16(text, LEN, units);
  CHECK(n == 13 && simdutf_utf16_length_from_utf8(text, LEN) == n && simdutf_count_utf16(units, n) == 12 && simdutf_utf32_length_from_utf16(units, n) == 12);
  CHECK(simdutf_utf8_length_from_utf16(units, n) == LEN);
  (void)simdutf_convert_utf8_to_utf16le(text, LEN, units);
  CHECK(simdutf_count_utf16le(units, n) == 12 && simdutf_utf8_length_from_utf16le(units, n) == LEN);
  (void)simdutf_convert_utf8_to_utf16be(text, LEN, units);
  CHECK(simdutf_count_utf16be(units, n) == 12 && simdutf_utf8_length_from_utf16be(units, n) == LEN);
  (void)simdutf_convert_utf8_to_utf32(text, LEN, values);
  CHECK(simdutf_utf8_length_from_utf32(values, 12) == LEN && simdutf_utf16_length_from_utf32(values, 12) == n);
  CHECK(simdutf_utf8_length_from_latin1("\xE9!", 2) == 3 && simdutf_latin1_length_from_utf16(7) == 7 && simdutf_latin1_length_from_utf32(7) == 7);
  CHECK(simdutf_convert_latin1_to_utf8_safe("a\xE9", 2, bytes, 2) == 1);
  (void)simdutf_convert_utf8_to_utf16(text, LEN, units);
  CHECK(simdutf_convert_utf16_to_utf8_safe(units, n, bytes, 3) == 2);
  return 0;
}
