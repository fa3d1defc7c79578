/* utfkit: UTF-8 and every other encoding. MIT or Apache-2.0.
 *
 * Made by cbindgen from crates/utfkit-c (bash ci/c-header.sh); do not edit.
 *
 * Pointers come with a length, destinations with a capacity, both in units of their type.
 * Nothing is read or written beyond them. NULL with 0 is an empty slice. Any other NULL, a
 * pointer that is not aligned for its type, a source and a destination that overlap, and an
 * unknown number are UTFKIT_INVALID_ARGUMENT; functions that return a count return 0 for them.
 *
 * The library cannot check the rest: each function lists it under "Preconditions", and its
 * behavior is undefined if one does not hold. A destination need not be initialised.
 *
 * Any thread may call any function. Only functions that return an object, utfkit_repair,
 * utfkit_detect and utfkit_check allocate; they abort the process if memory is exhausted.
 * Other errors are in the result. No function throws. */

#ifndef UTFKIT_H
#define UTFKIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Also undo double encoding: text that was encoded as UTF-8 twice.
#define UTFKIT_UNDOUBLE 1

// Also decode overlong forms and surrogate pairs.
#define UTFKIT_REINTERPRET 2

// The kind of an error. utfkit_kind_name names it.
typedef enum utfkit_kind {
  // No error.
  UTFKIT_NO_ERROR = 0,
  // A continuation byte where a character begins.
  UTFKIT_UNEXPECTED_CONTINUATION = 1,
  // A lead byte with too few continuation bytes.
  UTFKIT_MISSING_CONTINUATION = 2,
  // A sequence longer than its value needs.
  UTFKIT_OVERLONG = 3,
  // A surrogate in UTF-8 or UTF-32.
  UTFKIT_SURROGATE = 4,
  // A value above U+10FFFF.
  UTFKIT_TOO_LARGE = 5,
  // A byte that is never part of a text.
  UTFKIT_INVALID_BYTE = 6,
  // An incomplete sequence at the end of the source.
  UTFKIT_TRUNCATED = 7,
  // An unpaired surrogate in UTF-16.
  UTFKIT_UNPAIRED_SURROGATE = 8,
  // A noncharacter, in a standard that refuses it.
  UTFKIT_NONCHARACTER = 9,
  // Bytes that do not map to a character.
  UTFKIT_INVALID_SEQUENCE = 10,
  // A shift of UTF-7 without base64.
  UTFKIT_EMPTY_SHIFT = 11,
  // Base64 that ends inside a code unit.
  UTFKIT_PARTIAL_UNIT = 12,
  // Base64 with padding bits that are not zero.
  UTFKIT_PADDING_BITS = 13,
  // Base64 without its end.
  UTFKIT_UNCLOSED_SHIFT = 14,
  // Base64 for a character that needs none.
  UTFKIT_NEEDLESS_SHIFT = 15,
  // A character that the target lacks.
  UTFKIT_UNREPRESENTABLE = 16,
  // An error without a number in this version.
  UTFKIT_OTHER_ERROR = 255,
} utfkit_kind;

// The confidence of a detection.
typedef enum utfkit_certainty {
  // Another encoding is about as likely.
  UTFKIT_GUESS = 0,
  // Another encoding would be a surprise.
  UTFKIT_LIKELY = 1,
  // Wrong by chance in one of thousands.
  UTFKIT_NEARLY_CERTAIN = 2,
  // Proved, or wrong by chance in one of a million.
  UTFKIT_CERTAIN = 3,
} utfkit_certainty;

// The outcome of a call.
typedef enum utfkit_status {
  // All of the source was read.
  UTFKIT_OK = 0,
  // The source is ill-formed, or the target lacks a character of it.
  UTFKIT_ILL_FORMED = 1,
  // The next character does not fit into the destination.
  UTFKIT_NO_SPACE = 2,
  // An argument is null, not aligned, overlapping or unknown. Nothing was done.
  UTFKIT_INVALID_ARGUMENT = 3,
} utfkit_status;

// A streaming check.
typedef struct utfkit_checker utfkit_checker;

// A streaming conversion between two encodings.
typedef struct utfkit_transcoder utfkit_transcoder;

// An encoding: one of the constants, or a number from utfkit_encoding_for_label or utfkit_encoding_at.
// Numbers without a constant may change between versions: do not store them.
typedef uint32_t utfkit_encoding;

// An ill-formed sequence and its position.
typedef struct utfkit_finding {
  // The position in bytes from the beginning of the text.
  uint64_t offset;
  // The line, from 1.
  uint64_t line;
  // The column, from 1, in code points.
  uint64_t column;
  // The length of the sequence in bytes.
  size_t length;
  // The kind of the error.
  enum utfkit_kind kind;
  // A message with line, column, bytes and rule, null-terminated. It is valid until the callback returns.
  const char *message;
} utfkit_finding;

// A callback that receives each finding, with the `context` of the call.
typedef void (*utfkit_found)(void *context, const struct utfkit_finding *finding);

// A detected encoding.
typedef struct utfkit_detection {
  // The encoding; UTFKIT_NONE if the bytes are not text, or in an encoding that cannot be decoded.
  utfkit_encoding encoding;
  // The confidence in it.
  enum utfkit_certainty certainty;
} utfkit_detection;

// The result of a call. Numbers are in units of the source and of the destination.
typedef struct utfkit_result {
  // The outcome.
  enum utfkit_status status;
  // The kind of the error, if the status is UTFKIT_ILL_FORMED.
  enum utfkit_kind kind;
  // The units of the source that were read.
  size_t read;
  // The units that were written, whole characters. The destination after them is unspecified.
  size_t written;
  // The position of the error, or of the character that is lacking or does not fit; the length of the
  // source if all is well. From a transcoder, it counts from the beginning of the stream.
  size_t offset;
  // The length of that error or character, or 0.
  size_t length;
} utfkit_result;

// How to handle ill-formed sequences and characters that the target lacks.
typedef uint32_t utfkit_policy;

// No encoding.
#define UTFKIT_NONE 0

// UTF-8, RFC 3629.
#define UTFKIT_UTF8 1

// UTF-16, little-endian, no BOM.
#define UTFKIT_UTF16LE 2

// UTF-16, big-endian, no BOM.
#define UTFKIT_UTF16BE 3

// UTF-16 by its BOM, big-endian without one; written little-endian with a BOM.
#define UTFKIT_UTF16 4

// UTF-32, little-endian, no BOM.
#define UTFKIT_UTF32LE 5

// UTF-32, big-endian, no BOM.
#define UTFKIT_UTF32BE 6

// UTF-32 by its BOM, big-endian without one; written little-endian with a BOM.
#define UTFKIT_UTF32 7

// ISO-8859-1.
#define UTFKIT_LATIN1 8

// US-ASCII.
#define UTFKIT_ASCII 9

// Stop and report.
#define UTFKIT_STRICT 0

// Write U+FFFD, or ? if the target lacks it.
#define UTFKIT_REPLACE 1

// Skip them.
#define UTFKIT_SKIP 2

// Write \xNN for a byte and \u{NNNN} for a character.
#define UTFKIT_ESCAPE 3

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Creates a checker, which utfkit_checker_free releases. Returns null for an unknown encoding.
struct utfkit_checker *utfkit_checker_new(utfkit_encoding encoding);

// Releases a checker; null is ignored.
//
// Preconditions:
// - `checker` is null or comes from utfkit_checker_new.
// - It has not been released, and is not used again.
// - No other thread uses it during the call.
void utfkit_checker_free(struct utfkit_checker *checker);

// Checks the next piece of a text, and calls `found`, unless that is null, for each ill-formed sequence that
// ends in it. `last` is true for the last piece. Returns the number of findings; 0 for invalid arguments.
//
// Preconditions:
// - `checker` is null or comes from utfkit_checker_new and has not been released.
// - No other thread uses it during the call.
// - `src` is null or points to `len` bytes that can be read.
// - Nothing writes to them during the call.
// - `found` is null or can be called with `context`.
// - `found` returns (no longjmp, no exception), and does not use the checker.
uint64_t utfkit_checker_feed(struct utfkit_checker *checker,
                             const uint8_t *src,
                             size_t len,
                             bool last,
                             utfkit_found found,
                             void *context);

// Checks a whole text, as utfkit_checker_feed does.
//
// Preconditions:
// - `src` is null or points to `len` bytes that can be read.
// - Nothing writes to them during the call.
// - `found` is null or can be called with `context`.
// - `found` returns (no longjmp, no exception).
uint64_t utfkit_check(utfkit_encoding encoding,
                      const uint8_t *src,
                      size_t len,
                      utfkit_found found,
                      void *context);

// Detects the encoding of a text.
//
// Preconditions:
// - `src` is null or points to `len` bytes that can be read.
// - Nothing writes to them during the call.
struct utfkit_detection utfkit_detect(const uint8_t *src, size_t len);

// Finds the forms of Unicode in which a text is well-formed, among UTF-8 and both byte orders of UTF-16 and
// UTF-32; a BOM leaves one. Writes at most `capacity` of them to `found`, and returns their number, at most 5.
//
// Preconditions:
// - `src` is null or points to `len` bytes that can be read.
// - Nothing writes to them during the call.
// - `found` is null or points to `capacity` numbers that can be written.
// - Nothing else reads or writes those during the call.
size_t utfkit_detect_encodings(const uint8_t *src,
                               size_t len,
                               utfkit_encoding *found,
                               size_t capacity);

// Returns the encoding with this IANA name or alias, in any case, or UTFKIT_NONE.
//
// Preconditions:
// - `label` is null or points to `len` bytes that can be read.
// - Nothing writes to them during the call.
utfkit_encoding utfkit_encoding_for_label(const char *label, size_t len);

// Returns the number of encodings.
size_t utfkit_encoding_count(void);

// Returns the encoding at `index`, which is below utfkit_encoding_count; UTFKIT_NONE otherwise.
utfkit_encoding utfkit_encoding_at(size_t index);

// Returns the name of an encoding, and stores its length in `len` unless that is null. The name is static
// and not null-terminated. Returns null and stores 0 for an unknown number.
//
// Preconditions:
// - `len` is null or points to a size_t that can be written.
// - Nothing else reads or writes it during the call.
const char *utfkit_encoding_name(utfkit_encoding encoding, size_t *len);

// Returns the bytes of a code unit: 1, 2 or 4, or 0 for an unknown number.
size_t utfkit_encoding_unit_size(utfkit_encoding encoding);

// Returns the encoding of the BOM at the front of `src`, and stores the length of the BOM in `bom_len`
// unless that is null. Without a BOM, returns UTFKIT_NONE and stores 0.
//
// Preconditions:
// - `src` is null or points to `len` bytes that can be read.
// - Nothing writes to them during the call.
// - `bom_len` is null or points to a size_t that can be written.
// - Nothing else reads or writes it during the call.
utfkit_encoding utfkit_bom(const uint8_t *src, size_t len, size_t *bom_len);

// Converts a whole text between two encodings. Stops before the first error, and before a character that
// the target lacks or that does not fit.
//
// Preconditions:
// - `src` is null or points to `len` bytes that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` bytes that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_convert(utfkit_encoding from,
                                    utfkit_encoding to,
                                    const uint8_t *src,
                                    size_t len,
                                    uint8_t *dst,
                                    size_t capacity);

// Validates a text in any encoding. Returns the first error. Numbers are in bytes.
//
// Preconditions:
// - `src` is null or points to `len` bytes that can be read.
// - Nothing writes to them during the call.
struct utfkit_result utfkit_validate(utfkit_encoding encoding, const uint8_t *src, size_t len);

// Returns the name of a utfkit_kind, such as "missing-continuation", or "other". It is static and
// null-terminated.
const char *utfkit_kind_name(uint32_t kind);

// Returns the version of the library, null-terminated.
const char *utfkit_version(void);

// Repairs UTF-8. Well-formed sequences stay; each ill-formed byte is decoded as `fallback`, a single-byte
// encoding, or becomes U+FFFD if that is UTFKIT_NONE. `options` is a sum of UTFKIT_UNDOUBLE and
// UTFKIT_REINTERPRET, or 0. If the result does not fit, nothing is written, the status is
// UTFKIT_NO_SPACE, and `length` is the capacity needed.
//
// Preconditions:
// - `src` is null or points to `len` bytes that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` bytes that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_repair(const uint8_t *src,
                                   size_t len,
                                   uint8_t *dst,
                                   size_t capacity,
                                   utfkit_encoding fallback,
                                   uint32_t options);

// Creates a transcoder, which utfkit_transcoder_free releases. Returns null for an unknown encoding or policy.
struct utfkit_transcoder *utfkit_transcoder_new(utfkit_encoding from,
                                                utfkit_encoding to,
                                                utfkit_policy policy);

// Releases a transcoder; null is ignored.
//
// Preconditions:
// - `transcoder` is null or comes from utfkit_transcoder_new.
// - It has not been released, and is not used again.
// - No other thread uses it during the call.
void utfkit_transcoder_free(struct utfkit_transcoder *transcoder);

// Returns a transcoder to its initial state, for another stream.
//
// Preconditions:
// - `transcoder` is null or comes from utfkit_transcoder_new and has not been released.
// - No other thread uses it during the call.
void utfkit_transcoder_reset(struct utfkit_transcoder *transcoder);

// Returns true if the stream so far had an ill-formed sequence or a character that the target lacks.
//
// Preconditions:
// - `transcoder` is null or comes from utfkit_transcoder_new and has not been released.
// - No other thread uses it during the call.
bool utfkit_transcoder_had_errors(const struct utfkit_transcoder *transcoder);

// Converts as much of `src` as fits into `dst`. `last` is true for the last piece of the stream.
// UTFKIT_OK: all of `src` was read; an incomplete character at its end is kept for the next call.
// UTFKIT_NO_SPACE: call again with the rest of `src` and an empty destination. UTFKIT_ILL_FORMED, with
// UTFKIT_STRICT alone: `read` is after the error; call again with the rest to continue.
//
// Preconditions:
// - `transcoder` is null or comes from utfkit_transcoder_new and has not been released.
// - No other thread uses it during the call.
// - `src` is null or points to `len` bytes that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` bytes that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_transcode(struct utfkit_transcoder *transcoder,
                                      const uint8_t *src,
                                      size_t len,
                                      uint8_t *dst,
                                      size_t capacity,
                                      bool last);

// Validates UTF-8 (RFC 3629). Returns the first error.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
struct utfkit_result utfkit_validate_utf8(const uint8_t *src, size_t len);

// Validates US-ASCII. Returns the first error.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
struct utfkit_result utfkit_validate_ascii(const uint8_t *src, size_t len);

// Validates UTF-16. Returns the first error.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
struct utfkit_result utfkit_validate_utf16(const uint16_t *src, size_t len);

// Validates UTF-32. Returns the first error.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
struct utfkit_result utfkit_validate_utf32(const uint32_t *src, size_t len);

// UTF-8 to UTF-16. Stops before the first error, and before a character that does not fit.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` units that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_utf8_to_utf16(const uint8_t *src, size_t len, uint16_t *dst, size_t capacity);

// UTF-8 to UTF-32. Stops before the first error, and before a character that does not fit.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` units that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_utf8_to_utf32(const uint8_t *src, size_t len, uint32_t *dst, size_t capacity);

// UTF-8 to ISO-8859-1. Stops before the first error, and before a character that ISO-8859-1 lacks
// or that does not fit.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` units that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_utf8_to_latin1(const uint8_t *src, size_t len, uint8_t *dst, size_t capacity);

// UTF-16 to UTF-8. Stops before the first error, and before a character that does not fit.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` units that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_utf16_to_utf8(const uint16_t *src, size_t len, uint8_t *dst, size_t capacity);

// UTF-16 to UTF-32. Stops before the first error, and before a character that does not fit.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` units that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_utf16_to_utf32(const uint16_t *src, size_t len, uint32_t *dst, size_t capacity);

// UTF-16 to ISO-8859-1. Stops before the first error, and before a character that ISO-8859-1 lacks
// or that does not fit.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` units that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_utf16_to_latin1(const uint16_t *src, size_t len, uint8_t *dst, size_t capacity);

// UTF-32 to UTF-8. Stops before the first error, and before a character that does not fit.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` units that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_utf32_to_utf8(const uint32_t *src, size_t len, uint8_t *dst, size_t capacity);

// UTF-32 to UTF-16. Stops before the first error, and before a character that does not fit.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` units that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_utf32_to_utf16(const uint32_t *src, size_t len, uint16_t *dst, size_t capacity);

// UTF-32 to ISO-8859-1. Stops before the first error, and before a character that ISO-8859-1 lacks
// or that does not fit.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` units that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_utf32_to_latin1(const uint32_t *src, size_t len, uint8_t *dst, size_t capacity);

// ISO-8859-1 to UTF-8. Stops before a character that does not fit.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` units that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_latin1_to_utf8(const uint8_t *src, size_t len, uint8_t *dst, size_t capacity);

// ISO-8859-1 to UTF-16. Stops before a character that does not fit.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` units that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_latin1_to_utf16(const uint8_t *src, size_t len, uint16_t *dst, size_t capacity);

// ISO-8859-1 to UTF-32. Stops before a character that does not fit.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` units that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_latin1_to_utf32(const uint8_t *src, size_t len, uint32_t *dst, size_t capacity);

// UTF-8 to UTF-16, with U+FFFD for each maximal subpart of an ill-formed sequence.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` units that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_utf8_to_utf16_lossy(const uint8_t *src,
                                                size_t len,
                                                uint16_t *dst,
                                                size_t capacity);

// UTF-16 to UTF-8, with U+FFFD for each unpaired surrogate.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` units that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_utf16_to_utf8_lossy(const uint16_t *src,
                                                size_t len,
                                                uint8_t *dst,
                                                size_t capacity);

// UTF-8 to UTF-8, with U+FFFD for each maximal subpart of an ill-formed sequence.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
// - `dst` is null or points to `capacity` units that can be written.
// - Nothing else reads or writes those during the call.
struct utfkit_result utfkit_utf8_to_utf8_lossy(const uint8_t *src, size_t len, uint8_t *dst, size_t capacity);

// Returns the number of code points of UTF-8.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
size_t utfkit_count_code_points(const uint8_t *src, size_t len);

// Returns the number of code points of UTF-16.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
size_t utfkit_count_utf16(const uint16_t *src, size_t len);

// Returns the units of UTF-16 that UTF-8 converts to; exact if it is well-formed.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
size_t utfkit_utf16_len_from_utf8(const uint8_t *src, size_t len);

// Returns the bytes of UTF-8 that UTF-16 converts to; an unpaired surrogate counts as U+FFFD.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
size_t utfkit_utf8_len_from_utf16(const uint16_t *src, size_t len);

// Returns the bytes of UTF-8 that UTF-32 converts to.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
size_t utfkit_utf8_len_from_utf32(const uint32_t *src, size_t len);

// Returns the bytes of UTF-8 that ISO-8859-1 converts to.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
size_t utfkit_utf8_len_from_latin1(const uint8_t *src, size_t len);

// Returns the units of UTF-16 that UTF-32 converts to.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
size_t utfkit_utf16_len_from_utf32(const uint32_t *src, size_t len);

// Returns the units of UTF-32 that UTF-16 converts to.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
size_t utfkit_utf32_len_from_utf16(const uint16_t *src, size_t len);

// Returns the length of UTF-8 without an incomplete character at its end.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
size_t utfkit_trim_partial_utf8(const uint8_t *src, size_t len);

// Returns the length of UTF-16 without a high surrogate at its end.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
size_t utfkit_trim_partial_utf16(const uint16_t *src, size_t len);

// Returns the end of the character or error at `at` in UTF-8; `len` at the end.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
size_t utfkit_next_boundary(const uint8_t *src, size_t len, size_t at);

// Returns the beginning of the character or error before `at` in UTF-8.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
size_t utfkit_previous_boundary(const uint8_t *src, size_t len, size_t at);

// Returns the first position from `at` on in UTF-8 at which a character can begin.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
size_t utfkit_resynchronize(const uint8_t *src, size_t len, size_t at);

// Returns true if a character or an error of UTF-8 begins at `at`, or if `at` is `len`.
//
// Preconditions:
// - `src` is null or points to `len` units that can be read.
// - Nothing writes to them during the call.
bool utfkit_is_boundary(const uint8_t *src, size_t len, size_t at);

// Writes U+FFFD over each unpaired surrogate. Returns their number.
//
// Preconditions:
// - `units` is null or points to `len` units that can be read and written.
// - Nothing else reads or writes them during the call.
size_t utfkit_to_well_formed_utf16(uint16_t *units, size_t len);

// Swaps the bytes of each unit. Returns the number of units.
//
// Preconditions:
// - `units` is null or points to `len` units that can be read and written.
// - Nothing else reads or writes them during the call.
size_t utfkit_swap_utf16_bytes(uint16_t *units, size_t len);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* UTFKIT_H */
