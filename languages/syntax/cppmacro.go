package syntax

import "strings"

// macro describes a test macro: where its name is among the arguments and
// what the framework puts before it.
type macro struct {
	kind      SymbolKind
	gtest     bool // arguments are suite and name, both identifiers
	name      int  // index of the argument with the name, a string
	prefix    string
	templated bool // the framework makes one case per type
	id        int  // index of the argument that TEST_CASE_TEMPLATE_INVOKE refers to; 0 for none
	bodiless  bool // registers a function that is elsewhere
}

// testMacro knows the macros of GoogleTest (1.8 to 1.17), Catch2 (2 and 3)
// and doctest (2.4), with and without their prefixes. doctest reports how the
// file names the steps of a scenario, which differ.
func testMacro(word string, doctest bool) (macro, bool) {
	word = strings.TrimPrefix(word, "CATCH_")
	if short, ok := strings.CutPrefix(word, "DOCTEST_"); ok {
		word, doctest = short, true
	}
	switch word {
	case "TEST", "TEST_F", "GTEST_TEST":
		return macro{kind: TestCase, gtest: true}, true
	case "TEST_P", "TYPED_TEST", "TYPED_TEST_P":
		return macro{kind: TestCase, gtest: true, templated: true}, true
	case "SECTION", "SUBCASE", "DYNAMIC_SECTION":
		return macro{kind: Section}, true
	}
	if step, ok := scenarioStep(word, doctest); ok {
		return macro{kind: Section, prefix: step}, true
	}
	return caseMacro(word)
}

// caseMacro knows the macros of whole cases.
func caseMacro(word string) (macro, bool) {
	m := macro{kind: TestCase}
	if rest, ok := strings.CutPrefix(word, "SCENARIO"); ok {
		m.prefix = "Scenario: "
		word = "TEST_CASE" + rest
	}
	switch word {
	case "TEST_CASE", "TEST_CASE_CLASS":
	case "TEST_CASE_METHOD", "TEST_CASE_FIXTURE", "TEST_CASE_PERSISTENT_FIXTURE":
		m.name = 1
	case "METHOD_AS_TEST_CASE", "REGISTER_TEST_CASE":
		m.name, m.bodiless = 1, true
	case "TEST_CASE_TEMPLATE":
		m.templated = true
	case "TEST_CASE_TEMPLATE_DEFINE":
		m.templated, m.id = true, 2
	case "TEMPLATE_TEST_CASE", "TEMPLATE_TEST_CASE_SIG", "TEMPLATE_PRODUCT_TEST_CASE",
		"TEMPLATE_PRODUCT_TEST_CASE_SIG", "TEMPLATE_LIST_TEST_CASE":
		m.templated = true
	case "TEMPLATE_TEST_CASE_METHOD", "TEMPLATE_TEST_CASE_METHOD_SIG", "TEMPLATE_PRODUCT_TEST_CASE_METHOD",
		"TEMPLATE_PRODUCT_TEST_CASE_METHOD_SIG", "TEMPLATE_LIST_TEST_CASE_METHOD":
		m.templated, m.name = true, 1
	default:
		return macro{}, false
	}
	return m, true
}

// scenarioStep is what the frameworks put before the text of a step. Runners
// indent it; ids are without outer blanks.
func scenarioStep(word string, doctest bool) (string, bool) {
	switch word {
	case "GIVEN":
		return "Given: ", true
	case "WHEN":
		return "When: ", true
	case "THEN":
		return "Then: ", true
	case "AND_GIVEN", "AND_WHEN", "AND_THEN":
	default:
		return "", false
	}
	if doctest || word == "AND_THEN" {
		return "And: ", true
	}
	return "And " + strings.ToLower(strings.TrimPrefix(word, "AND_")) + ": ", true
}

// instantiation returns which argument of a macro names the parametrized suite
// (or template) whose cases the macro lists.
func instantiation(word string) (argument int, ok bool) {
	switch strings.TrimPrefix(word, "DOCTEST_") {
	case "INSTANTIATE_TEST_SUITE_P", "INSTANTIATE_TEST_CASE_P", "INSTANTIATE_TYPED_TEST_SUITE_P", "INSTANTIATE_TYPED_TEST_CASE_P":
		return 1, true
	case "TYPED_TEST_SUITE", "TYPED_TEST_CASE", "TEST_CASE_TEMPLATE_INVOKE", "TEST_CASE_TEMPLATE_APPLY", "TEST_CASE_TEMPLATE_INSTANTIATE":
		return 0, true
	}
	return 0, false
}
