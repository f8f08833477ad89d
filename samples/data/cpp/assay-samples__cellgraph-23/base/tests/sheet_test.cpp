#include <doctest/doctest.h>

#include <stdexcept>

#include "cellgraph/sheet.h"

using cellgraph::Sheet;
using cellgraph::Value;

TEST_CASE("contents") {
  Sheet sheet;
  sheet.set("A1", "2.5");
  sheet.set("A2", "total");
  sheet.set("A3", "=A1 * 2");
  CHECK(sheet.number("A1") == 2.5);
  CHECK(sheet.label("A2") == "total");
  CHECK(sheet.number("A3") == 5);
  CHECK(sheet.text("A3") == "=A1 * 2");
  CHECK(sheet.text("B9") == "");
}

TEST_CASE("changes reach what depends on them") {
  Sheet sheet;
  sheet.set("A1", "1");
  sheet.set("B1", "=A1 + 1");
  SUBCASE("directly") {
    sheet.set("A1", "5");
    CHECK(sheet.number("B1") == 6);
  }
  SUBCASE("through another cell") {
    sheet.set("C1", "=B1 * 10");
    sheet.set("A1", "5");
    CHECK(sheet.number("C1") == 60);
  }
  SUBCASE("through a range") {
    sheet.set("C1", "=SUM(A1:B1)");
    sheet.set("A1", "5");
    CHECK(sheet.number("C1") == 11);
  }
  SUBCASE("no longer after a new formula") {
    sheet.set("B1", "=7");
    sheet.set("A1", "5");
    CHECK(sheet.number("B1") == 7);
  }
}

TEST_CASE("circles are refused") {
  Sheet sheet;
  sheet.set("A1", "1");
  sheet.set("B1", "=A1");
  CHECK_THROWS_AS(sheet.set("A1", "=B1 + 1"), std::invalid_argument);
  CHECK_THROWS_AS(sheet.set("C1", "=SUM(A1:D1)"), std::invalid_argument);
  CHECK(sheet.text("A1") == "1");
  CHECK(sheet.text("C1") == "");
}

TEST_CASE("errors spread and heal") {
  Sheet sheet;
  sheet.set("A1", "=1 / B1");
  sheet.set("A2", "=A1 + 1");
  CHECK(sheet.label("A2") == "#DIV");
  sheet.set("B1", "4");
  CHECK(sheet.label("A2") == "");
  CHECK(sheet.number("A2") == 1.25);
}

TEST_CASE("watchers hear of changes only") {
  Sheet sheet;
  sheet.set("A1", "1");
  sheet.set("B1", "=A1 * 0");
  std::string heard;
  sheet.watch([&](const std::string& cell, const Value&) { heard += cell + " "; });
  sheet.set("A1", "2");
  sheet.set("A1", "2");
  CHECK(heard == "A1 ");
}
