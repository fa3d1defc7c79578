/* utfkit: UTF-8 and every other encoding. MIT or Apache-2.0.
 *
 * Made by cbindgen from crates/utfkit-c (bash ci/c-header.sh); do not edit.
 *
 * Pointers come with a length, destinations with a capacity, both in units
 * of their type. Nothing is read or written beyond them. NULL with 0 is an
 * empty slice; any other NULL, a pointer that is not aligned for its type, a source and a
 * destination that overlap, and a number that names nothing are
 * UTFKIT_INVALID_ARGUMENT, never a crash. Functions that return a count return 0 for them.
 *
 * Every function may be called from any thread; an object (a transcoder, a
 * checker) from one at a time. Only what returns an object, utfkit_repair,
 * utfkit_detect and utfkit_check allocate; without memory they end the process. No other
 * function fails for a reason that is not in its result, and none throws. */

#ifndef UTFKIT_H
#define UTFKIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 Also undo what was encoded as UTF-8 twice.
 */
#define UTFKIT_UNDOUBLE 1

/*
 Also read overlong forms and surrogate pairs as what they stand for.
 */
#define UTFKIT_REINTERPRET 2

/*
 What is wrong with a sequence. utfkit_kind_name has a name for each.
 */
typedef enum utfkit_kind {
  /*
   Nothing.
   */
  UTFKIT_NO_ERROR = 0,
  /*
   A continuation byte where a character begins.
   */
  UTFKIT_UNEXPECTED_CONTINUATION = 1,
  /*
   A lead byte without all of its continuation bytes.
   */
  UTFKIT_MISSING_CONTINUATION = 2,
  /*
   More bytes than the value needs.
   */
  UTFKIT_OVERLONG = 3,
  /*
   A surrogate in UTF-8 or UTF-32.
   */
  UTFKIT_SURROGATE = 4,
  /*
   A value above U+10FFFF.
   */
  UTFKIT_TOO_LARGE = 5,
  /*
   A byte that can stand nowhere.
   */
  UTFKIT_INVALID_BYTE = 6,
  /*
   The source ends inside a sequence that more could complete.
   */
  UTFKIT_TRUNCATED = 7,
  /*
   A surrogate in UTF-16 without its other half.
   */
  UTFKIT_UNPAIRED_SURROGATE = 8,
  /*
   A noncharacter, where the standard in use refuses it.
   */
  UTFKIT_NONCHARACTER = 9,
  /*
   Bytes that together stand for nothing.
   */
  UTFKIT_INVALID_SEQUENCE = 10,
  /*
   A shift of UTF-7 without base64.
   */
  UTFKIT_EMPTY_SHIFT = 11,
  /*
   Base64 that ends inside a unit.
   */
  UTFKIT_PARTIAL_UNIT = 12,
  /*
   Base64 whose padding bits are not zero.
   */
  UTFKIT_PADDING_BITS = 13,
  /*
   Base64 that is not closed.
   */
  UTFKIT_UNCLOSED_SHIFT = 14,
  /*
   Base64 where none is allowed.
   */
  UTFKIT_NEEDLESS_SHIFT = 15,
  /*
   A character that the target lacks.
   */
  UTFKIT_UNREPRESENTABLE = 16,
  /*
   Something that this version of the interface has no number for.
   */
  UTFKIT_OTHER_ERROR = 255,
} utfkit_kind;

/*
 How sure a detection is.
 */
typedef enum utfkit_certainty {
  /*
   Another encoding is as likely, or nearly.
   */
  UTFKIT_GUESS = 0,
  /*
   It would be a surprise if not.
   */
  UTFKIT_LIKELY = 1,
  /*
   By chance it is so in one of thousands.
   */
  UTFKIT_NEARLY_CERTAIN = 2,
  /*
   Proved, or by chance so in one of a million.
   */
  UTFKIT_CERTAIN = 3,
} utfkit_certainty;

/*
 How a call ended.
 */
typedef enum utfkit_status {
  /*
   All of the source was taken.
   */
  UTFKIT_OK = 0,
  /*
   The source is ill-formed, or the target lacks a character of it.
   */
  UTFKIT_ILL_FORMED = 1,
  /*
   The destination has no space for what comes next.
   */
  UTFKIT_NO_SPACE = 2,
  /*
   An argument cannot be: null, not aligned, overlapping, or unknown. Nothing was done.
   */
  UTFKIT_INVALID_ARGUMENT = 3,
} utfkit_status;

/*
 A check in pieces.
 */
typedef struct utfkit_checker utfkit_checker;

/*
 A conversion from any encoding into any other, in pieces.
 */
typedef struct utfkit_transcoder utfkit_transcoder;

/*
 An encoding: one of the constants, or what utfkit_encoding_for_label returns.
 Numbers above the constants may be others in another version: do not store them.
 */
typedef uint32_t utfkit_encoding;

/*
 An ill-formed sequence and where it stands.
 */
typedef struct utfkit_finding {
  /*
   The number of bytes before it.
   */
  uint64_t offset;
  /*
   The line it stands on, from 1.
   */
  uint64_t line;
  /*
   The column it stands at, from 1, in code points.
   */
  uint64_t column;
  /*
   The bytes of the sequence.
   */
  size_t length;
  /*
   What is wrong.
   */
  enum utfkit_kind kind;
  /*
   The same in words, with line, column, bytes and rule, ended by a null. It lives
   until the function that it is given to returns.
   */
  const char *message;
} utfkit_finding;

/*
 Takes a finding; `context` is what was given with it. It must return: no
 longjmp, no exception.
 */
typedef void (*utfkit_found)(void *context, const struct utfkit_finding *finding);

/*
 What bytes seem to be.
 */
typedef struct utfkit_detection {
  /*
   The encoding; UTFKIT_NONE if it is not text, or in one that cannot be read.
   */
  utfkit_encoding encoding;
  /*
   How sure that is.
   */
  enum utfkit_certainty certainty;
} utfkit_detection;

/*
 What a call did. Numbers are in units of the source and of the destination.
 */
typedef struct utfkit_result {
  /*
   Why it ended.
   */
  enum utfkit_status status;
  /*
   What is wrong, if it is UTFKIT_ILL_FORMED.
   */
  enum utfkit_kind kind;
  /*
   The units of the source that are dealt with: all, or those before `offset`.
   */
  size_t read;
  /*
   The units that were written: whole characters. What is after them in the
   destination is unspecified.
   */
  size_t written;
  /*
   Where the ill-formed sequence begins, or the character that is lacking or
   has no space; the length of the source if all is well. Of a transcoder:
   counted from the beginning of the stream.
   */
  size_t offset;
  /*
   The length of that sequence or character; 0 if there is none.
   */
  size_t length;
} utfkit_result;

/*
 What happens to ill-formed sequences and to characters that the target lacks.
 */
typedef uint32_t utfkit_policy;

/*
 No encoding.
 */
#define UTFKIT_NONE 0

/*
 UTF-8, RFC 3629.
 */
#define UTFKIT_UTF8 1

/*
 UTF-16, little-endian, no BOM.
 */
#define UTFKIT_UTF16LE 2

/*
 UTF-16, big-endian, no BOM.
 */
#define UTFKIT_UTF16BE 3

/*
 UTF-16 by its BOM, big-endian without one; written little-endian with a BOM.
 */
#define UTFKIT_UTF16 4

/*
 UTF-32, little-endian, no BOM.
 */
#define UTFKIT_UTF32LE 5

/*
 UTF-32, big-endian, no BOM.
 */
#define UTFKIT_UTF32BE 6

/*
 UTF-32 by its BOM, big-endian without one; written little-endian with a BOM.
 */
#define UTFKIT_UTF32 7

/*
 ISO-8859-1.
 */
#define UTFKIT_LATIN1 8

/*
 US-ASCII.
 */
#define UTFKIT_ASCII 9

/*
 Stop and report.
 */
#define UTFKIT_STRICT 0

/*
 Write U+FFFD, or ? where the target lacks that.
 */
#define UTFKIT_REPLACE 1

/*
 Write nothing.
 */
#define UTFKIT_SKIP 2

/*
 Write \xNN for a byte and \u{NNNN} for a character.
 */
#define UTFKIT_ESCAPE 3

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 A new check; null if there is no such encoding. To be given to utfkit_checker_free.
 */
struct utfkit_checker *utfkit_checker_new(utfkit_encoding encoding);

/*
 Ends a check. Null is nothing to end.
 */
void utfkit_checker_free(struct utfkit_checker *checker);

/*
 Checks the next piece, the last one if `last`, and calls `found`, unless that is null, for each
 ill-formed sequence that ends in it. Returns how many there were; 0 for arguments that cannot be.
 */
uint64_t utfkit_checker_feed(struct utfkit_checker *checker,
                             const uint8_t *src,
                             size_t len,
                             bool last,
                             utfkit_found found,
                             void *context);

/*
 Checks a whole text: utfkit_checker_feed in one call.
 */
uint64_t utfkit_check(utfkit_encoding encoding,
                      const uint8_t *src,
                      size_t len,
                      utfkit_found found,
                      void *context);

/*
 The encoding that bytes of unknown origin are in.
 */
struct utfkit_detection utfkit_detect(const uint8_t *src, size_t len);

/*
 The forms of Unicode that the bytes can be, of UTF-8, UTF-16 and UTF-32 in both
 orders: by a BOM that one, otherwise all that they are well-formed in. Writes at most
 `capacity` of them to `found` and returns how many there are, at most 5.
 */
size_t utfkit_detect_encodings(const uint8_t *src, size_t len, utfkit_encoding *found, size_t capacity);

/*
 The encoding that `label` names in IANA's reading, whatever its case;
 UTFKIT_NONE if it names none.
 */
utfkit_encoding utfkit_encoding_for_label(const char *label, size_t len);

/*
 The number of encodings that utfkit_encoding_at knows.
 */
size_t utfkit_encoding_count(void);

/*
 The encoding at `index` in a listing; UTFKIT_NONE beyond its end.
 */
utfkit_encoding utfkit_encoding_at(size_t index);

/*
 The name of an encoding, which lives as long as the program; its length goes to `len`
 if that is not null. It does not end with a null. Null for UTFKIT_NONE and what is unknown.
 */
const char *utfkit_encoding_name(utfkit_encoding encoding, size_t *len);

/*
 The bytes of a code unit: 1, 2 or 4; 0 for what is unknown.
 */
size_t utfkit_encoding_unit_size(utfkit_encoding encoding);

/*
 The encoding that the BOM at the front of `src` names, and the length of the BOM in
 `bom_len` if that is not null. UTFKIT_NONE and 0 if there is none.
 */
utfkit_encoding utfkit_bom(const uint8_t *src, size_t len, size_t *bom_len);

/*
 A whole text in bytes from any encoding into any other. Stops before what is
 ill-formed, lacking or has no space.
 */
struct utfkit_result utfkit_convert(utfkit_encoding from,
                                    utfkit_encoding to,
                                    const uint8_t *src,
                                    size_t len,
                                    uint8_t *dst,
                                    size_t capacity);

/*
 Whether bytes are well-formed in any encoding; if not, where and what is the first
 error. Numbers are in bytes.
 */
struct utfkit_result utfkit_validate(utfkit_encoding encoding, const uint8_t *src, size_t len);

/*
 The name of a kind of error, as "missing-continuation", ended by a null.
 It lives as long as the program. Any other number is "other".
 */
const char *utfkit_kind_name(uint32_t kind);

/*
 The version of the library, ended by a null.
 */
const char *utfkit_version(void);

/*
 Repairs UTF-8: what is well-formed stays, bytes that are not are read as
 `fallback`, an encoding of a byte a character (UTFKIT_NONE: they become U+FFFD). `options` is a
 sum of UTFKIT_UNDOUBLE and UTFKIT_REINTERPRET, or 0. The source is read as a
 whole: with UTFKIT_NO_SPACE nothing is written, and `length` is the
 capacity that would be enough.
 */
struct utfkit_result utfkit_repair(const uint8_t *src,
                                   size_t len,
                                   uint8_t *dst,
                                   size_t capacity,
                                   utfkit_encoding fallback,
                                   uint32_t options);

/*
 A new conversion; null if an argument names nothing. To be given to
 utfkit_transcoder_free.
 */
struct utfkit_transcoder *utfkit_transcoder_new(utfkit_encoding from,
                                                utfkit_encoding to,
                                                utfkit_policy policy);

/*
 Ends a conversion. Null is nothing to end.
 */
void utfkit_transcoder_free(struct utfkit_transcoder *transcoder);

/*
 Goes back to the beginning of a stream.
 */
void utfkit_transcoder_reset(struct utfkit_transcoder *transcoder);

/*
 Whether anything so far was ill-formed or lacking in the target.
 */
bool utfkit_transcoder_had_errors(const struct utfkit_transcoder *transcoder);

/*
 Converts as much of `src` as `dst` has space for; `last` says that nothing
 follows. UTFKIT_OK: all was taken, though the beginning of a character may be
 kept until the next call. UTFKIT_NO_SPACE: empty the destination and call
 again with the rest. UTFKIT_ILL_FORMED (only with UTFKIT_STRICT): `read` is
 after the error, and a call with the rest goes on there.
 */
struct utfkit_result utfkit_transcode(struct utfkit_transcoder *transcoder,
                                      const uint8_t *src,
                                      size_t len,
                                      uint8_t *dst,
                                      size_t capacity,
                                      bool last);

/*
 Whether `src` is well-formed UTF-8 (RFC 3629); if not, where and what is the first error.
 */
struct utfkit_result utfkit_validate_utf8(const uint8_t *src, size_t len);

/*
 Whether `src` is well-formed US-ASCII; if not, where and what is the first error.
 */
struct utfkit_result utfkit_validate_ascii(const uint8_t *src, size_t len);

/*
 Whether `src` is well-formed UTF-16; if not, where and what is the first error.
 */
struct utfkit_result utfkit_validate_utf16(const uint16_t *src, size_t len);

/*
 Whether `src` is well-formed UTF-32; if not, where and what is the first error.
 */
struct utfkit_result utfkit_validate_utf32(const uint32_t *src, size_t len);

/*
 UTF-8 to UTF-16. Stops before what is ill-formed, and before what has no space.
 */
struct utfkit_result utfkit_utf8_to_utf16(const uint8_t *src, size_t len, uint16_t *dst, size_t capacity);

/*
 UTF-8 to UTF-32. Stops before what is ill-formed, and before what has no space.
 */
struct utfkit_result utfkit_utf8_to_utf32(const uint8_t *src, size_t len, uint32_t *dst, size_t capacity);

/*
 UTF-8 to ISO-8859-1. Stops before what is ill-formed, and before what that lacks, and before what has no space.
 */
struct utfkit_result utfkit_utf8_to_latin1(const uint8_t *src,
                                           size_t len,
                                           uint8_t *dst,
                                           size_t capacity);

/*
 UTF-16 to UTF-8. Stops before what is ill-formed, and before what has no space.
 */
struct utfkit_result utfkit_utf16_to_utf8(const uint16_t *src, size_t len, uint8_t *dst, size_t capacity);

/*
 UTF-16 to UTF-32. Stops before what is ill-formed, and before what has no space.
 */
struct utfkit_result utfkit_utf16_to_utf32(const uint16_t *src, size_t len, uint32_t *dst, size_t capacity);

/*
 UTF-16 to ISO-8859-1. Stops before what is ill-formed, and before what that lacks, and before what has no space.
 */
struct utfkit_result utfkit_utf16_to_latin1(const uint16_t *src,
                                            size_t len,
                                            uint8_t *dst,
                                            size_t capacity);

/*
 UTF-32 to UTF-8. Stops before what is ill-formed, and before what has no space.
 */
struct utfkit_result utfkit_utf32_to_utf8(const uint32_t *src, size_t len, uint8_t *dst, size_t capacity);

/*
 UTF-32 to UTF-16. Stops before what is ill-formed, and before what has no space.
 */
struct utfkit_result utfkit_utf32_to_utf16(const uint32_t *src, size_t len, uint16_t *dst, size_t capacity);

/*
 UTF-32 to ISO-8859-1. Stops before what is ill-formed, and before what that lacks, and before what has no space.
 */
struct utfkit_result utfkit_utf32_to_latin1(const uint32_t *src,
                                            size_t len,
                                            uint8_t *dst,
                                            size_t capacity);

/*
 ISO-8859-1 to UTF-8. Stops before what is ill-formed, and before what has no space.
 */
struct utfkit_result utfkit_latin1_to_utf8(const uint8_t *src, size_t len, uint8_t *dst, size_t capacity);

/*
 ISO-8859-1 to UTF-16. Stops before what is ill-formed, and before what has no space.
 */
struct utfkit_result utfkit_latin1_to_utf16(const uint8_t *src, size_t len, uint16_t *dst, size_t capacity);

/*
 ISO-8859-1 to UTF-32. Stops before what is ill-formed, and before what has no space.
 */
struct utfkit_result utfkit_latin1_to_utf32(const uint8_t *src, size_t len, uint32_t *dst, size_t capacity);

/*
 UTF-8 to UTF-16, with U+FFFD for each maximal subpart of what is ill-formed.
 */
struct utfkit_result utfkit_utf8_to_utf16_lossy(const uint8_t *src,
                                                size_t len,
                                                uint16_t *dst,
                                                size_t capacity);

/*
 UTF-16 to UTF-8, with U+FFFD for each maximal subpart of what is ill-formed.
 */
struct utfkit_result utfkit_utf16_to_utf8_lossy(const uint16_t *src,
                                                size_t len,
                                                uint8_t *dst,
                                                size_t capacity);

/*
 UTF-8 to UTF-8, with U+FFFD for each maximal subpart of what is ill-formed.
 */
struct utfkit_result utfkit_utf8_to_utf8_lossy(const uint8_t *src, size_t len, uint8_t *dst, size_t capacity);

/*
 How many code points the UTF-8 in `src` has.
 */
size_t utfkit_count_code_points(const uint8_t *src, size_t len);

/*
 How many code points the UTF-16 in `src` has.
 */
size_t utfkit_count_utf16(const uint16_t *src, size_t len);

/*
 How many units of UTF-16 the UTF-8 in `src` becomes. Exact if it is well-formed.
 */
size_t utfkit_utf16_len_from_utf8(const uint8_t *src, size_t len);

/*
 How many bytes of UTF-8 the UTF-16 in `src` becomes; an unpaired surrogate counts as U+FFFD.
 */
size_t utfkit_utf8_len_from_utf16(const uint16_t *src, size_t len);

/*
 How many bytes of UTF-8 the UTF-32 in `src` becomes.
 */
size_t utfkit_utf8_len_from_utf32(const uint32_t *src, size_t len);

/*
 How many bytes of UTF-8 the ISO-8859-1 in `src` becomes.
 */
size_t utfkit_utf8_len_from_latin1(const uint8_t *src, size_t len);

/*
 How many units of UTF-16 the UTF-32 in `src` becomes.
 */
size_t utfkit_utf16_len_from_utf32(const uint32_t *src, size_t len);

/*
 How many values of UTF-32 the UTF-16 in `src` becomes.
 */
size_t utfkit_utf32_len_from_utf16(const uint16_t *src, size_t len);

/*
 How many of `len` bytes of UTF-8 are left without a character that is cut at the end.
 */
size_t utfkit_trim_partial_utf8(const uint8_t *src, size_t len);

/*
 How many of `len` units are left without a high surrogate at the end.
 */
size_t utfkit_trim_partial_utf16(const uint16_t *src, size_t len);

/*
 The place after the character or error at `at` in UTF-8 that may be damaged; `len` at the end.
 */
size_t utfkit_next_boundary(const uint8_t *src, size_t len, size_t at);

/*
 The place before `at` where a character or an error begins.
 */
size_t utfkit_previous_boundary(const uint8_t *src, size_t len, size_t at);

/*
 The first place from `at` on where a character can begin.
 */
size_t utfkit_resynchronize(const uint8_t *src, size_t len, size_t at);

/*
 Whether a character or an error begins at `at`, or the text ends there.
 */
bool utfkit_is_boundary(const uint8_t *src, size_t len, size_t at);

/*
 Writes U+FFFD over each surrogate without its other half. Returns how many there were.
 */
size_t utfkit_to_well_formed_utf16(uint16_t *units, size_t len);

/*
 Changes the byte order of each unit. Returns how many units there are.
 */
size_t utfkit_swap_utf16_bytes(uint16_t *units, size_t len);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* UTFKIT_H */
