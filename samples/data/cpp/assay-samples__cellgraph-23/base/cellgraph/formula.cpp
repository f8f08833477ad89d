#include "cellgraph/formula.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <vector>

namespace cellgraph {

namespace {

struct Number : Node {
  explicit Number(double v) : value(v) {}
  double evaluate(const Lookup&) const override { return value; }
  void references(std::set<Address>&) const override {}
  double value;
};

struct Operation : Node {
  Operation(char o, Formula l, Formula r) : op(o), left(std::move(l)), right(std::move(r)) {}
  double evaluate(const Lookup& lookup) const override {
    const double a = left->evaluate(lookup);
    const double b = right->evaluate(lookup);
    switch (op) {
      case '+': return a + b;
      case '-': return a - b;
      case '*': return a * b;
    }
    if (b == 0) throw std::domain_error("division by zero");
    return a / b;
  }
  void references(std::set<Address>& out) const override {
    left->references(out);
    right->references(out);
  }
  char op;
  Formula left, right;
};

struct Cell : Node {
  explicit Cell(Address a) : address(a) {}
  double evaluate(const Lookup& lookup) const override { return lookup(address); }
  void references(std::set<Address>& out) const override { out.insert(address); }
  Address address;
};

struct Call : Node {
  double evaluate(const Lookup& lookup) const override {
    std::vector<double> values;
    for (const Formula& a : arguments) values.push_back(a->evaluate(lookup));
    if (name == "COUNT") return static_cast<double>(values.size());
    double result = name == "SUM" ? 0 : values.front();
    for (double v : values) {
      if (name == "SUM") result += v;
      if (name == "MIN") result = std::min(result, v);
      if (name == "MAX") result = std::max(result, v);
    }
    return result;
  }
  void references(std::set<Address>& out) const override {
    for (const Formula& a : arguments) a->references(out);
  }
  std::string name;
  std::vector<Formula> arguments;
};

class Parser {
 public:
  explicit Parser(const std::string& text) : text_(text) {}

  Formula whole() {
    Formula f = sum();
    if (peek() != '\0') fail();
    return f;
  }

 private:
  Formula sum() {
    Formula f = product();
    while (peek() == '+' || peek() == '-') {
      const char op = take();
      f = std::make_shared<Operation>(op, f, product());
    }
    return f;
  }

  Formula product() {
    Formula f = factor();
    while (peek() == '*' || peek() == '/') {
      const char op = take();
      f = std::make_shared<Operation>(op, f, factor());
    }
    return f;
  }

  Formula factor() {
    const char c = peek();
    if (c == '-') {
      take();
      return std::make_shared<Operation>('-', std::make_shared<Number>(0), factor());
    }
    if (c == '(') {
      take();
      Formula f = sum();
      expect(')');
      return f;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return number();
    const std::string word = this->word();
    if (peek() == '(') return call(word);
    return std::make_shared<Cell>(Address::parse(word));
  }

  Formula number() {
    std::size_t used = 0;
    const double value = std::stod(text_.substr(at_), &used);
    at_ += used;
    return std::make_shared<Number>(value);
  }

  Formula call(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
    if (name != "SUM" && name != "MIN" && name != "MAX" && name != "COUNT") fail();
    auto call = std::make_shared<Call>();
    call->name = name;
    expect('(');
    do {
      argument(*call);
    } while (peek() == ',' && take());
    expect(')');
    return call;
  }

  // A range becomes the cells in it.
  void argument(Call& call) {
    Formula f = sum();
    const auto* corner = dynamic_cast<const Cell*>(f.get());
    if (peek() != ':' || corner == nullptr) {
      call.arguments.push_back(f);
      return;
    }
    take();
    for (const Address& a : rectangle(corner->address, Address::parse(word()))) {
      call.arguments.push_back(std::make_shared<Cell>(a));
    }
  }

  std::string word() {
    peek();
    const std::size_t from = at_;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_]))) ++at_;
    if (at_ == from) fail();
    return text_.substr(from, at_ - from);
  }

  char peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  char take() { return text_[at_++]; }

  void expect(char c) {
    if (peek() != c) fail();
    take();
  }

  [[noreturn]] void fail() const {
    throw std::invalid_argument("formula \"" + text_ + "\" is wrong at " + std::to_string(at_));
  }

  const std::string text_;
  std::size_t at_ = 0;
};

}  // namespace

Formula parse_formula(const std::string& text) { return Parser(text).whole(); }

}  // namespace cellgraph
