package languages

import "assay/bench"

// repeat implements repeater, for what CMake builds.
func (l cppLanguage) repeat(env bench.Env, suite Suite) (build Command, round string, ok bool) {
	suite = withUnits(suite)
	if _, tool := cppToolNamed(env.Framework); tool {
		return Command{}, "", false
	}
	direct, ctest := l.published(env, suite)
	runner := cppRunnerOf(env.Framework, suite, nil)
	c := Command{
		Reports: []string{suite.reports() + "/*"},
		Env:     []string{"GTEST_COLOR=no", "CTEST_OUTPUT_ON_FAILURE=1"},
	}
	c.Format, c.Text = cppFormats(direct, ctest, runner)
	strict := suite
	strict.Contributed = true // what does not build ends the build
	c.Script = cppBuild(env, strict, ctest) + cppListed(suite)
	round = "B=" + buildDir + "\nASSAY_DIR=" + suite.dir() + "\nR=" + suite.reports() + "\nrc=0\nbuilt=0\n" + cppOnly(suite) +
		cppTests(direct, ctest, cppRunEach(runner, suite)) + "exit $rc\n"
	return c, round, true
}
