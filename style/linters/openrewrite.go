package linters

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"assay/harness"
	"assay/style"
)

// fixJava drives OpenRewrite's recipes; see there for what it undoes.
//
//go:embed openrewrite/Fix.java
var fixJava []byte // never written

const (
	rewriteVersion = "8.41.1"
	jacksonVersion = "2.17.2"
)

// rewriteArtifacts are what the recipes need to fix Java. Of the recipes for
// static analysis, 1.21.1 is the last version under the Apache License 2.0:
// those from 1.22.0 on are source-available only. Version 8.41.1 of the rest
// (Apache License 2.0) is what that one was built with. The list is closed,
// as the parsers of other languages are five times the size of all this.
func rewriteArtifacts() artifacts {
	return artifacts{dir: "fixer", closed: true, list: []artifact{
		{"org.openrewrite.recipe", "rewrite-static-analysis", "1.21.1"},
		{"org.openrewrite", "rewrite-core", rewriteVersion},
		{"org.openrewrite", "rewrite-java", rewriteVersion},
		{"org.openrewrite", "rewrite-java-17", rewriteVersion},
		{"org.openrewrite", "rewrite-groovy", rewriteVersion},
		{"org.openrewrite", "rewrite-kotlin", "1.23.1"},
		{"org.openrewrite", "rewrite-csharp", "0.16.1"},
		{"org.openrewrite", "rewrite-templating", "1.19.1"},
		{"org.openrewrite.meta", "rewrite-analysis", "2.13.1"},
		{"org.openrewrite.tools", "java-object-diff", "1.0.1"},
		{"com.fasterxml.jackson.core", "jackson-annotations", jacksonVersion},
		{"com.fasterxml.jackson.core", "jackson-core", jacksonVersion},
		{"com.fasterxml.jackson.core", "jackson-databind", jacksonVersion},
		{"com.fasterxml.jackson.dataformat", "jackson-dataformat-smile", jacksonVersion},
		{"com.fasterxml.jackson.module", "jackson-module-parameter-names", jacksonVersion},
		{"com.github.ben-manes.caffeine", "caffeine", "2.9.3"},
		{"io.github.classgraph", "classgraph", "4.8.179"},
		{"io.micrometer", "micrometer-core", "1.9.17"},
		{"org.antlr", "antlr4-runtime", "4.11.1"},
		{"org.apache.commons", "commons-lang3", "3.17.0"},
		{"org.apache.commons", "commons-text", "1.12.0"},
		{"org.hdrhistogram", "HdrHistogram", "2.1.12"},
		{"org.jspecify", "jspecify", "1.0.0"},
		{"org.latencyutils", "LatencyUtils", "2.0.3"},
		{"org.ow2.asm", "asm", "9.7.1"},
		{"org.slf4j", "slf4j-nop", "1.7.32"},
		{"org.slf4j", "slf4j-api", "1.7.32"},
		{"org.xerial.snappy", "snappy-java", "1.1.10.7"},
		{"org.yaml", "snakeyaml", "2.3"},
	}}
}

// recipes maps PMD's rules to the recipes that fix them, in the order of
// running: imports last, as the others leave some unused. Recipes that change
// what code does are not here: those that compare objects by equals in place
// of ==, end a case that falls through, take prints out, or rename what other
// files may use.
func recipes() []struct{ rule, recipe string } {
	const analysis = "org.openrewrite.staticanalysis."
	return []struct{ rule, recipe string }{
		{"MissingOverride", analysis + "MissingOverrideAnnotation"},
		{"UselessParentheses", analysis + "UnnecessaryParentheses"},
		{"ControlStatementBraces", analysis + "NeedBraces"},
		{"UnnecessarySemicolon", analysis + "RemoveExtraSemicolons"},
		{"UnnecessaryReturn", analysis + "NoRedundantJumpStatements"},
		{"UnnecessaryReturn", analysis + "UnnecessaryReturnAsLastStatement"},
		{"UnnecessaryModifier", analysis + "NestedEnumsAreNotStatic"},
		{"UnnecessaryModifier", analysis + "StaticMethodNotFinal"},
		{"UnnecessaryLocalBeforeReturn", analysis + "InlineVariable"},
		{"UnnecessaryCast", analysis + "RemoveRedundantTypeCast"},
		{"PrimitiveWrapperInstantiation", analysis + "PrimitiveWrapperClassConstructorToValueOf"},
		{"UnnecessaryCaseChange", analysis + "CaseInsensitiveComparisonsDoNotChangeCase"},
		{"UseDiamondOperator", analysis + "UseDiamondOperator"},
		{"UseCollectionIsEmpty", analysis + "IsEmptyCallOnCollections"},
		{"LiteralsFirstInComparisons", analysis + "EqualsAvoidsNull"},
		{"UseEqualsToCompareStrings", analysis + "StringLiteralEquality"},
		{"UseStandardCharsets", analysis + "UseStandardCharset"},
		{"OneDeclarationPerLine", analysis + "MultipleVariableDeclarations"},
		{"SimplifyBooleanReturns", analysis + "SimplifyBooleanReturn"},
		{"SimplifyBooleanExpressions", analysis + "SimplifyBooleanExpression"},
		{"LogicInversion", analysis + "BooleanChecksNotInverted"},
		{"ForLoopShouldBeWhileLoop", analysis + "WhileInsteadOfFor"},
		{"LooseCoupling", analysis + "UseCollectionInterfaces"},
		{"UnconditionalIfStatement", analysis + "SimplifyConstantIfBranchExecution"},
		{"AvoidRethrowingException", analysis + "CatchClauseOnlyRethrows"},
		{"IdenticalCatchBranches", analysis + "CombineSemanticallyEqualCatchBlocks"},
		{"DoubleBraceInitialization", analysis + "NoDoubleBraceInitialization"},
		{"AvoidUsingOctalValues", analysis + "WriteOctalValuesAsDecimal"},
		{"AvoidDecimalLiteralsInBigDecimalConstructor", analysis + "BigDecimalDoubleConstructorRecipe"},
		{"DoNotCallGarbageCollectionExplicitly", analysis + "RemoveCallsToSystemGc"},
		{"FinalizeDoesNotCallSuperFinalize", analysis + "ObjectFinalizeCallsSuper"},
		{"DefaultLabelNotLastInSwitch", analysis + "DefaultComesLast"},
		{"EmptyControlStatement", analysis + "EmptyBlock"},
		{"ClassCastExceptionWithToArray", analysis + "ReplaceCollectionToArrayArgWithEmptyArray"},
		{"UnusedLocalVariable", analysis + "RemoveUnusedLocalVariables"},
		{"UnusedPrivateField", analysis + "RemoveUnusedPrivateFields"},
		{"UnusedPrivateMethod", analysis + "RemoveUnusedPrivateMethods"},
		{"LocalVariableNamingConventions", analysis + "RenameLocalVariablesToCamelCase"},
		{"FieldNamingConventions", analysis + "RenamePrivateFieldsToCamelCase"},
		{"MissingSerialVersionUID", analysis + "AddSerialVersionUidToSerializable"},
		{"AvoidDuplicateLiterals", analysis + "ReplaceDuplicateStringLiterals"},
		{"InstantiableUtilityClass", analysis + "HideUtilityClassConstructor"},
		{"ClassWithOnlyPrivateConstructorsShouldBeFinal", analysis + "FinalClass"},
		{"ImmutableField", analysis + "FinalizePrivateFields"},
		{"LocalVariableCouldBeFinal", analysis + "FinalizeLocalVariables"},
		{"MethodArgumentCouldBeFinal", analysis + "FinalizeMethodArguments"},
		{"UnnecessaryFullyQualifiedName", "org.openrewrite.java.ShortenFullyQualifiedTypeReferences"},
		{"UnnecessaryImport", "org.openrewrite.java.RemoveUnusedImports"},
	}
}

// Fix implements style.Fixer, with OpenRewrite: PMD fixes nothing itself.
func (PMD) Fix(req style.Request) (style.Command, error) {
	var list strings.Builder
	for _, r := range recipes() {
		if slices.Contains(req.Rules.Names, r.rule) {
			fmt.Fprintf(&list, "  - %s\n", r.recipe)
		}
	}
	if list.Len() == 0 {
		return style.Command{Script: "exit 0\n"}, nil
	}
	recipe := "type: specs.openrewrite.org/v1beta/recipe\nname: assay.Fix\ndisplayName: Fix\ndescription: What the rules ask for.\nrecipeList:\n" + list.String()
	return style.Command{
		Script: pickJava + `"$JAVA"` + javaFlags + compilerDoors() + "-cp '" + pmdHome + "/fixer/*' " + req.Dir + "/Fix.java " + req.Dir + "\n",
		Files: []harness.File{
			{Path: req.Dir + "/Fix.java", Data: fixJava},
			{Path: req.Dir + "/recipes.yml", Data: []byte(recipe)},
			{Path: req.Dir + "/files", Data: []byte(strings.Join(req.Files, "\n") + "\n")},
		},
		Env: []string{"HOME=" + req.Dir},
	}, nil
}

// compilerDoors open the packages of the compiler that OpenRewrite's parser
// is built on.
func compilerDoors() string {
	var b strings.Builder
	for _, name := range []string{"code", "comp", "file", "jvm", "main", "model", "processing", "tree", "util"} {
		for _, door := range []string{"exports", "opens"} {
			fmt.Fprintf(&b, "--add-%s jdk.compiler/com.sun.tools.javac.%s=ALL-UNNAMED ", door, name)
		}
	}
	return b.String()
}
