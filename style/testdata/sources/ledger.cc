#pragma GCC system_header
#include <string>  // IWYU pragma: keep
#include <vector>

#ifndef __clang_analyzer__
#define LEDGER_CHECK(x) \
  do {                  \
    check(x); /* NOLINT */ \
  } while (false)
#endif

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-variable"

namespace books {

// NOLINTBEGIN(modernize-use-trailing-return-type)
int total(const std::vector<int>& rows) {
  int sum = 1'000;
  for (int row : rows) sum += row;  // NOLINT(google-readability-braces-around-statements)
  return sum - 1'000;
}
// NOLINTEND(modernize-use-trailing-return-type)

const char* help() {
  static const char* text = R"doc(
    // NOLINTHERE in a raw string: ")" and "quotes"
  )doc";
  [[clang::suppress]] int* p = nullptr;
  return p == nullptr ? text : "a // comment? no";
}

}  // namespace books
#pragma clang diagnostic pop
