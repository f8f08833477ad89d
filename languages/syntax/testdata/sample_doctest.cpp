// doctest's macros.
#include "doctest_compatibility.h"

TEST_SUITE("suite") {
    TEST_CASE("decorated" * doctest::skip() * doctest::description("x")) {
        SUBCASE("one") {
            SUBCASE("two") {
            }
        }
    }
}

TEST_CASE_FIXTURE(Fixture, "with fixture") {
}

TEST_CASE_TEMPLATE("signed", T, int, long) {
    SUBCASE("zero") {
    }
}

TEST_CASE_TEMPLATE_DEFINE("defined", T, defined_id) {
}
TEST_CASE_TEMPLATE_INVOKE(defined_id, char,
                          short);
TEST_CASE_TEMPLATE_APPLY(defined_id, std::tuple<float>);

SCENARIO("steps") {
    GIVEN("a") {
        WHEN("b") {
            AND_WHEN("c") {
                THEN("d") {
                    AND_THEN("e") {
                    }
                }
            }
        }
    }
}

DOCTEST_TEST_CASE("prefixed") {
    DOCTEST_SUBCASE("sub") {
    }
}

TEST_CASE("") {
    SUBCASE("in anonymous") {
    }
}
