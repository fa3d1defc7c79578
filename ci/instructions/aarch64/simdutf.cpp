// Runs simdutf for the instruction counter, as ../src/marked.rs does with
// utfkit.
//
//     simdutf FOLDER NAME...

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

#include "simdutf.h"

static std::string folder, text;

// The file of the text with this extension; empty if there is none.
template <class Unit> static std::vector<Unit> form(const char *extension) {
  std::ifstream file(folder + "/" + text + extension, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const Unit *units = reinterpret_cast<const Unit *>(bytes.data());
  return std::vector<Unit>(units, units + bytes.size() / sizeof(Unit));
}

static void mark(const std::string &line) {
  if (write(STDOUT_FILENO, line.data(), line.size()) != ssize_t(line.size())) std::exit(1);
}

// A mark, one call, a mark, two calls, a mark.
template <class Unit, class Call>
static void cell(const char *library, const char *operation, const std::vector<Unit> &src, Call call) {
  if (src.empty()) return;
  std::string line = std::string(library) + "\t" + operation + "\t" + text + "\t" + std::to_string(src.size() * sizeof(Unit)) + "\n";
  volatile size_t result = call(src.data(), src.size());
  if (!result) {
    std::fprintf(stderr, "%s takes %s for ill-formed\n", operation, text.c_str());
    std::exit(1);
  }
  mark(line);
  result = call(src.data(), src.size());
  mark(line);
  result = call(src.data(), src.size());
  result = call(src.data(), src.size());
  mark(line);
}

template <class From, class To>
static void conversion(const char *operation, const std::vector<From> &src,
                       size_t (*convert)(const From *, size_t, To *)) {
  std::vector<To> dst(4 * src.size() + 64);
  cell("simdutf", operation, src, [&](const From *from, size_t len) { return convert(from, len, dst.data()); });
}

int main(int argc, char **argv) {
  folder = argc > 1 ? argv[1] : "";
  for (int i = 2; i < argc; i++) {
    text = argv[i];
    auto utf8 = form<char>(".8"), latin1 = form<char>(".l"), latin1_utf8 = form<char>(".l8");
    auto utf16 = form<char16_t>(".16"), latin1_utf16 = form<char16_t>(".l16");
    auto utf32 = form<char32_t>(".32"), latin1_utf32 = form<char32_t>(".l32");
    cell("simdutf", "validate", utf8, [](const char *s, size_t n) { return size_t(simdutf::validate_utf8(s, n)); });
    cell("simdutf-err", "validate", utf8, [](const char *s, size_t n) {
      return size_t(simdutf::validate_utf8_with_errors(s, n).error == simdutf::SUCCESS);
    });
    cell("simdutf", "validate-16", utf16,
         [](const char16_t *s, size_t n) { return size_t(simdutf::validate_utf16le(s, n)); });
    cell("simdutf", "validate-32", utf32,
         [](const char32_t *s, size_t n) { return size_t(simdutf::validate_utf32(s, n)); });
    conversion<char, char16_t>("8-16", utf8, simdutf::convert_utf8_to_utf16le);
    conversion<char16_t, char>("16-8", utf16, simdutf::convert_utf16le_to_utf8);
    conversion<char, char32_t>("8-32", utf8, simdutf::convert_utf8_to_utf32);
    conversion<char32_t, char>("32-8", utf32, simdutf::convert_utf32_to_utf8);
    conversion<char16_t, char32_t>("16-32", utf16, simdutf::convert_utf16le_to_utf32);
    conversion<char32_t, char16_t>("32-16", utf32, simdutf::convert_utf32_to_utf16le);
    conversion<char, char>("latin1-8", latin1, simdutf::convert_latin1_to_utf8);
    conversion<char, char>("8-latin1", latin1_utf8, simdutf::convert_utf8_to_latin1);
    conversion<char, char16_t>("latin1-16", latin1, simdutf::convert_latin1_to_utf16le);
    conversion<char16_t, char>("16-latin1", latin1_utf16, simdutf::convert_utf16le_to_latin1);
    conversion<char, char32_t>("latin1-32", latin1, simdutf::convert_latin1_to_utf32);
    conversion<char32_t, char>("32-latin1", latin1_utf32, simdutf::convert_utf32_to_latin1);
    cell("simdutf", "count", utf8, [](const char *s, size_t n) { return simdutf::count_utf8(s, n); });
    cell("simdutf", "len-16-of-8", utf8,
         [](const char *s, size_t n) { return simdutf::utf16_length_from_utf8(s, n); });
    cell("simdutf", "len-8-of-16", utf16,
         [](const char16_t *s, size_t n) { return simdutf::utf8_length_from_utf16le(s, n); });
    cell("simdutf", "len-8-of-32", utf32,
         [](const char32_t *s, size_t n) { return simdutf::utf8_length_from_utf32(s, n); });
    cell("simdutf", "len-8-of-latin1", latin1,
         [](const char *s, size_t n) { return simdutf::utf8_length_from_latin1(s, n); });
  }
}
