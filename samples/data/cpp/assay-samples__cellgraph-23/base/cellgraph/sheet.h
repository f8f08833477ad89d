#ifndef CELLGRAPH_SHEET_H
#define CELLGRAPH_SHEET_H

#include <functional>
#include <map>
#include <set>
#include <string>

#include "cellgraph/address.h"
#include "cellgraph/formula.h"

namespace cellgraph {

/// What a cell shows: a number, a label, or an error that begins with "#".
struct Value {
  double number = 0;
  std::string label;
};

inline bool operator==(const Value& a, const Value& b) { return a.number == b.number && a.label == b.label; }
inline bool operator!=(const Value& a, const Value& b) { return !(a == b); }

/// Cells, kept up to date.
class Sheet {
 public:
  /// Is told of a cell whose value is another than before.
  using Watcher = std::function<void(const std::string& cell, const Value& value)>;

  /// Sets a cell: "=..." is a formula, what reads as a number is one, the rest
  /// is a label, and "" empties the cell. Throws std::invalid_argument for a
  /// wrong formula or a circle, and changes nothing then.
  void set(const std::string& cell, const std::string& text);

  std::string text(const std::string& cell) const;
  double number(const std::string& cell) const { return value(cell).number; }
  std::string label(const std::string& cell) const { return value(cell).label; }

  void watch(Watcher watcher) { watcher_ = std::move(watcher); }

 private:
  struct Content {
    std::string text;
    Formula formula;  // null where the cell has none
    Value value;
    std::set<Address> references;
    std::set<Address> dependents;
  };

  Value value(const std::string& cell) const;
  bool reaches(const Address& from, const std::set<Address>& targets) const;
  void connect(const Address& at, const std::set<Address>& references);
  void recalculate(const Address& changed);
  void update(const Address& at);
  Value compute(const Content& content) const;

  std::map<Address, Content> cells_;
  Watcher watcher_;
};

}  // namespace cellgraph

#endif
