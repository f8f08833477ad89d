// Catch2's macros.
#include <catch2/catch_test_macros.hpp>

TEST_CASE("vectors can be sized", "[vector]") {
    std::vector<int> v(5);

    SECTION("resizing bigger") {
        v.resize(10);
        SECTION("  and capacity ") {
            CHECK(v.capacity() >= 10);
        }
    }
    SECTION("resizing " "smaller \"quoted\" \x41\102\u00e9\t|",
            "a description") {
        v.resize(0);
    }
    for (int i = 0; i < 2; ++i) {
        SECTION("dynamic " + std::to_string(i)) {
            SECTION("in dynamic") { CHECK(i); }
        }
        DYNAMIC_SECTION("also " << i) {
            SECTION("in dynamic, too") { CHECK(i); }
        }
    }
    if (v.empty())
        SECTION("without braces") CHECK(true);
    SECTION("outer without braces")
        SECTION("inner with braces") {
            CHECK(true);
        }
}

TEST_CASE(R"(raw \name)") { CHECK(true); }

TEST_CASE() { SECTION("in anonymous") {} }

TEST_CASE_METHOD(Fixture, "uses a fixture", "[tag]") {
}

SCENARIO("a user logs in", "[login]") {
    GIVEN("a user") {
        AND_GIVEN("a password") {
            WHEN("they log in") {
                AND_WHEN("twice") {
                    THEN("it works") {
                        AND_THEN("it is told") {
                        }
                    }
                }
            }
        }
    }
}

TEMPLATE_TEST_CASE("sizes", "[template]", int, (std::map<int, char>)) {
    SECTION("zero") {
    }
}

TEMPLATE_TEST_CASE_METHOD(Fixture, "sizes with fixture", "[template]", int, char) {
}

METHOD_AS_TEST_CASE(Thing::works, "a method", "[x]")
REGISTER_TEST_CASE(freeFunction, "a function", "[x]");

CATCH_TEST_CASE("prefixed") {
    CATCH_SECTION("section") {
    }
}

static void helper() {
    SECTION("in a helper") {
    }
}
