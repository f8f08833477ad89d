#include <doctest/doctest.h>

#include <stdexcept>

#include "cellgraph/formula.h"

using namespace cellgraph;

namespace {

// Every cell holds its column number plus ten times its row number.
double calculate(const std::string& text) {
  return parse_formula(text)->evaluate([](const Address& at) { return at.column + 1 + 10.0 * (at.row + 1); });
}

}  // namespace

TEST_CASE("addresses") {
  CHECK(Address::parse("c7") == Address{2, 6});
  CHECK(Address::parse("AA10").text() == "AA10");
  CHECK(rectangle({1, 1}, {0, 2}).size() == 4);
  CHECK_THROWS_AS(Address::parse("7C"), std::invalid_argument);
  CHECK_THROWS_AS(Address::parse("A0"), std::invalid_argument);
}

TEST_CASE("formulas") {
  SUBCASE("precedence") {
    CHECK(calculate("1 + 2 * 3 - 4 / 2") == 5);
    CHECK(calculate("(1 + 2) * -3") == -9);
  }
  SUBCASE("cells") {
    CHECK(calculate("a1 + B2") == 33);
  }
  SUBCASE("functions") {
    CHECK(calculate("SUM(A1:B2)") == 66);
    CHECK(calculate("max(A1, 12.5, A1) - MIN(A1:A9)") == 1.5);
    CHECK(calculate("COUNT(A1:C3, 1)") == 10);
  }
  SUBCASE("errors") {
    for (const char* text : {"", "1 +", "(1", "1 2", "LOG(1)", "A1:B2", "SUM()"}) {
      CAPTURE(text);
      CHECK_THROWS_AS(parse_formula(text), std::invalid_argument);
    }
    CHECK_THROWS_AS(calculate("1 / 0"), std::domain_error);
  }
}
