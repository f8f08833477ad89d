package mutation

import (
	"assay/badpatch"
	"assay/badpatch/code"
	"assay/languages"
	"assay/languages/syntax"
)

// operator is one way of getting code wrong. rewrite gives the mutations that
// it makes of one node; it is called for every node that is in range.
type operator struct {
	name     string
	category badpatch.Category
	kind     badpatch.MistakeKind
	only     string // a language; empty for all
	rewrite  func(c *code.File, n *syntax.Node) []code.Mutation
}

// operators is the table, by category.
func operators() []operator {
	return append(append(wrongLayer(), partialFix()...), append(append(contract(), guards()...), edges()...)...)
}

func wrongLayer() []operator {
	return []operator{
		{"wrong-variable", badpatch.WrongLayer, badpatch.KindIncorrect, "", wrongVariable},
		{"wrong-field", badpatch.WrongLayer, badpatch.KindIncorrect, "", wrongField},
		{"sibling-method", badpatch.WrongLayer, badpatch.KindIncorrect, "", siblingMethod},
	}
}

func partialFix() []operator {
	return []operator{
		{"drop-operand", badpatch.Partial, badpatch.KindPartial, "", dropOperand},
		{"drop-branch", badpatch.Partial, badpatch.KindPartial, "", dropBranch},
		{"drop-caught-type", badpatch.Partial, badpatch.KindPartial, "", dropCaughtType},
		{"delete-statement", badpatch.Partial, badpatch.KindPartial, "", deleteStatement},
		{"duplicate-statement", badpatch.Undiscipline, badpatch.KindUnnecessary, "", duplicateStatement},
		{"early-return", badpatch.Undiscipline, badpatch.KindUnnecessary, "", earlyReturn},
	}
}

func contract() []operator {
	return []operator{
		{"change-default", badpatch.Contract, badpatch.KindIncorrect, "", changeDefault},
		{"swap-arguments", badpatch.Contract, badpatch.KindIncorrect, "", swapArguments},
		{"drop-keyword", badpatch.Contract, badpatch.KindPartial, languages.Python, dropKeyword},
		{"drop-argument", badpatch.Contract, badpatch.KindPartial, "", dropArgument},
		{"null-argument", badpatch.Contract, badpatch.KindIncorrect, "", nullArgument},
		{"return-default", badpatch.Contract, badpatch.KindIncorrect, "", returnDefault},
		{"drop-return-self", badpatch.Contract, badpatch.KindIncorrect, "", dropReturnSelf},
		{"swap-exception", badpatch.Contract, badpatch.KindIncorrect, "", swapException},
		{"drop-copy", badpatch.Contract, badpatch.KindIncorrect, "", dropCopy},
		{"drop-reference", badpatch.Contract, badpatch.KindIncorrect, languages.Cpp, dropReference},
		{"drop-sort", badpatch.Contract, badpatch.KindIncorrect, "", dropSort},
		{"flip-literal", badpatch.Contract, badpatch.KindIncorrect, "", flipLiteral},
	}
}

func guards() []operator {
	return []operator{
		{"drop-guard", badpatch.Guard, badpatch.KindPartial, "", dropGuard},
		{"negate-condition", badpatch.Guard, badpatch.KindIncorrect, "", negateCondition},
		{"condition-true", badpatch.Guard, badpatch.KindIncorrect, "", conditionTrue},
		{"condition-false", badpatch.Guard, badpatch.KindIncorrect, "", conditionFalse},
		{"swap-connector", badpatch.Guard, badpatch.KindIncorrect, "", swapConnector},
		{"drop-not", badpatch.Guard, badpatch.KindIncorrect, "", dropNot},
		{"drop-null-check", badpatch.Guard, badpatch.KindPartial, "", dropNullCheck},
		{"swallow-error", badpatch.Guard, badpatch.KindIncorrect, "", swallowError},
		{"widen-catch", badpatch.Guard, badpatch.KindIncorrect, "", widenCatch},
		{"empty-catch", badpatch.Guard, badpatch.KindIncorrect, "", emptyCatch},
		{"drop-state-update", badpatch.Guard, badpatch.KindPartial, "", dropStateUpdate},
		{"drop-lock", badpatch.Guard, badpatch.KindPartial, "", dropLock},
	}
}

func edges() []operator {
	return []operator{
		{"boundary", badpatch.EdgeCase, badpatch.KindIncorrect, "", boundary},
		{"flip-comparison", badpatch.EdgeCase, badpatch.KindIncorrect, "", flipComparison},
		{"swap-arithmetic", badpatch.EdgeCase, badpatch.KindIncorrect, "", swapArithmetic},
		{"plain-assignment", badpatch.EdgeCase, badpatch.KindIncorrect, "", plainAssignment},
		{"integer-step", badpatch.EdgeCase, badpatch.KindIncorrect, "", integerStep},
		{"slice-bound", badpatch.EdgeCase, badpatch.KindIncorrect, "", sliceBound},
		{"none-falsy", badpatch.EdgeCase, badpatch.KindIncorrect, "", noneFalsy},
		{"string-empty", badpatch.EdgeCase, badpatch.KindIncorrect, "", stringEmpty},
		{"unwrap-call", badpatch.EdgeCase, badpatch.KindPartial, "", unwrapCall},
		{"swap-twin", badpatch.EdgeCase, badpatch.KindIncorrect, "", swapTwin},
		{"encoding-off", badpatch.EdgeCase, badpatch.KindIncorrect, "", encodingOff},
		{"number-kind", badpatch.EdgeCase, badpatch.KindIncorrect, "", numberKind},
		{"regex-anchor", badpatch.EdgeCase, badpatch.KindIncorrect, "", regexAnchor},
		{"iterator-step", badpatch.EdgeCase, badpatch.KindIncorrect, languages.Cpp, iteratorStep},
		{"swap-jump", badpatch.EdgeCase, badpatch.KindIncorrect, "", swapJump},
	}
}
