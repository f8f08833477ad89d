#ifndef CELLGRAPH_ADDRESS_H
#define CELLGRAPH_ADDRESS_H

#include <string>
#include <vector>

namespace cellgraph {

/// Where a cell stands. Both numbers begin with 0.
struct Address {
  int column = 0;
  int row = 0;

  /// Reads an address such as "AB12", in any case; throws std::invalid_argument.
  static Address parse(const std::string& text);

  std::string text() const;
};

inline bool operator<(const Address& a, const Address& b) {
  return a.row != b.row ? a.row < b.row : a.column < b.column;
}
inline bool operator==(const Address& a, const Address& b) { return a.row == b.row && a.column == b.column; }

/// Lists the cells of the rectangle between two corners, row by row.
std::vector<Address> rectangle(const Address& corner, const Address& opposite);

}  // namespace cellgraph

#endif
