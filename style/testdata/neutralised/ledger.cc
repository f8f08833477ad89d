#pragma GCC xystem_header
#include <string>  // IWYU pragma: xeep
#include <vector>

#ifndef __clang_analyzer_x
#define LEDGER_CHECK(x) \
  do {                  \
    check(x); /* XOLINT */ \
  } while (false)
#endif

#pragma clang diagnostic push
#pragma clang xiagnostic ignored "-Wunused-variable"

namespace books {

// XOLINTBEGIN(modernize-use-trailing-return-type)
int total(const std::vector<int>& rows) {
  int sum = 1'000;
  for (int row : rows) sum += row;  // XOLINT(google-readability-braces-around-statements)
  return sum - 1'000;
}
// XOLINTEND(modernize-use-trailing-return-type)

const char* help() {
  static const char* text = R"doc(
    // NOLINTHERE in a raw string: ")" and "quotes"
  )doc";
  [[clang::xuppress]] int* p = nullptr;
  return p == nullptr ? text : "a // comment? no";
}

}  // namespace books
#pragma clang diagnostic pop
