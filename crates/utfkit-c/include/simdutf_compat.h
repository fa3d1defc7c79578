/* simdutf's C names over utfkit, for a program that was written for simdutf_c.h:
 *
 *     #include "simdutf_compat.h"     // instead of "simdutf_c.h"
 *
 * and -lutfkit instead of -lsimdutf. C11 and C++17. MIT or Apache-2.0.
 *
 * Results, error codes, positions and counts mean what they mean in simdutf.
 * As there, a destination without a length has to have space for the whole
 * result: as many units as the function for that length returns. Two
 * things differ. Nothing is written after that length. And the functions
 * for "valid" input check it too: for what is ill-formed they return 0 instead
 * of anything.
 *
 * Not here: base64 and find, which are not about encodings. */
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
  size_t count; /* where the error is, or the number of units validated or written */
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

/* Of UTF-8 simdutf tells what is wrong by the header bits first, then by the
 * continuation bytes, then by the value. */
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

/* What a call did, in simdutf's words; `size` is the bytes of a unit of the source where
 * the call counted bytes, and `made` those of the destination. */
static inline simdutf_result utfkit_compat_result(utfkit_result done, utfkit_encoding from, const void *src,
                                                  size_t len, size_t size, size_t made, bool writes) {
  simdutf_result result = {SIMDUTF_ERROR_SUCCESS, 0};
  switch (done.status) {
  case UTFKIT_OK:
    result.count = writes ? done.written / made : done.read / size;
    return result;
  case UTFKIT_NO_SPACE:
    result.error = SIMDUTF_ERROR_OUTPUT_BUFFER_TOO_SMALL;
    break;
  case UTFKIT_INVALID_ARGUMENT:
    result.error = SIMDUTF_ERROR_OTHER;
    break;
  case UTFKIT_ILL_FORMED:
    if (done.kind == UTFKIT_UNREPRESENTABLE || from == UTFKIT_ASCII || done.kind == UTFKIT_TOO_LARGE) {
      result.error = SIMDUTF_ERROR_TOO_LARGE;
    } else {
      result.error = SIMDUTF_ERROR_SURROGATE;
    }
    if (from == UTFKIT_UTF8 && done.kind != UTFKIT_UNREPRESENTABLE) {
      result.error = utfkit_compat_utf8_error((const uint8_t *)src, len, done.offset);
    }
    break;
  }
  result.count = done.offset / size;
  return result;
}

/* Counts in the other byte order, by way of the stack. */
static inline size_t utfkit_compat_swapped(size_t (*count)(const uint16_t *, size_t), const uint16_t *src, size_t len) {
  uint16_t units[512];
  size_t sum = 0, at = 0;
  while (at < len) {
    size_t i, some = len - at < 512 ? len - at : 512;
    for (i = 0; i < some; i++) units[i] = src[at + i];
    utfkit_swap_utf16_bytes(units, some);
    /* A pair is counted as one. */
    if (at + some < len && some > 1) some = utfkit_trim_partial_utf16(units, some);
    sum += count(units, some);
    at += some;
  }
  return sum;
}

/* Validation. */

static inline simdutf_result simdutf_validate_utf8_with_errors(const char *buf, size_t len) {
  return utfkit_compat_result(utfkit_validate(UTFKIT_UTF8, (const uint8_t *)buf, 1 * len), UTFKIT_UTF8, buf, len, 1, 1, false);
}
static inline bool simdutf_validate_utf8(const char *buf, size_t len) {
  return utfkit_validate(UTFKIT_UTF8, (const uint8_t *)buf, 1 * len).status == UTFKIT_OK;
}

static inline simdutf_result simdutf_validate_ascii_with_errors(const char *buf, size_t len) {
  return utfkit_compat_result(utfkit_validate(UTFKIT_ASCII, (const uint8_t *)buf, 1 * len), UTFKIT_ASCII, buf, len, 1, 1, false);
}
static inline bool simdutf_validate_ascii(const char *buf, size_t len) {
  return utfkit_validate(UTFKIT_ASCII, (const uint8_t *)buf, 1 * len).status == UTFKIT_OK;
}

static inline simdutf_result simdutf_validate_utf16_with_errors(const char16_t *buf, size_t len) {
  return utfkit_compat_result(utfkit_validate(UTFKIT_COMPAT_UTF16, (const uint8_t *)buf, 2 * len), UTFKIT_COMPAT_UTF16, buf, len, 2, 1, false);
}
static inline bool simdutf_validate_utf16(const char16_t *buf, size_t len) {
  return utfkit_validate(UTFKIT_COMPAT_UTF16, (const uint8_t *)buf, 2 * len).status == UTFKIT_OK;
}

static inline simdutf_result simdutf_validate_utf16le_with_errors(const char16_t *buf, size_t len) {
  return utfkit_compat_result(utfkit_validate(UTFKIT_UTF16LE, (const uint8_t *)buf, 2 * len), UTFKIT_UTF16LE, buf, len, 2, 1, false);
}
static inline bool simdutf_validate_utf16le(const char16_t *buf, size_t len) {
  return utfkit_validate(UTFKIT_UTF16LE, (const uint8_t *)buf, 2 * len).status == UTFKIT_OK;
}

static inline simdutf_result simdutf_validate_utf16be_with_errors(const char16_t *buf, size_t len) {
  return utfkit_compat_result(utfkit_validate(UTFKIT_UTF16BE, (const uint8_t *)buf, 2 * len), UTFKIT_UTF16BE, buf, len, 2, 1, false);
}
static inline bool simdutf_validate_utf16be(const char16_t *buf, size_t len) {
  return utfkit_validate(UTFKIT_UTF16BE, (const uint8_t *)buf, 2 * len).status == UTFKIT_OK;
}

static inline simdutf_result simdutf_validate_utf32_with_errors(const char32_t *buf, size_t len) {
  return utfkit_compat_result(utfkit_validate(UTFKIT_COMPAT_UTF32, (const uint8_t *)buf, 4 * len), UTFKIT_COMPAT_UTF32, buf, len, 4, 1, false);
}
static inline bool simdutf_validate_utf32(const char32_t *buf, size_t len) {
  return utfkit_validate(UTFKIT_COMPAT_UTF32, (const uint8_t *)buf, 4 * len).status == UTFKIT_OK;
}

static inline bool simdutf_validate_utf16_as_ascii(const char16_t *buf, size_t len) {
  const uint8_t *bytes = (const uint8_t *)buf;
  size_t i;
  uint8_t any = 0;
  for (i = 0; i < len; i++) any |= (uint8_t)(bytes[2 * i + (UTFKIT_COMPAT_UTF16 == UTFKIT_UTF16LE)] | (bytes[2 * i + (UTFKIT_COMPAT_UTF16 != UTFKIT_UTF16LE)] & 0x80));
  return any == 0;
}

static inline bool simdutf_validate_utf16le_as_ascii(const char16_t *buf, size_t len) {
  const uint8_t *bytes = (const uint8_t *)buf;
  size_t i;
  uint8_t any = 0;
  for (i = 0; i < len; i++) any |= (uint8_t)(bytes[2 * i + (UTFKIT_UTF16LE == UTFKIT_UTF16LE)] | (bytes[2 * i + (UTFKIT_UTF16LE != UTFKIT_UTF16LE)] & 0x80));
  return any == 0;
}

static inline bool simdutf_validate_utf16be_as_ascii(const char16_t *buf, size_t len) {
  const uint8_t *bytes = (const uint8_t *)buf;
  size_t i;
  uint8_t any = 0;
  for (i = 0; i < len; i++) any |= (uint8_t)(bytes[2 * i + (UTFKIT_UTF16BE == UTFKIT_UTF16LE)] | (bytes[2 * i + (UTFKIT_UTF16BE != UTFKIT_UTF16LE)] & 0x80));
  return any == 0;
}

/* Detection: what is well-formed, without a BOM in little-endian order alone. */

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

static inline size_t simdutf_count_utf16(const char16_t *input, size_t length) {
  return utfkit_count_utf16((const uint16_t *)input, length);
}

static inline size_t simdutf_utf8_length_from_utf16(const char16_t *input, size_t length) {
  return utfkit_utf8_len_from_utf16((const uint16_t *)input, length);
}

/* The error says whether there is any surrogate at all. */
static inline simdutf_result simdutf_utf8_length_from_utf16_with_replacement(const char16_t *input, size_t length) {
  simdutf_result result = {SIMDUTF_ERROR_SUCCESS, simdutf_utf8_length_from_utf16(input, length)};
  const uint8_t *bytes = (const uint8_t *)input;
  size_t i;
  for (i = 0; i < length; i++) {
    if ((bytes[2 * i + (UTFKIT_COMPAT_UTF16 == UTFKIT_UTF16LE)] & 0xF8) == 0xD8) result.error = SIMDUTF_ERROR_SURROGATE;
  }
  return result;
}

static inline size_t simdutf_count_utf16le(const char16_t *input, size_t length) {
  return UTFKIT_UTF16LE == UTFKIT_COMPAT_UTF16 ? utfkit_count_utf16((const uint16_t *)input, length)
                                               : utfkit_compat_swapped(utfkit_count_utf16, (const uint16_t *)input, length);
}

static inline size_t simdutf_utf8_length_from_utf16le(const char16_t *input, size_t length) {
  return UTFKIT_UTF16LE == UTFKIT_COMPAT_UTF16 ? utfkit_utf8_len_from_utf16((const uint16_t *)input, length)
                                               : utfkit_compat_swapped(utfkit_utf8_len_from_utf16, (const uint16_t *)input, length);
}

/* The error says whether there is any surrogate at all. */
static inline simdutf_result simdutf_utf8_length_from_utf16le_with_replacement(const char16_t *input, size_t length) {
  simdutf_result result = {SIMDUTF_ERROR_SUCCESS, simdutf_utf8_length_from_utf16le(input, length)};
  const uint8_t *bytes = (const uint8_t *)input;
  size_t i;
  for (i = 0; i < length; i++) {
    if ((bytes[2 * i + (UTFKIT_UTF16LE == UTFKIT_UTF16LE)] & 0xF8) == 0xD8) result.error = SIMDUTF_ERROR_SURROGATE;
  }
  return result;
}

static inline size_t simdutf_count_utf16be(const char16_t *input, size_t length) {
  return UTFKIT_UTF16BE == UTFKIT_COMPAT_UTF16 ? utfkit_count_utf16((const uint16_t *)input, length)
                                               : utfkit_compat_swapped(utfkit_count_utf16, (const uint16_t *)input, length);
}

static inline size_t simdutf_utf8_length_from_utf16be(const char16_t *input, size_t length) {
  return UTFKIT_UTF16BE == UTFKIT_COMPAT_UTF16 ? utfkit_utf8_len_from_utf16((const uint16_t *)input, length)
                                               : utfkit_compat_swapped(utfkit_utf8_len_from_utf16, (const uint16_t *)input, length);
}

/* The error says whether there is any surrogate at all. */
static inline simdutf_result simdutf_utf8_length_from_utf16be_with_replacement(const char16_t *input, size_t length) {
  simdutf_result result = {SIMDUTF_ERROR_SUCCESS, simdutf_utf8_length_from_utf16be(input, length)};
  const uint8_t *bytes = (const uint8_t *)input;
  size_t i;
  for (i = 0; i < length; i++) {
    if ((bytes[2 * i + (UTFKIT_UTF16BE == UTFKIT_UTF16LE)] & 0xF8) == 0xD8) result.error = SIMDUTF_ERROR_SURROGATE;
  }
  return result;
}

static inline size_t simdutf_count_utf8(const char *input, size_t length) {
  return utfkit_count_code_points((const uint8_t *)input, length);
}

static inline size_t simdutf_latin1_length_from_utf8(const char *input, size_t length) {
  return utfkit_count_code_points((const uint8_t *)input, length);
}

static inline size_t simdutf_utf32_length_from_utf8(const char *input, size_t length) {
  return utfkit_count_code_points((const uint8_t *)input, length);
}

static inline size_t simdutf_utf16_length_from_utf8(const char *input, size_t length) {
  return utfkit_utf16_len_from_utf8((const uint8_t *)input, length);
}

static inline size_t simdutf_utf8_length_from_latin1(const char *input, size_t length) {
  return utfkit_utf8_len_from_latin1((const uint8_t *)input, length);
}

static inline size_t simdutf_utf8_length_from_utf32(const char32_t *input, size_t length) {
  return utfkit_utf8_len_from_utf32((const uint32_t *)input, length);
}

static inline size_t simdutf_utf16_length_from_utf32(const char32_t *input, size_t length) {
  return utfkit_utf16_len_from_utf32((const uint32_t *)input, length);
}

static inline size_t simdutf_utf32_length_from_utf16(const char16_t *input, size_t length) {
  return utfkit_utf32_len_from_utf16((const uint16_t *)input, length);
}

static inline size_t simdutf_latin1_length_from_utf16(size_t length) {
  return length;
}

static inline size_t simdutf_latin1_length_from_utf32(size_t length) {
  return length;
}

/* Well-formed UTF-16. */

static inline void simdutf_to_well_formed_utf16(const char16_t *input, size_t len, char16_t *output) {
  size_t i;
  for (i = 0; i < len; i++) output[i] = input[i];
  if (UTFKIT_COMPAT_UTF16 != UTFKIT_COMPAT_UTF16) utfkit_swap_utf16_bytes((uint16_t *)output, len);
  utfkit_to_well_formed_utf16((uint16_t *)output, len);
  if (UTFKIT_COMPAT_UTF16 != UTFKIT_COMPAT_UTF16) utfkit_swap_utf16_bytes((uint16_t *)output, len);
}

static inline void simdutf_to_well_formed_utf16le(const char16_t *input, size_t len, char16_t *output) {
  size_t i;
  for (i = 0; i < len; i++) output[i] = input[i];
  if (UTFKIT_UTF16LE != UTFKIT_COMPAT_UTF16) utfkit_swap_utf16_bytes((uint16_t *)output, len);
  utfkit_to_well_formed_utf16((uint16_t *)output, len);
  if (UTFKIT_UTF16LE != UTFKIT_COMPAT_UTF16) utfkit_swap_utf16_bytes((uint16_t *)output, len);
}

static inline void simdutf_to_well_formed_utf16be(const char16_t *input, size_t len, char16_t *output) {
  size_t i;
  for (i = 0; i < len; i++) output[i] = input[i];
  if (UTFKIT_UTF16BE != UTFKIT_COMPAT_UTF16) utfkit_swap_utf16_bytes((uint16_t *)output, len);
  utfkit_to_well_formed_utf16((uint16_t *)output, len);
  if (UTFKIT_UTF16BE != UTFKIT_COMPAT_UTF16) utfkit_swap_utf16_bytes((uint16_t *)output, len);
}

/* Conversions. */

static inline simdutf_result simdutf_convert_latin1_to_utf8_with_errors(const char *input, size_t length, char *output) {
  const size_t capacity = 1 * simdutf_utf8_length_from_latin1(input, length);
  return utfkit_compat_result(utfkit_convert(UTFKIT_LATIN1, UTFKIT_UTF8, (const uint8_t *)input, 1 * length, (uint8_t *)output, capacity),
                              UTFKIT_LATIN1, input, length, 1, 1, true);
}
static inline size_t simdutf_convert_latin1_to_utf8(const char *input, size_t length, char *output) {
  const simdutf_result result = simdutf_convert_latin1_to_utf8_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_latin1_to_utf8(const char *input, size_t length, char *output) {
  return simdutf_convert_latin1_to_utf8(input, length, output);
}

static inline simdutf_result simdutf_convert_latin1_to_utf16_with_errors(const char *input, size_t length, char16_t *output) {
  const size_t capacity = 2 * length;
  return utfkit_compat_result(utfkit_convert(UTFKIT_LATIN1, UTFKIT_COMPAT_UTF16, (const uint8_t *)input, 1 * length, (uint8_t *)output, capacity),
                              UTFKIT_LATIN1, input, length, 1, 2, true);
}
static inline size_t simdutf_convert_latin1_to_utf16(const char *input, size_t length, char16_t *output) {
  const simdutf_result result = simdutf_convert_latin1_to_utf16_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_latin1_to_utf16(const char *input, size_t length, char16_t *output) {
  return simdutf_convert_latin1_to_utf16(input, length, output);
}

static inline simdutf_result simdutf_convert_latin1_to_utf16le_with_errors(const char *input, size_t length, char16_t *output) {
  const size_t capacity = 2 * length;
  return utfkit_compat_result(utfkit_convert(UTFKIT_LATIN1, UTFKIT_UTF16LE, (const uint8_t *)input, 1 * length, (uint8_t *)output, capacity),
                              UTFKIT_LATIN1, input, length, 1, 2, true);
}
static inline size_t simdutf_convert_latin1_to_utf16le(const char *input, size_t length, char16_t *output) {
  const simdutf_result result = simdutf_convert_latin1_to_utf16le_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_latin1_to_utf16le(const char *input, size_t length, char16_t *output) {
  return simdutf_convert_latin1_to_utf16le(input, length, output);
}

static inline simdutf_result simdutf_convert_latin1_to_utf16be_with_errors(const char *input, size_t length, char16_t *output) {
  const size_t capacity = 2 * length;
  return utfkit_compat_result(utfkit_convert(UTFKIT_LATIN1, UTFKIT_UTF16BE, (const uint8_t *)input, 1 * length, (uint8_t *)output, capacity),
                              UTFKIT_LATIN1, input, length, 1, 2, true);
}
static inline size_t simdutf_convert_latin1_to_utf16be(const char *input, size_t length, char16_t *output) {
  const simdutf_result result = simdutf_convert_latin1_to_utf16be_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_latin1_to_utf16be(const char *input, size_t length, char16_t *output) {
  return simdutf_convert_latin1_to_utf16be(input, length, output);
}

static inline simdutf_result simdutf_convert_latin1_to_utf32_with_errors(const char *input, size_t length, char32_t *output) {
  const size_t capacity = 4 * length;
  return utfkit_compat_result(utfkit_convert(UTFKIT_LATIN1, UTFKIT_COMPAT_UTF32, (const uint8_t *)input, 1 * length, (uint8_t *)output, capacity),
                              UTFKIT_LATIN1, input, length, 1, 4, true);
}
static inline size_t simdutf_convert_latin1_to_utf32(const char *input, size_t length, char32_t *output) {
  const simdutf_result result = simdutf_convert_latin1_to_utf32_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_latin1_to_utf32(const char *input, size_t length, char32_t *output) {
  return simdutf_convert_latin1_to_utf32(input, length, output);
}

static inline simdutf_result simdutf_convert_utf8_to_latin1_with_errors(const char *input, size_t length, char *output) {
  const size_t capacity = 1 * simdutf_count_utf8(input, length);
  return utfkit_compat_result(utfkit_convert(UTFKIT_UTF8, UTFKIT_LATIN1, (const uint8_t *)input, 1 * length, (uint8_t *)output, capacity),
                              UTFKIT_UTF8, input, length, 1, 1, true);
}
static inline size_t simdutf_convert_utf8_to_latin1(const char *input, size_t length, char *output) {
  const simdutf_result result = simdutf_convert_utf8_to_latin1_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf8_to_latin1(const char *input, size_t length, char *output) {
  return simdutf_convert_utf8_to_latin1(input, length, output);
}

static inline simdutf_result simdutf_convert_utf8_to_utf16_with_errors(const char *input, size_t length, char16_t *output) {
  const size_t capacity = 2 * simdutf_utf16_length_from_utf8(input, length);
  return utfkit_compat_result(utfkit_convert(UTFKIT_UTF8, UTFKIT_COMPAT_UTF16, (const uint8_t *)input, 1 * length, (uint8_t *)output, capacity),
                              UTFKIT_UTF8, input, length, 1, 2, true);
}
static inline size_t simdutf_convert_utf8_to_utf16(const char *input, size_t length, char16_t *output) {
  const simdutf_result result = simdutf_convert_utf8_to_utf16_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf8_to_utf16(const char *input, size_t length, char16_t *output) {
  return simdutf_convert_utf8_to_utf16(input, length, output);
}

static inline simdutf_result simdutf_convert_utf8_to_utf16le_with_errors(const char *input, size_t length, char16_t *output) {
  const size_t capacity = 2 * simdutf_utf16_length_from_utf8(input, length);
  return utfkit_compat_result(utfkit_convert(UTFKIT_UTF8, UTFKIT_UTF16LE, (const uint8_t *)input, 1 * length, (uint8_t *)output, capacity),
                              UTFKIT_UTF8, input, length, 1, 2, true);
}
static inline size_t simdutf_convert_utf8_to_utf16le(const char *input, size_t length, char16_t *output) {
  const simdutf_result result = simdutf_convert_utf8_to_utf16le_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf8_to_utf16le(const char *input, size_t length, char16_t *output) {
  return simdutf_convert_utf8_to_utf16le(input, length, output);
}

static inline simdutf_result simdutf_convert_utf8_to_utf16be_with_errors(const char *input, size_t length, char16_t *output) {
  const size_t capacity = 2 * simdutf_utf16_length_from_utf8(input, length);
  return utfkit_compat_result(utfkit_convert(UTFKIT_UTF8, UTFKIT_UTF16BE, (const uint8_t *)input, 1 * length, (uint8_t *)output, capacity),
                              UTFKIT_UTF8, input, length, 1, 2, true);
}
static inline size_t simdutf_convert_utf8_to_utf16be(const char *input, size_t length, char16_t *output) {
  const simdutf_result result = simdutf_convert_utf8_to_utf16be_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf8_to_utf16be(const char *input, size_t length, char16_t *output) {
  return simdutf_convert_utf8_to_utf16be(input, length, output);
}

static inline simdutf_result simdutf_convert_utf8_to_utf32_with_errors(const char *input, size_t length, char32_t *output) {
  const size_t capacity = 4 * simdutf_count_utf8(input, length);
  return utfkit_compat_result(utfkit_convert(UTFKIT_UTF8, UTFKIT_COMPAT_UTF32, (const uint8_t *)input, 1 * length, (uint8_t *)output, capacity),
                              UTFKIT_UTF8, input, length, 1, 4, true);
}
static inline size_t simdutf_convert_utf8_to_utf32(const char *input, size_t length, char32_t *output) {
  const simdutf_result result = simdutf_convert_utf8_to_utf32_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf8_to_utf32(const char *input, size_t length, char32_t *output) {
  return simdutf_convert_utf8_to_utf32(input, length, output);
}

static inline simdutf_result simdutf_convert_utf16_to_utf8_with_errors(const char16_t *input, size_t length, char *output) {
  const size_t capacity = 1 * simdutf_utf8_length_from_utf16(input, length);
  return utfkit_compat_result(utfkit_convert(UTFKIT_COMPAT_UTF16, UTFKIT_UTF8, (const uint8_t *)input, 2 * length, (uint8_t *)output, capacity),
                              UTFKIT_COMPAT_UTF16, input, length, 2, 1, true);
}
static inline size_t simdutf_convert_utf16_to_utf8(const char16_t *input, size_t length, char *output) {
  const simdutf_result result = simdutf_convert_utf16_to_utf8_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf16_to_utf8(const char16_t *input, size_t length, char *output) {
  return simdutf_convert_utf16_to_utf8(input, length, output);
}

static inline simdutf_result simdutf_convert_utf16_to_latin1_with_errors(const char16_t *input, size_t length, char *output) {
  const size_t capacity = 1 * length;
  return utfkit_compat_result(utfkit_convert(UTFKIT_COMPAT_UTF16, UTFKIT_LATIN1, (const uint8_t *)input, 2 * length, (uint8_t *)output, capacity),
                              UTFKIT_COMPAT_UTF16, input, length, 2, 1, true);
}
static inline size_t simdutf_convert_utf16_to_latin1(const char16_t *input, size_t length, char *output) {
  const simdutf_result result = simdutf_convert_utf16_to_latin1_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf16_to_latin1(const char16_t *input, size_t length, char *output) {
  return simdutf_convert_utf16_to_latin1(input, length, output);
}

static inline simdutf_result simdutf_convert_utf16_to_utf32_with_errors(const char16_t *input, size_t length, char32_t *output) {
  const size_t capacity = 4 * simdutf_count_utf16(input, length);
  return utfkit_compat_result(utfkit_convert(UTFKIT_COMPAT_UTF16, UTFKIT_COMPAT_UTF32, (const uint8_t *)input, 2 * length, (uint8_t *)output, capacity),
                              UTFKIT_COMPAT_UTF16, input, length, 2, 4, true);
}
static inline size_t simdutf_convert_utf16_to_utf32(const char16_t *input, size_t length, char32_t *output) {
  const simdutf_result result = simdutf_convert_utf16_to_utf32_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf16_to_utf32(const char16_t *input, size_t length, char32_t *output) {
  return simdutf_convert_utf16_to_utf32(input, length, output);
}

static inline simdutf_result simdutf_convert_utf16le_to_utf8_with_errors(const char16_t *input, size_t length, char *output) {
  const size_t capacity = 1 * simdutf_utf8_length_from_utf16le(input, length);
  return utfkit_compat_result(utfkit_convert(UTFKIT_UTF16LE, UTFKIT_UTF8, (const uint8_t *)input, 2 * length, (uint8_t *)output, capacity),
                              UTFKIT_UTF16LE, input, length, 2, 1, true);
}
static inline size_t simdutf_convert_utf16le_to_utf8(const char16_t *input, size_t length, char *output) {
  const simdutf_result result = simdutf_convert_utf16le_to_utf8_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf16le_to_utf8(const char16_t *input, size_t length, char *output) {
  return simdutf_convert_utf16le_to_utf8(input, length, output);
}

static inline simdutf_result simdutf_convert_utf16le_to_latin1_with_errors(const char16_t *input, size_t length, char *output) {
  const size_t capacity = 1 * length;
  return utfkit_compat_result(utfkit_convert(UTFKIT_UTF16LE, UTFKIT_LATIN1, (const uint8_t *)input, 2 * length, (uint8_t *)output, capacity),
                              UTFKIT_UTF16LE, input, length, 2, 1, true);
}
static inline size_t simdutf_convert_utf16le_to_latin1(const char16_t *input, size_t length, char *output) {
  const simdutf_result result = simdutf_convert_utf16le_to_latin1_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf16le_to_latin1(const char16_t *input, size_t length, char *output) {
  return simdutf_convert_utf16le_to_latin1(input, length, output);
}

static inline simdutf_result simdutf_convert_utf16le_to_utf32_with_errors(const char16_t *input, size_t length, char32_t *output) {
  const size_t capacity = 4 * simdutf_count_utf16le(input, length);
  return utfkit_compat_result(utfkit_convert(UTFKIT_UTF16LE, UTFKIT_COMPAT_UTF32, (const uint8_t *)input, 2 * length, (uint8_t *)output, capacity),
                              UTFKIT_UTF16LE, input, length, 2, 4, true);
}
static inline size_t simdutf_convert_utf16le_to_utf32(const char16_t *input, size_t length, char32_t *output) {
  const simdutf_result result = simdutf_convert_utf16le_to_utf32_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf16le_to_utf32(const char16_t *input, size_t length, char32_t *output) {
  return simdutf_convert_utf16le_to_utf32(input, length, output);
}

static inline simdutf_result simdutf_convert_utf16be_to_utf8_with_errors(const char16_t *input, size_t length, char *output) {
  const size_t capacity = 1 * simdutf_utf8_length_from_utf16be(input, length);
  return utfkit_compat_result(utfkit_convert(UTFKIT_UTF16BE, UTFKIT_UTF8, (const uint8_t *)input, 2 * length, (uint8_t *)output, capacity),
                              UTFKIT_UTF16BE, input, length, 2, 1, true);
}
static inline size_t simdutf_convert_utf16be_to_utf8(const char16_t *input, size_t length, char *output) {
  const simdutf_result result = simdutf_convert_utf16be_to_utf8_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf16be_to_utf8(const char16_t *input, size_t length, char *output) {
  return simdutf_convert_utf16be_to_utf8(input, length, output);
}

static inline simdutf_result simdutf_convert_utf16be_to_latin1_with_errors(const char16_t *input, size_t length, char *output) {
  const size_t capacity = 1 * length;
  return utfkit_compat_result(utfkit_convert(UTFKIT_UTF16BE, UTFKIT_LATIN1, (const uint8_t *)input, 2 * length, (uint8_t *)output, capacity),
                              UTFKIT_UTF16BE, input, length, 2, 1, true);
}
static inline size_t simdutf_convert_utf16be_to_latin1(const char16_t *input, size_t length, char *output) {
  const simdutf_result result = simdutf_convert_utf16be_to_latin1_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf16be_to_latin1(const char16_t *input, size_t length, char *output) {
  return simdutf_convert_utf16be_to_latin1(input, length, output);
}

static inline simdutf_result simdutf_convert_utf16be_to_utf32_with_errors(const char16_t *input, size_t length, char32_t *output) {
  const size_t capacity = 4 * simdutf_count_utf16be(input, length);
  return utfkit_compat_result(utfkit_convert(UTFKIT_UTF16BE, UTFKIT_COMPAT_UTF32, (const uint8_t *)input, 2 * length, (uint8_t *)output, capacity),
                              UTFKIT_UTF16BE, input, length, 2, 4, true);
}
static inline size_t simdutf_convert_utf16be_to_utf32(const char16_t *input, size_t length, char32_t *output) {
  const simdutf_result result = simdutf_convert_utf16be_to_utf32_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf16be_to_utf32(const char16_t *input, size_t length, char32_t *output) {
  return simdutf_convert_utf16be_to_utf32(input, length, output);
}

static inline simdutf_result simdutf_convert_utf32_to_utf8_with_errors(const char32_t *input, size_t length, char *output) {
  const size_t capacity = 1 * simdutf_utf8_length_from_utf32(input, length);
  return utfkit_compat_result(utfkit_convert(UTFKIT_COMPAT_UTF32, UTFKIT_UTF8, (const uint8_t *)input, 4 * length, (uint8_t *)output, capacity),
                              UTFKIT_COMPAT_UTF32, input, length, 4, 1, true);
}
static inline size_t simdutf_convert_utf32_to_utf8(const char32_t *input, size_t length, char *output) {
  const simdutf_result result = simdutf_convert_utf32_to_utf8_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf32_to_utf8(const char32_t *input, size_t length, char *output) {
  return simdutf_convert_utf32_to_utf8(input, length, output);
}

static inline simdutf_result simdutf_convert_utf32_to_latin1_with_errors(const char32_t *input, size_t length, char *output) {
  const size_t capacity = 1 * length;
  return utfkit_compat_result(utfkit_convert(UTFKIT_COMPAT_UTF32, UTFKIT_LATIN1, (const uint8_t *)input, 4 * length, (uint8_t *)output, capacity),
                              UTFKIT_COMPAT_UTF32, input, length, 4, 1, true);
}
static inline size_t simdutf_convert_utf32_to_latin1(const char32_t *input, size_t length, char *output) {
  const simdutf_result result = simdutf_convert_utf32_to_latin1_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf32_to_latin1(const char32_t *input, size_t length, char *output) {
  return simdutf_convert_utf32_to_latin1(input, length, output);
}

static inline simdutf_result simdutf_convert_utf32_to_utf16_with_errors(const char32_t *input, size_t length, char16_t *output) {
  const size_t capacity = 2 * simdutf_utf16_length_from_utf32(input, length);
  return utfkit_compat_result(utfkit_convert(UTFKIT_COMPAT_UTF32, UTFKIT_COMPAT_UTF16, (const uint8_t *)input, 4 * length, (uint8_t *)output, capacity),
                              UTFKIT_COMPAT_UTF32, input, length, 4, 2, true);
}
static inline size_t simdutf_convert_utf32_to_utf16(const char32_t *input, size_t length, char16_t *output) {
  const simdutf_result result = simdutf_convert_utf32_to_utf16_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf32_to_utf16(const char32_t *input, size_t length, char16_t *output) {
  return simdutf_convert_utf32_to_utf16(input, length, output);
}

static inline simdutf_result simdutf_convert_utf32_to_utf16le_with_errors(const char32_t *input, size_t length, char16_t *output) {
  const size_t capacity = 2 * simdutf_utf16_length_from_utf32(input, length);
  return utfkit_compat_result(utfkit_convert(UTFKIT_COMPAT_UTF32, UTFKIT_UTF16LE, (const uint8_t *)input, 4 * length, (uint8_t *)output, capacity),
                              UTFKIT_COMPAT_UTF32, input, length, 4, 2, true);
}
static inline size_t simdutf_convert_utf32_to_utf16le(const char32_t *input, size_t length, char16_t *output) {
  const simdutf_result result = simdutf_convert_utf32_to_utf16le_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf32_to_utf16le(const char32_t *input, size_t length, char16_t *output) {
  return simdutf_convert_utf32_to_utf16le(input, length, output);
}

static inline simdutf_result simdutf_convert_utf32_to_utf16be_with_errors(const char32_t *input, size_t length, char16_t *output) {
  const size_t capacity = 2 * simdutf_utf16_length_from_utf32(input, length);
  return utfkit_compat_result(utfkit_convert(UTFKIT_COMPAT_UTF32, UTFKIT_UTF16BE, (const uint8_t *)input, 4 * length, (uint8_t *)output, capacity),
                              UTFKIT_COMPAT_UTF32, input, length, 4, 2, true);
}
static inline size_t simdutf_convert_utf32_to_utf16be(const char32_t *input, size_t length, char16_t *output) {
  const simdutf_result result = simdutf_convert_utf32_to_utf16be_with_errors(input, length, output);
  return result.error == SIMDUTF_ERROR_SUCCESS ? result.count : 0;
}
static inline size_t simdutf_convert_valid_utf32_to_utf16be(const char32_t *input, size_t length, char16_t *output) {
  return simdutf_convert_utf32_to_utf16be(input, length, output);
}

/* As many whole characters as have space. */
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
