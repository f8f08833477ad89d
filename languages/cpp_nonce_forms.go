package languages

import (
	"regexp"
	"strings"
)

// cppForm is an assertion that fails, as the body of a test in which left is an
// int and right the next one.
type cppForm struct {
	macro, text string
	// uncertain forms need a header that the file may lack.
	uncertain bool
}

// cppDialect is how tests are written with a framework.
type cppDialect struct {
	// name and prefix: with Catch2 and doctest every macro may be spelled
	// with the framework's name before it.
	name, prefix string
	forms        []cppForm
	// basic is the form for a file that uses no known one.
	basic cppForm
}

// cppDialectOf returns the dialect of a framework; ok is false for plain
// programs.
func cppDialectOf(framework string) (d cppDialect, ok bool) {
	switch framework {
	case "gtest":
		forms := gtestForms()
		return cppDialect{name: framework, forms: forms, basic: forms[0]}, true
	case "catch2":
		forms := catchForms()
		return cppDialect{name: framework, prefix: "CATCH_", forms: forms, basic: forms[0]}, true
	case "doctest":
		forms := doctestForms()
		return cppDialect{name: framework, prefix: "DOCTEST_", forms: forms, basic: forms[0]}, true
	}
	return cppDialect{}, false
}

// both spells forms with both words that begin an assertion's name.
func both(first, second string, forms ...cppForm) []cppForm {
	var out []cppForm
	for _, word := range []string{first, second} {
		for _, f := range forms {
			f.macro = strings.Replace(f.macro, "@", word, 1)
			f.text = strings.Replace(f.text, "@", word, 1)
			out = append(out, f)
		}
	}
	return out
}

func form(macro, args string) cppForm {
	return cppForm{macro: macro, text: macro + "(" + args + ");"}
}

func unsure(macro, args string) cppForm {
	f := form(macro, args)
	f.uncertain = true
	return f
}

func gtestForms() []cppForm {
	forms := both("EXPECT", "ASSERT",
		form("@_EQ", "left, right"), form("@_NE", "left, left"), form("@_TRUE", "left == right"), form("@_FALSE", "left != right"),
		form("@_LT", "right, left"), form("@_LE", "right, left"), form("@_GT", "left, right"), form("@_GE", "left, right"),
		form("@_STREQ", `"left", "right"`), form("@_STRNE", `"left", "left"`), form("@_STRCASEEQ", `"left", "right"`), form("@_STRCASENE", `"left", "LEFT"`),
		form("@_FLOAT_EQ", "1.0f * left, 1.0f * right"), form("@_DOUBLE_EQ", "1.0 * left, 1.0 * right"), form("@_NEAR", "1.0 * left, 1.0 * right, 0.5"),
		form("@_THROW", "static_cast<void>(left), int"), form("@_ANY_THROW", "static_cast<void>(left)"), form("@_NO_THROW", "throw left"),
		unsure("@_THAT", "left, ::testing::Eq(right)"), unsure("@_DEATH", `static_cast<void>(left), ""`),
		unsure("@_EXIT", `::exit(0), ::testing::ExitedWithCode(1), ""`))
	return append(forms, form("FAIL", ""), form("ADD_FAILURE", ""), form("GTEST_FAIL", ""))
}

func catchForms() []cppForm {
	forms := both("CHECK", "REQUIRE",
		form("@", "left == right"), form("@_FALSE", "left != right"),
		form("@_THROWS", "static_cast<void>(left)"), form("@_THROWS_AS", "static_cast<void>(left), int"), form("@_NOTHROW", "throw left"),
		unsure("@_THROWS_WITH", `static_cast<void>(left), "left"`),
		unsure("@_THAT", `std::string("left"), Catch::Matchers::Equals("right")`))
	return append(forms, form("FAIL", `"left"`), form("FAIL_CHECK", `"left"`))
}

func doctestForms() []cppForm {
	forms := both("CHECK", "REQUIRE",
		form("@", "left == right"), form("@_FALSE", "left != right"), form("@_MESSAGE", `left == right, "left"`),
		form("@_EQ", "left, right"), form("@_NE", "left, left"), form("@_LT", "right, left"), form("@_LE", "right, left"),
		form("@_GT", "left, right"), form("@_GE", "left, right"), form("@_UNARY", "left == right"), form("@_UNARY_FALSE", "left != right"),
		form("@_THROWS", "static_cast<void>(left)"), form("@_THROWS_AS", "static_cast<void>(left), int"), form("@_NOTHROW", "throw left"),
		unsure("@_THROWS_WITH", `static_cast<void>(left), "left"`), unsure("@_THROWS_WITH_AS", `static_cast<void>(left), "left", int`))
	forms = append(forms, both("FAST_CHECK", "FAST_REQUIRE", unsure("@_EQ", "left, right"), unsure("@_UNARY", "left == right"))...)
	return append(forms, form("FAIL", `"left"`), form("FAIL_CHECK", `"left"`))
}

var cppMacroUse = regexp.MustCompile(`\b[A-Z][A-Z0-9_]*[A-Z0-9]\b`)

// macrosIn are the words of a file that look like macros.
func macrosIn(text string) map[string]bool {
	used := map[string]bool{}
	for _, w := range cppMacroUse.FindAllString(text, -1) {
		used[w] = true
	}
	return used
}

// spoken is the dialect as a file speaks it: the forms that it uses, spelled as
// it spells them, the basic one first.
func (d cppDialect) spoken(used map[string]bool) cppDialect {
	prefix := ""
	if d.prefix != "" && !used["TEST_CASE"] && !used["SCENARIO"] && used[d.prefix+"TEST_CASE"] {
		prefix = d.prefix
	}
	basic := d.basic
	var forms []cppForm
	for _, f := range d.forms {
		f.macro, f.text = prefix+f.macro, prefix+f.text
		if f.macro == prefix+d.basic.macro {
			basic = f
			continue
		}
		if used[f.macro] {
			forms = append(forms, f)
		}
	}
	d.prefix, d.basic, d.forms = prefix, basic, append([]cppForm{basic}, forms...)
	return d
}
