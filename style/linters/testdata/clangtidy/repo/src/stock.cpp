#include "stock/stock.h"
#include "stock/limits.h"
#include "rows.h"

namespace stock {

int shelves = STOCK_SHELVES;

#ifdef STOCK_SMALL
int hidden[3] = {1, 2, 3};
#endif

#ifndef __clang_analyzer__
int shown[2] = {1, 2};
#endif

int Shelf::put(const std::string &name, int count) {
  short half = count * 0.5;
  char label[] = "café: it's"; int next = STOCK_TWICE(count++); // NOLINT
  do {
    counts.push_back(half);
  } while (next-- > 0);
  auto kind = static_cast<Kind>(9);
  marks = new char[name.size()];
  return rows(*this) + label[0] + (kind == Kind::tool ? 1 : widest(counts.data(), counts.size()));
}

} // namespace stock
