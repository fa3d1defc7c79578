/* iconv on memory next to unmapped pages, in every size, and with invalid arguments. Prints the same with
 * libutfkit_iconv.so preloaded and without it. */
#define _DEFAULT_SOURCE
#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static unsigned char *guarded(void) {
  unsigned char *all = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || mprotect(all, 4096, PROT_NONE) || mprotect(all + 8192, 4096, PROT_NONE)) exit(2);
  return all + 4096;
}

static uint64_t sum = 14695981039346656037u;
static size_t calls;

static void count(const void *bytes, size_t len) {
  size_t i;
  for (i = 0; i < len; i++) sum = (sum ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
}

int main(void) {
  static const char *const names[] = {"UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32", "UTF-32BE", "UCS-2LE", "UCS-4",
                                      "WCHAR_T", "ISO-8859-1", "KOI8-R", "WINDOWS-1252", "US-ASCII", "ISO-8859-15", "EUC-JP", "SHIFT_JIS", "GB18030"};
  static const char text[] = "Some text: \xD0\x9F\xD1\x80\xD0\xB8, na\xC3\xAFve \xE2\x82\xAC \xF0\x9F\x98\x80 \xFF end, and more "
                             "of it for a vector register or two, with 0123456789 and so on until it is long";
  unsigned char *const source = guarded(), *const target = guarded();
  size_t f, t, len, end;
  for (f = 0; f < sizeof names / sizeof *names; f++) {
    for (t = 0; t < sizeof names / sizeof *names; t++) {
      /* Read as UCS-4, the text has values above U+10FFFF, which glibc converts. */
      const int is_large = strcmp(names[f], "UCS-4") == 0 || strcmp(names[f], "WCHAR_T") == 0;
      const int takes_large = strcmp(names[t], "UTF-8") == 0 || strcmp(names[t], "UCS-4") == 0 || strcmp(names[t], "WCHAR_T") == 0;
      iconv_t cd = is_large && takes_large ? (iconv_t)-1 : iconv_open(names[t], names[f]);
      if (cd == (iconv_t)-1) continue;
      for (len = 0; len < sizeof text; len += 1 + len / 16) {
        size_t capacity;
        for (capacity = 0; capacity < 2 * len + 4; capacity += 1 + capacity / 8) {
          for (end = 0; end < 2; end++) {
            char *in = (char *)(end ? source + 4096 - len : source), *out = (char *)(end ? target + 4096 - capacity : target);
            size_t in_left = len, out_left = capacity, result;
            char *const begin = out;
            int error;
            memcpy(in, text, len);
            iconv(cd, NULL, NULL, NULL, NULL);
            errno = 0;
            result = iconv(cd, &in, &in_left, &out, &out_left);
            error = errno;
            count(&result, sizeof result);
            count(&error, sizeof error);
            count(&in_left, sizeof in_left);
            count(begin, (size_t)(out - begin));
            calls++;
          }
        }
      }
      iconv_close(cd);
    }
  }
  printf("%zu calls, %016llx\n", calls, (unsigned long long)sum);
  /* Calls that crash in glibc. */
  if (getenv("LD_PRELOAD")) {
    iconv_t cd = iconv_open("UTF-16LE", "UTF-8");
    iconv_t volatile none = (iconv_t)-1;
    char bytes[8] = "ab", *in = bytes, *out = bytes + 4;
    size_t left = 2, space = 4;
    int wrong = iconv_open(NULL, "UTF-8") != (iconv_t)-1 || iconv_open("UTF-8", NULL) != (iconv_t)-1;
    wrong |= iconv(NULL, &in, &left, &out, &space) != (size_t)-1 || errno != EBADF;
    wrong |= iconv(none, &in, &left, &out, &space) != (size_t)-1 || errno != EBADF;
    wrong |= iconv(cd, &in, NULL, &out, &space) != (size_t)-1 || errno != EFAULT;
    wrong |= iconv(cd, &in, &left, NULL, &space) != (size_t)-1 || errno != EFAULT;
    wrong |= iconv(cd, &in, &left, &out, NULL) != (size_t)-1 || errno != EFAULT;
    wrong |= iconv_close(NULL) != -1 || iconv_close(none) != -1;
    /* Source and target overlap. */
    in = out = bytes;
    wrong |= iconv_close(cd) != 0;
    cd = iconv_open("UTF-16BE", "UTF-16LE");
    memcpy(bytes, "a\0b\0c\0d\0", 8);
    left = space = 8;
    wrong |= iconv(cd, &in, &left, &out, &space) != 0 || memcmp(bytes, "\0a\0b\0c\0d", 8) != 0;
    iconv_close(cd);
    /* A target "without a limit". */
    cd = iconv_open("UTF-16BE", "UTF-8");
    in = bytes, out = bytes + 4, left = 2, space = (size_t)-1;
    memcpy(bytes, "ab", 2);
    wrong |= iconv(cd, &in, &left, &out, &space) != 0 || memcmp(bytes + 4, "\0a\0b", 4) != 0 || left != 0;
    wrong |= in != bytes + 2 || out != bytes + 8 || space != (size_t)-5;
    iconv_close(cd);
    if (wrong) return 1;
  }
  return 0;
}
