// Package reports reads the output of test runners, structured reports and
// console text, into tests with canonical ids and finer statuses than pass
// and fail. It runs nothing and opens no file.
//
// # Ids
//
//   - Python: the node id, path::Class::test[param]. A module that does not
//     import or collect is an error under its path alone, a class fixture of
//     unittest that fails in tear-down one under path::Class. Where a report
//     names only dotted modules, Options.Resolve or a rule finds the path.
//   - Java: package.Class$Nested::method[index or parameters]. Parameter
//     types are dropped, so that odd(int)[1] (Surefire 3), odd{int}[1]
//     (Surefire 2.22) and Gradle's names agree; overloads of one name fall
//     together. A failure of @BeforeAll, @BeforeClass, the constructor or
//     the fork belongs to no method: it is an error under package.Class
//     alone. Maven's text gives a class's own result under the same id.
//     Surefire 3 names the repetitions of a @RepeatedTest alike: they are
//     one test and the worst counts.
//   - GoogleTest: Suite.Test and Suite.Test/param, as --gtest_list_tests has
//     it; a failing SetUpTestSuite is an error under Suite alone.
//   - Catch2 and doctest: the case, and every section or sub-case at every
//     depth as case/section/subsection. The case is always a test of its
//     own: assertions may be outside the sections, and a case that dies
//     before its first section must not vanish. Sections that are not leaves
//     are tests too, since published datasets name them.
//   - CTest: the test's name.
//
// # What the tools do not report
//
//   - CTest's XML (3.25) gives crash and timeout no reason: both are failed
//     there, while its text shows crashes, which are errors.
//   - Gradle's XML names a parameterized test "[1] x" without its method, and
//     knows no errors.
//   - Surefire 2.22's text names nested classes only in stack traces: what
//     passes in one is under the outer class. Surefire 3's text does not
//     name skipped methods.
//   - pytest's summary folds skipped tests; its JUnit XML says passed of XPASS.
//   - GoogleTest from 1.12 on says skipped of tests whose SetUpTestSuite
//     failed: a test that skipped without ever starting is an error. Before
//     1.12 they run, and only the text shows the failure.
//   - The console reporters of Catch2 and doctest name what passes with -s
//     only, and Catch2's does not report which failures its tags allow. Their
//     junit reporters lose expected failures. An XML report that goes to
//     standard output mixes with what tests print: let it go to a file.
//
// # Rules
//
// A status is never better than the worst thing reported of an id. A test
// that was running when the process died is an error. Failing sub-tests fail
// their parent. Skipped is only what chose not to run: a binary that was not
// built or a fixture that failed is an error. No name is made up: what a text
// does not name is left out and noted.
//
// Text can be forged by the code under test and XML files cannot, as long as
// they are written after it and read from a fresh path: prefer those.
// The JSON Lines of PytestPlugin and UnittestRunner are written while it runs:
// seal them (KeyVariable, Unseal).
//
// # Log parsers
//
// Published instances name a reader of what their test command prints
// (log_parser). ReadPrinted knows the names of SWE-bench 5 with readers of
// its own. Where the runner's closing lines count its tests, they are
// compared with the tests that the text names: a text that names more passed
// tests, or fewer failed ones, is not complete. Results of tests are trusted
// only in the places where the runner prints them, as far as text shows.
package reports
