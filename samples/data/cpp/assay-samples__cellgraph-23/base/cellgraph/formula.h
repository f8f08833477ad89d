#ifndef CELLGRAPH_FORMULA_H
#define CELLGRAPH_FORMULA_H

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "cellgraph/address.h"

namespace cellgraph {

/// Gives the number in a cell; a cell without one counts as 0.
using Lookup = std::function<double(const Address&)>;

/// One node of a formula.
class Node {
 public:
  virtual ~Node() = default;
  /// Throws std::domain_error where the result is no number.
  virtual double evaluate(const Lookup& lookup) const = 0;
  virtual void references(std::set<Address>& out) const = 0;
};

using Formula = std::shared_ptr<const Node>;

/// Reads a formula without its "="; throws std::invalid_argument.
Formula parse_formula(const std::string& text);

}  // namespace cellgraph

#endif
