package lint

import "strconv"

// checks are what the rules do.
var checks = map[string]func(*judging){
	toolLoop.Name: checkToolLoop, reasoningSpiral.Name: checkReasoningSpiral, budgetProximity.Name: checkBudgetProximity,
	contextSaturation.Name: checkContextSaturation, postCompactionRegression.Name: checkPostCompactionRegression,
	redundantRead.Name: checkRedundantRead, errorRetryLoop.Name: checkErrorRetryLoop, noOutput.Name: checkNoOutput,
}

func count(n int) string { return strconv.Itoa(n) }

func fmtPercent(ratio float64) string { return strconv.FormatFloat(ratio*100, 'f', 0, 64) + "%" }
