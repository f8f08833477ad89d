package mutation

import (
	"assay/badpatch"
	"assay/badpatch/code"
	"assay/languages/syntax"
)

// operator is one way of getting code wrong. rewrite gives the mutations that
// it makes of one node; it is called for every node that is in range.
type operator struct {
	name     string
	category badpatch.Category
	kind     badpatch.MistakeKind
	only     func(*code.File) bool // nil for all files
	rewrite  func(c *code.File, n *syntax.Node) []code.Mutation
}

// operators is the table, by category.
func operators() []operator {
	return append(append(wrongLayer(), partialFix()...), append(append(contract(), guards()...), edges()...)...)
}

func wrongLayer() []operator {
	return []operator{
		{"wrong-variable", badpatch.WrongLayer, badpatch.KindIncorrect, nil, wrongVariable},
		{"wrong-field", badpatch.WrongLayer, badpatch.KindIncorrect, nil, wrongField},
		{"sibling-method", badpatch.WrongLayer, badpatch.KindIncorrect, nil, siblingMethod},
	}
}

func partialFix() []operator {
	return []operator{
		{"drop-operand", badpatch.Partial, badpatch.KindPartial, nil, dropOperand},
		{"drop-branch", badpatch.Partial, badpatch.KindPartial, nil, dropBranch},
		{"drop-caught-type", badpatch.Partial, badpatch.KindPartial, nil, dropCaughtType},
		{"delete-statement", badpatch.Partial, badpatch.KindPartial, nil, deleteStatement},
		{"duplicate-statement", badpatch.Undiscipline, badpatch.KindUnnecessary, nil, duplicateStatement},
		{"early-return", badpatch.Undiscipline, badpatch.KindUnnecessary, nil, earlyReturn},
	}
}

func contract() []operator {
	return []operator{
		{"change-default", badpatch.Contract, badpatch.KindIncorrect, nil, changeDefault},
		{"swap-arguments", badpatch.Contract, badpatch.KindIncorrect, nil, swapArguments},
		{"drop-keyword", badpatch.Contract, badpatch.KindPartial, (*code.File).Python, dropKeyword},
		{"drop-argument", badpatch.Contract, badpatch.KindPartial, nil, dropArgument},
		{"null-argument", badpatch.Contract, badpatch.KindIncorrect, nil, nullArgument},
		{"return-default", badpatch.Contract, badpatch.KindIncorrect, nil, returnDefault},
		{"drop-return-self", badpatch.Contract, badpatch.KindIncorrect, nil, dropReturnSelf},
		{"swap-exception", badpatch.Contract, badpatch.KindIncorrect, nil, swapException},
		{"drop-copy", badpatch.Contract, badpatch.KindIncorrect, nil, dropCopy},
		{"drop-reference", badpatch.Contract, badpatch.KindIncorrect, (*code.File).Cpp, dropReference},
		{"drop-sort", badpatch.Contract, badpatch.KindIncorrect, nil, dropSort},
		{"flip-literal", badpatch.Contract, badpatch.KindIncorrect, nil, flipLiteral},
	}
}

func guards() []operator {
	return []operator{
		{"drop-guard", badpatch.Guard, badpatch.KindPartial, nil, dropGuard},
		{"negate-condition", badpatch.Guard, badpatch.KindIncorrect, nil, negateCondition},
		{"condition-true", badpatch.Guard, badpatch.KindIncorrect, nil, conditionTrue},
		{"condition-false", badpatch.Guard, badpatch.KindIncorrect, nil, conditionFalse},
		{"swap-connector", badpatch.Guard, badpatch.KindIncorrect, nil, swapConnector},
		{"drop-not", badpatch.Guard, badpatch.KindIncorrect, nil, dropNot},
		{"drop-null-check", badpatch.Guard, badpatch.KindPartial, nil, dropNullCheck},
		{"swallow-error", badpatch.Guard, badpatch.KindIncorrect, nil, swallowError},
		{"widen-catch", badpatch.Guard, badpatch.KindIncorrect, nil, widenCatch},
		{"empty-catch", badpatch.Guard, badpatch.KindIncorrect, nil, emptyCatch},
		{"drop-state-update", badpatch.Guard, badpatch.KindPartial, nil, dropStateUpdate},
		{"drop-lock", badpatch.Guard, badpatch.KindPartial, nil, dropLock},
	}
}

func edges() []operator {
	return []operator{
		{"boundary", badpatch.EdgeCase, badpatch.KindIncorrect, nil, boundary},
		{"flip-comparison", badpatch.EdgeCase, badpatch.KindIncorrect, nil, flipComparison},
		{"swap-arithmetic", badpatch.EdgeCase, badpatch.KindIncorrect, nil, swapArithmetic},
		{"plain-assignment", badpatch.EdgeCase, badpatch.KindIncorrect, nil, plainAssignment},
		{"integer-step", badpatch.EdgeCase, badpatch.KindIncorrect, nil, integerStep},
		{"slice-bound", badpatch.EdgeCase, badpatch.KindIncorrect, nil, sliceBound},
		{"none-falsy", badpatch.EdgeCase, badpatch.KindIncorrect, nil, noneFalsy},
		{"string-empty", badpatch.EdgeCase, badpatch.KindIncorrect, nil, stringEmpty},
		{"unwrap-call", badpatch.EdgeCase, badpatch.KindPartial, nil, unwrapCall},
		{"swap-twin", badpatch.EdgeCase, badpatch.KindIncorrect, nil, swapTwin},
		{"encoding-off", badpatch.EdgeCase, badpatch.KindIncorrect, nil, encodingOff},
		{"number-kind", badpatch.EdgeCase, badpatch.KindIncorrect, nil, numberKind},
		{"regex-anchor", badpatch.EdgeCase, badpatch.KindIncorrect, nil, regexAnchor},
		{"iterator-step", badpatch.EdgeCase, badpatch.KindIncorrect, (*code.File).Cpp, iteratorStep},
		{"swap-jump", badpatch.EdgeCase, badpatch.KindIncorrect, nil, swapJump},
	}
}
