#include "cellgraph/address.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace cellgraph {

Address Address::parse(const std::string& text) {
  std::size_t i = 0;
  int column = 0;
  int row = 0;
  for (; i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) && i < 3; ++i) {
    column = column * 26 + (std::toupper(static_cast<unsigned char>(text[i])) - 'A' + 1);
  }
  const std::size_t digits = i;
  for (; i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) && i < digits + 6; ++i) {
    row = row * 10 + (text[i] - '0');
  }
  if (column == 0 || row == 0 || i != text.size()) throw std::invalid_argument("not a cell: " + text);
  return {column - 1, row - 1};
}

std::string Address::text() const {
  std::string letters;
  for (int rest = column + 1; rest > 0; rest = (rest - 1) / 26) {
    letters.insert(letters.begin(), static_cast<char>('A' + (rest - 1) % 26));
  }
  return letters + std::to_string(row + 1);
}

std::vector<Address> rectangle(const Address& corner, const Address& opposite) {
  const auto columns = std::minmax(corner.column, opposite.column);
  const auto rows = std::minmax(corner.row, opposite.row);
  std::vector<Address> out;
  for (int row = rows.first; row <= rows.second; ++row) {
    for (int column = columns.first; column <= columns.second; ++column) out.push_back({column, row});
  }
  return out;
}

}  // namespace cellgraph
