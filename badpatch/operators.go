package badpatch

import (
	"assay/languages"
	"assay/languages/syntax"
)

// operator is one way of getting code wrong. rewrite gives the mutations that
// it makes of one node; it is called for every node that is in range.
type operator struct {
	name     string
	category Category
	kind     Kind
	only     string // a language; empty for all
	rewrite  func(c *code, n *syntax.Node) []mutation
}

// operators is the table, by category.
func operators() []operator {
	return append(append(wrongLayer(), partialFix()...), append(append(contract(), guards()...), edges()...)...)
}

func wrongLayer() []operator {
	return []operator{
		{"wrong-variable", WrongLayer, KindIncorrect, "", wrongVariable},
		{"wrong-field", WrongLayer, KindIncorrect, "", wrongField},
		{"sibling-method", WrongLayer, KindIncorrect, "", siblingMethod},
	}
}

func partialFix() []operator {
	return []operator{
		{"drop-operand", Partial, KindPartial, "", dropOperand},
		{"drop-branch", Partial, KindPartial, "", dropBranch},
		{"drop-caught-type", Partial, KindPartial, "", dropCaughtType},
		{"delete-statement", Partial, KindPartial, "", deleteStatement},
		{"duplicate-statement", Undiscipline, KindUnnecessary, "", duplicateStatement},
		{"early-return", Undiscipline, KindUnnecessary, "", earlyReturn},
	}
}

func contract() []operator {
	return []operator{
		{"change-default", Contract, KindIncorrect, "", changeDefault},
		{"swap-arguments", Contract, KindIncorrect, "", swapArguments},
		{"drop-keyword", Contract, KindPartial, languages.Python, dropKeyword},
		{"drop-argument", Contract, KindPartial, "", dropArgument},
		{"null-argument", Contract, KindIncorrect, "", nullArgument},
		{"return-default", Contract, KindIncorrect, "", returnDefault},
		{"drop-return-self", Contract, KindIncorrect, "", dropReturnSelf},
		{"swap-exception", Contract, KindIncorrect, "", swapException},
		{"drop-copy", Contract, KindIncorrect, "", dropCopy},
		{"drop-reference", Contract, KindIncorrect, languages.Cpp, dropReference},
		{"drop-sort", Contract, KindIncorrect, "", dropSort},
		{"flip-literal", Contract, KindIncorrect, "", flipLiteral},
	}
}

func guards() []operator {
	return []operator{
		{"drop-guard", Guard, KindPartial, "", dropGuard},
		{"negate-condition", Guard, KindIncorrect, "", negateCondition},
		{"condition-true", Guard, KindIncorrect, "", conditionTrue},
		{"condition-false", Guard, KindIncorrect, "", conditionFalse},
		{"swap-connector", Guard, KindIncorrect, "", swapConnector},
		{"drop-not", Guard, KindIncorrect, "", dropNot},
		{"drop-null-check", Guard, KindPartial, "", dropNullCheck},
		{"swallow-error", Guard, KindIncorrect, "", swallowError},
		{"widen-catch", Guard, KindIncorrect, "", widenCatch},
		{"empty-catch", Guard, KindIncorrect, "", emptyCatch},
		{"drop-state-update", Guard, KindPartial, "", dropStateUpdate},
		{"drop-lock", Guard, KindPartial, "", dropLock},
	}
}

func edges() []operator {
	return []operator{
		{"boundary", EdgeCase, KindIncorrect, "", boundary},
		{"flip-comparison", EdgeCase, KindIncorrect, "", flipComparison},
		{"swap-arithmetic", EdgeCase, KindIncorrect, "", swapArithmetic},
		{"plain-assignment", EdgeCase, KindIncorrect, "", plainAssignment},
		{"integer-step", EdgeCase, KindIncorrect, "", integerStep},
		{"slice-bound", EdgeCase, KindIncorrect, "", sliceBound},
		{"none-falsy", EdgeCase, KindIncorrect, "", noneFalsy},
		{"string-empty", EdgeCase, KindIncorrect, "", stringEmpty},
		{"unwrap-call", EdgeCase, KindPartial, "", unwrapCall},
		{"swap-twin", EdgeCase, KindIncorrect, "", swapTwin},
		{"encoding-off", EdgeCase, KindIncorrect, "", encodingOff},
		{"number-kind", EdgeCase, KindIncorrect, "", numberKind},
		{"regex-anchor", EdgeCase, KindIncorrect, "", regexAnchor},
		{"iterator-step", EdgeCase, KindIncorrect, languages.Cpp, iteratorStep},
		{"swap-jump", EdgeCase, KindIncorrect, "", swapJump},
	}
}
