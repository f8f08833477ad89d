#include "cellgraph/sheet.h"

#include <cstdlib>
#include <deque>
#include <stdexcept>
#include <vector>

namespace cellgraph {

void Sheet::set(const std::string& cell, const std::string& text) {
  const Address at = Address::parse(cell);
  Formula formula;
  std::set<Address> references;
  if (!text.empty() && text[0] == '=') {
    formula = parse_formula(text.substr(1));
    formula->references(references);
    if (reaches(at, references)) throw std::invalid_argument("circle through " + at.text());
  }
  connect(at, references);
  Content& content = cells_[at];
  content.text = text;
  content.formula = formula;
  recalculate(at);
}

std::string Sheet::text(const std::string& cell) const {
  const auto found = cells_.find(Address::parse(cell));
  return found == cells_.end() ? "" : found->second.text;
}

Value Sheet::value(const std::string& cell) const {
  const auto found = cells_.find(Address::parse(cell));
  return found == cells_.end() ? Value{} : found->second.value;
}

// Tells whether a target is the cell itself or depends on it.
bool Sheet::reaches(const Address& from, const std::set<Address>& targets) const {
  std::set<Address> seen{from};
  std::vector<Address> open{from};
  while (!open.empty()) {
    const Address at = open.back();
    open.pop_back();
    if (targets.count(at) != 0) return true;
    const auto found = cells_.find(at);
    if (found == cells_.end()) continue;
    for (const Address& next : found->second.dependents) {
      if (seen.insert(next).second) open.push_back(next);
    }
  }
  return false;
}

void Sheet::connect(const Address& at, const std::set<Address>& references) {
  for (const Address& old : cells_[at].references) cells_[old].dependents.erase(at);
  for (const Address& now : references) cells_[now].dependents.insert(at);
  cells_[at].references = references;
}

// Brings the changed cell and all that depend on it up to date.
void Sheet::recalculate(const Address& changed) {
  std::set<Address> seen{changed};
  std::deque<Address> open{changed};
  while (!open.empty()) {
    const Address at = open.front();
    open.pop_front();
    update(at);
    for (const Address& next : cells_[at].dependents) {
      if (seen.insert(next).second) open.push_back(next);
    }
  }
}

void Sheet::update(const Address& at) {
  Content& content = cells_[at];
  const Value value = compute(content);
  if (value == content.value) return;
  content.value = value;
  if (watcher_) watcher_(at.text(), value);
}

Value Sheet::compute(const Content& content) const {
  if (content.formula == nullptr) {
    char* end = nullptr;
    const double number = std::strtod(content.text.c_str(), &end);
    const bool whole = !content.text.empty() && *end == '\0';
    return whole ? Value{number, ""} : Value{0, content.text};
  }
  const Lookup lookup = [this](const Address& at) {
    const auto found = cells_.find(at);
    if (found == cells_.end()) return 0.0;
    const Value& value = found->second.value;
    if (!value.label.empty() && value.label[0] == '#') throw std::domain_error(value.label);
    return value.number;
  };
  try {
    return Value{content.formula->evaluate(lookup), ""};
  } catch (const std::domain_error&) {
    return Value{0, "#DIV"};
  }
}

}  // namespace cellgraph
