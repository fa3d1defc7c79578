/* simdutf's C names over utfkit, for a program written for simdutf_c.h:
 *
 *     #include "simdutf_compat.h"     // instead of "simdutf_c.h"
 *
 * and -lutfkit instead of -lsimdutf. C11 and C++17. MIT or Apache-2.0.
 *
 * Results, error codes, positions and counts are those of simdutf 9.1.0, and so is the rule that a
 * destination without a length has space for the whole result. Three things differ. Nothing is
 * written after that length. The functions for "valid" input check it, and return 0 if it is
 * ill-formed. Counts and lengths of ill-formed UTF-16, which simdutf leaves open, may be others.
 *
 * Not here: base64, find, and conversion with replacement. */
#ifndef UTFKIT_SIMDUTF_COMPAT_H
#define UTFKIT_SIMDUTF_COMPAT_H

#include "utfkit.h"

#ifndef __cplusplus
#include <uchar.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum simdutf_error_code {
  SIMDUTF_ERROR_SUCCESS = 0,
  SIMDUTF_ERROR_HEADER_BITS,
  SIMDUTF_ERROR_TOO_SHORT,
  SIMDUTF_ERROR_TOO_LONG,
  SIMDUTF_ERROR_OVERLONG,
  SIMDUTF_ERROR_TOO_LARGE,
  SIMDUTF_ERROR_SURROGATE,
  SIMDUTF_ERROR_INVALID_BASE64_CHARACTER,
  SIMDUTF_ERROR_BASE64_INPUT_REMAINDER,
  SIMDUTF_ERROR_BASE64_EXTRA_BITS,
  SIMDUTF_ERROR_OUTPUT_BUFFER_TOO_SMALL,
  SIMDUTF_ERROR_OTHER
} simdutf_error_code;

typedef struct simdutf_result {
  simdutf_error_code error;
  size_t count; /* the position of the error, or the units validated or written */
} simdutf_result;

typedef enum simdutf_encoding_type {
  SIMDUTF_ENCODING_UNSPECIFIED = 0,
  SIMDUTF_ENCODING_UTF8 = 1,
  SIMDUTF_ENCODING_UTF16_LE = 2,
  SIMDUTF_ENCODING_UTF16_BE = 4,
  SIMDUTF_ENCODING_UTF32_LE = 8,
  SIMDUTF_ENCODING_UTF32_BE = 16
} simdutf_encoding_type;

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define UTFKIT_COMPAT_UTF16 UTFKIT_UTF16BE
#define UTFKIT_COMPAT_UTF32 UTFKIT_UTF32BE
#else
#define UTFKIT_COMPAT_UTF16 UTFKIT_UTF16LE
#define UTFKIT_COMPAT_UTF32 UTFKIT_UTF32LE
#endif

/* simdutf classifies ill-formed UTF-8 by the lead byte, then by the continuation bytes, then by the value. */
static inline simdutf_error_code utfkit_compat_utf8_error(const uint8_t *src, size_t len, size_t at) {
  const uint8_t lead = src[at];
  uint32_t value, least;
  size_t i, more;
  if ((lead & 0xC0) == 0x80) return SIMDUTF_ERROR_TOO_LONG;
  if ((lead & 0xE0) == 0xC0) {
    more = 1, value = lead & 0x1Fu, least = 0x80;
  } else if ((lead & 0xF0) == 0xE0) {
    more = 2, value = lead & 0xFu, least = 0x800;
  } else if ((lead & 0xF8) == 0xF0) {
    more = 3, value = lead & 7u, least = 0x10000;
  } else {
    return SIMDUTF_ERROR_HEADER_BITS;
  }
  for (i = 1; i <= more; i++) {
    if (at + i >= len || (src[at + i] & 0xC0) != 0x80) return SIMDUTF_ERROR_TOO_SHORT;
    value = value << 6 | (src[at + i] & 0x3Fu);
  }
  if (value < least) return SIMDUTF_ERROR_OVERLONG;
  if (value > 0x10FFFF) return SIMDUTF_ERROR_TOO_LARGE;
  return value - 0xD800 < 0x800 ? SIMDUTF_ERROR_SURROGATE : SIMDUTF_ERROR_OTHER;
}

/* `src` has `len` bytes. Validation is a conversion to UTFKIT_NONE. */
static inline simdutf_error_code utfkit_compat_error(utfkit_result done, utfkit_encoding from, utfkit_encoding to,
                                                     const void *src, size_t len) {
  switch (done.status) {
  case UTFKIT_OK: return SIMDUTF_ERROR_SUCCESS;
  case UTFKIT_NO_SPACE: return SIMDUTF_ERROR_OUTPUT_BUFFER_TOO_SMALL;
  case UTFKIT_ILL_FORMED: break;
  default: return SIMDUTF_ERROR_OTHER;
  }
  if (from == UTFKIT_UTF8) {
    const uint8_t lead = ((const uint8_t *)src)[done.offset];
    /* The lead byte of three or four bytes is enough for ISO-8859-1. */
    if (to == UTFKIT_LATIN1 && lead >= 0xE0 && lead < 0xF8) return SIMDUTF_ERROR_TOO_LARGE;
    return done.kind == UTFKIT_UNREPRESENTABLE ? SIMDUTF_ERROR_TOO_LARGE
                                               : utfkit_compat_utf8_error((const uint8_t *)src, len, done.offset);
  }
  /* To ISO-8859-1, a surrogate is a value like any other. */
  if (from == UTFKIT_ASCII || to == UTFKIT_LATIN1 || done.kind == UTFKIT_TOO_LARGE) return SIMDUTF_ERROR_TOO_LARGE;
  return SIMDUTF_ERROR_SURROGATE;
}

/* Validation. */

#define UTFKIT_COMPAT_VALIDATION(form, S, ENCODING)                                                             \
  static inline simdutf_result simdutf_validate_##form##_with_errors(const S *buf, size_t len) {                \
    const utfkit_result done = utfkit_validate(ENCODING, (const uint8_t *)buf, sizeof(S) * len);                \
    const simdutf_result result = {utfkit_compat_error(done, ENCODING, UTFKIT_NONE, buf, sizeof(S) * len),      \
                                   done.offset / sizeof(S)};                                                    \
    return result;                                                                                              \
  }                                                                                                             \
  static inline bool simdutf_validate_##form(const S *buf, size_t len) {                                        \
    return utfkit_validate(ENCODING, (const uint8_t *)buf, sizeof(S) * len).status == UTFKIT_OK;                \
  }

UTFKIT_COMPAT_VALIDATION(utf8, char, UTFKIT_UTF8)
UTFKIT_COMPAT_VALIDATION(ascii, char, UTFKIT_ASCII)
UTFKIT_COMPAT_VALIDATION(utf16, char16_t, UTFKIT_COMPAT_UTF16)
UTFKIT_COMPAT_VALIDATION(utf16le, char16_t, UTFKIT_UTF16LE)
UTFKIT_COMPAT_VALIDATION(utf16be, char16_t, UTFKIT_UTF16BE)
UTFKIT_COMPAT_VALIDATION(utf32, char32_t, UTFKIT_COMPAT_UTF32)

/* Detection. Without a BOM, simdutf considers little-endian order alone. */

static inline int simdutf_detect_encodings(const char *input, size_t length) {
  utfkit_encoding found[5];
  size_t bom, i, count = utfkit_detect_encodings((const uint8_t *)input, length, found, 5);
  int all = 0;
  (void)utfkit_bom((const uint8_t *)input, length, &bom);
  for (i = 0; i < count; i++) {
    switch (found[i]) {
    case UTFKIT_UTF8: all |= SIMDUTF_ENCODING_UTF8; break;
    case UTFKIT_UTF16LE: all |= SIMDUTF_ENCODING_UTF16_LE; break;
    case UTFKIT_UTF32LE: all |= SIMDUTF_ENCODING_UTF32_LE; break;
    case UTFKIT_UTF16BE: all |= bom ? SIMDUTF_ENCODING_UTF16_BE : 0; break;
    case UTFKIT_UTF32BE: all |= bom ? SIMDUTF_ENCODING_UTF32_BE : 0; break;
    default: break;
    }
  }
  return all;
}
static inline simdutf_encoding_type simdutf_autodetect_encoding(const char *input, size_t length) {
  const int all = simdutf_detect_encodings(input, length);
  return (simdutf_encoding_type)(all & -all);
}

/* Counts and lengths. */

#define UTFKIT_COMPAT_COUNT(name, S, U, function)                          \
  static inline size_t simdutf_##name(const S *input, size_t length) {     \
    return function((const U *)input, length);                             \
  }

UTFKIT_COMPAT_COUNT(count_utf8, char, uint8_t, utfkit_count_code_points)
UTFKIT_COMPAT_COUNT(latin1_length_from_utf8, char, uint8_t, utfkit_count_code_points)
UTFKIT_COMPAT_COUNT(utf32_length_from_utf8, char, uint8_t, utfkit_count_code_points)
UTFKIT_COMPAT_COUNT(utf16_length_from_utf8, char, uint8_t, utfkit_utf16_len_from_utf8)
UTFKIT_COMPAT_COUNT(utf8_length_from_latin1, char, uint8_t, utfkit_utf8_len_from_latin1)
UTFKIT_COMPAT_COUNT(utf8_length_from_utf32, char32_t, uint32_t, utfkit_utf8_len_from_utf32)
UTFKIT_COMPAT_COUNT(utf16_length_from_utf32, char32_t, uint32_t, utfkit_utf16_len_from_utf32)
UTFKIT_COMPAT_COUNT(utf32_length_from_utf16, char16_t, uint16_t, utfkit_utf32_len_from_utf16)

static inline size_t simdutf_latin1_length_from_utf16(size_t length) { return length; }
static inline size_t simdutf_latin1_length_from_utf32(size_t length) { return length; }

/* UTF-16 in any byte order. */

static inline size_t utfkit_compat_counted(size_t (*count)(const uint16_t *, size_t), utfkit_encoding order,
                                           const char16_t *src, size_t len) {
  uint16_t units[512];
  size_t sum = 0, at = 0;
  if (order == UTFKIT_COMPAT_UTF16) return count((const uint16_t *)src, len);
  while (at < len) {
    size_t i, some = len - at < 512 ? len - at : 512;
    for (i = 0; i < some; i++) units[i] = src[at + i];
    utfkit_swap_utf16_bytes(units, some);
    /* A surrogate pair is counted in one piece. */
    if (at + some < len && some > 1) some = utfkit_trim_partial_utf16(units, some);
    sum += count(units, some);
    at += some;
  }
  return sum;
}
static inline bool utfkit_compat_is_ascii(const uint8_t *bytes, size_t len, size_t high) {
  uint8_t any = 0;
  size_t i;
  for (i = 0; i < len; i++) any |= (uint8_t)(bytes[2 * i + high] | (bytes[2 * i + 1 - high] & 0x80));
  return any == 0;
}
static inline bool utfkit_compat_has_surrogates(const uint8_t *bytes, size_t len, size_t high) {
  size_t i;
  for (i = 0; i < len; i++) {
    if ((bytes[2 * i + high] & 0xF8) == 0xD8) return true;
  }
  return false;
}

#define UTFKIT_COMPAT_ORDER(form, ORDER)                                                                        \
  static inline bool simdutf_validate_##form##_as_ascii(const char16_t *buf, size_t len) {                      \
    return utfkit_compat_is_ascii((const uint8_t *)buf, len, ORDER == UTFKIT_UTF16LE);                          \
  }                                                                                                             \
  static inline size_t simdutf_count_##form(const char16_t *input, size_t length) {                             \
    return utfkit_compat_counted(utfkit_count_utf16, ORDER, input, length);                                     \
  }                                                                                                             \
  static inline size_t simdutf_utf8_length_from_##form(const char16_t *input, size_t length) {                  \
    return utfkit_compat_counted(utfkit_utf8_len_from_utf16, ORDER, input, length);                             \
  }                                                                                                             \
  static inline simdutf_result simdutf_utf8_length_from_##form##_with_replacement(const char16_t *input, size_t length) { \
    const bool any = utfkit_compat_has_surrogates((const uint8_t *)input, length, ORDER == UTFKIT_UTF16LE);     \
    const simdutf_result result = {any ? SIMDUTF_ERROR_SURROGATE : SIMDUTF_ERROR_SUCCESS,                       \
                                   simdutf_utf8_length_from_##form(input, length)};                             \
    return result;                                                                                              \
  }                                                                                                             \
  static inline void simdutf_to_well_formed_##form(const char16_t *input, size_t len, char16_t *output) {       \
    size_t i;                                                                                                   \
    for (i = 0; i < len; i++) output[i] = input[i];                                                             \
    if (ORDER != UTFKIT_COMPAT_UTF16) utfkit_swap_utf16_bytes((uint16_t *)output, len);                         \
    utfkit_to_well_formed_utf16((uint16_t *)output, len);                                                       \
    if (ORDER != UTFKIT_COMPAT_UTF16) utfkit_swap_utf16_bytes((uint16_t *)output, len);                         \
  }

UTFKIT_COMPAT_ORDER(utf16, UTFKIT_COMPAT_UTF16)
UTFKIT_COMPAT_ORDER(utf16le, UTFKIT_UTF16LE)
UTFKIT_COMPAT_ORDER(utf16be, UTFKIT_UTF16BE)

/* Conversion. */

#define UTFKIT_COMPAT_CONVERSION(from, S, FROM, to, T, TO, capacity)                                            \
  static inline simdutf_result simdutf_convert_##from##_to_##to##_with_errors(const S *input, size_t length, T *output) { \
    const utfkit_result done = utfkit_convert(FROM, TO, (const uint8_t *)input, sizeof(S) * length,             \
                                              (uint8_t *)output, sizeof(T) * (capacity));                       \
    const bool is_ok = done.status == UTFKIT_OK;                                                                \
    const simdutf_result result = {utfkit_compat_error(done, FROM, TO, input, sizeof(S) * length),              \
                                   is_ok ? done.written / sizeof(T) : done.offset / sizeof(S)};                 \
    return result;                                                                                              \
  }                                                                                                             \
  static inline size_t simdutf_convert_##from##_to_##to(const S *input, size_t length, T *output) {             \
    const simdutf_result result = simdutf_convert_##from##_to_##to##_with_errors(input, length, output);        \
    return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;                                            \
  }                                                                                                             \
  static inline size_t simdutf_convert_valid_##from##_to_##to(const S *input, size_t length, T *output) {       \
    return simdutf_convert_##from##_to_##to(input, length, output);                                             \
  }

/* A form of UTF-16 from and to every other form. */
#define UTFKIT_COMPAT_UTF16_CONVERSIONS(form, ORDER)                                                            \
  UTFKIT_COMPAT_CONVERSION(latin1, char, UTFKIT_LATIN1, form, char16_t, ORDER, length)                          \
  UTFKIT_COMPAT_CONVERSION(utf8, char, UTFKIT_UTF8, form, char16_t, ORDER, simdutf_utf16_length_from_utf8(input, length)) \
  UTFKIT_COMPAT_CONVERSION(utf32, char32_t, UTFKIT_COMPAT_UTF32, form, char16_t, ORDER, simdutf_utf16_length_from_utf32(input, length)) \
  UTFKIT_COMPAT_CONVERSION(form, char16_t, ORDER, latin1, char, UTFKIT_LATIN1, length)                          \
  UTFKIT_COMPAT_CONVERSION(form, char16_t, ORDER, utf8, char, UTFKIT_UTF8, simdutf_utf8_length_from_##form(input, length)) \
  UTFKIT_COMPAT_CONVERSION(form, char16_t, ORDER, utf32, char32_t, UTFKIT_COMPAT_UTF32, simdutf_count_##form(input, length))

UTFKIT_COMPAT_UTF16_CONVERSIONS(utf16, UTFKIT_COMPAT_UTF16)
UTFKIT_COMPAT_UTF16_CONVERSIONS(utf16le, UTFKIT_UTF16LE)
UTFKIT_COMPAT_UTF16_CONVERSIONS(utf16be, UTFKIT_UTF16BE)
UTFKIT_COMPAT_CONVERSION(latin1, char, UTFKIT_LATIN1, utf8, char, UTFKIT_UTF8, simdutf_utf8_length_from_latin1(input, length))
UTFKIT_COMPAT_CONVERSION(latin1, char, UTFKIT_LATIN1, utf32, char32_t, UTFKIT_COMPAT_UTF32, length)
UTFKIT_COMPAT_CONVERSION(utf8, char, UTFKIT_UTF8, latin1, char, UTFKIT_LATIN1, simdutf_count_utf8(input, length))
UTFKIT_COMPAT_CONVERSION(utf8, char, UTFKIT_UTF8, utf32, char32_t, UTFKIT_COMPAT_UTF32, simdutf_count_utf8(input, length))
UTFKIT_COMPAT_CONVERSION(utf32, char32_t, UTFKIT_COMPAT_UTF32, latin1, char, UTFKIT_LATIN1, length)
UTFKIT_COMPAT_CONVERSION(utf32, char32_t, UTFKIT_COMPAT_UTF32, utf8, char, UTFKIT_UTF8, simdutf_utf8_length_from_utf32(input, length))

/* As many whole characters as fit. */
static inline size_t simdutf_convert_latin1_to_utf8_safe(const char *input, size_t length, char *output, size_t utf8_len) {
  return utfkit_latin1_to_utf8((const uint8_t *)input, length, (uint8_t *)output, utf8_len).written;
}
static inline size_t simdutf_convert_utf16_to_utf8_safe(const char16_t *input, size_t length, char *output, size_t utf8_len) {
  return utfkit_utf16_to_utf8((const uint16_t *)input, length, (uint8_t *)output, utf8_len).written;
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* UTFKIT_SIMDUTF_COMPAT_H */
