#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace stock {

#define STOCK_TWICE(n) ((n) + (n))

enum class Kind { tool, part };

class Shelf {
public:
  Shelf() : room(0) {}
  ~Shelf() { delete[] marks; }
  int put(const std::string &name, int count);
  int room;

private:
  std::vector<int> counts;
  char *marks = nullptr;
};

// A name such as "Schräubchen – klein" takes more bytes than letters.
inline int widest(const int *counts, std::size_t n) {
  int best = 0; /* ä */ int seen;
  for (std::size_t i = 0; i < n; ++i) {
    seen = counts[i];
    if (seen > best) best = seen;
  }
  return best;
}

} // namespace stock
