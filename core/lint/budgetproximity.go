package lint

// budget-proximity: the session has a budget on record and what it cost comes near. The cost is that of the reported usage at
// the rates of the models; where the usage or a rate is not known nothing is judged, because a guess is no bill.
var budgetProximity = Rule{
	Name:     "budget-proximity",
	Means:    "What the session cost, by reported usage, comes near the budget that it was started with, or is beyond it.",
	Settings: Settings{Enabled: true, Level: Error, Threshold: 0.90},
	Session:  true,
}

func checkBudgetProximity(j *judging) {
	if j.Budget <= 0 || j.Spent == nil {
		return
	}
	spent, ok := j.Spent()
	budget := float64(j.Budget) / 1e6
	if ok && spent >= j.settings.Threshold*budget {
		j.report(-1, -1, 0, "%.0f%% of the budget of $%.4f is spent: $%.4f by reported usage", spent/budget*100, budget, spent)
	}
}
