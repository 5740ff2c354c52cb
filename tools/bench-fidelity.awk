# SPDX-License-Identifier: GPL-2.0-or-later
# The table of tools/bench-fidelity, as Markdown, of its files picked (the rows), icount and host (the samples).
BEGIN { FS = "|" }
{ sub(/.*\//, "", FILENAME) }
FILENAME == "picked" {
	name[++rows] = $1
	whole[$1] = $6
	part[$1] = $7
	reason[$1] = $8
	less[$1] = $2 == "less"
	next
}
$4 > 0 {
	value[FILENAME, $1, $3, $2] = $4
	if ($2 > last[FILENAME])
		last[FILENAME] = $2
}

# Sorts v[1] to v[n].
function sort(v, n,  i, j, x) {
	for (i = 2; i <= n; i++) {
		x = v[i]
		for (j = i - 1; j > 0 && v[j] > x; j--)
			v[j + 1] = v[j]
		v[j + 1] = x
	}
}

# The k for which the k-th lowest and the k-th highest of n samples hold the median in at least 95 % of cases, 0: none.
# The number of samples below the median is binomial with p = 1/2.
function rank(n,  k, term, sum) {
	term = sum = 0.5 ^ n
	for (k = 0; sum <= 0.025; k++) {
		term *= (n - k) / (k + 1)
		sum += term
	}
	return k
}

# A sample, or 0.
function sample(where, row, variant, i,  a, b) {
	if (!less[row])
		return value[where, row, variant, i]
	a = value[where, whole[row], variant, i]
	b = value[where, part[row], variant, i]
	return a > b && b > 0 ? a - b : 0
}

# "median [low, high]" of the ratios variant / original; they are left in `middle`, `low` and `high`, which are 0 for none.
function ratio(where, row, variant,  i, n, v, k) {
	middle = low = high = n = 0
	for (i = 1; i <= last[where]; i++)
		if (sample(where, row, variant, i) > 0 && sample(where, row, "original", i) > 0)
			v[++n] = sample(where, row, variant, i) / sample(where, row, "original", i)
	if (!n)
		return "-"
	sort(v, n)
	middle = n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
	k = rank(n)
	if (!k)
		return sprintf("%.3f", middle)
	low = v[k]
	high = v[n + 1 - k]
	return sprintf("%.3f [%.3f, %.3f]", middle, low, high)
}

# Of the ratio made last, for a row that was not counted in instructions.
function judge_time(row) {
	if (!middle)
		return "not measured"
	if (low <= 1.02 && high >= 0.98 || !high)
		return "time alone cannot tell it from 1"
	return reason[row] ? reason[row] : "not explained"
}
function judge(row) {
	if (middle >= 0.98 && middle <= 1.02)
		return "within 2 %"
	if (reason[row])
		return reason[row]
	return low <= 1 && high >= 1 ? "its interval holds 1" : "not explained"
}

END {
	print "| test | ours | original | instructions | linked alike | time on this host | |"
	print "|---|---|---|---|---|---|---|"
	for (i = 1; i <= rows; i++) {
		row = name[i]
		timed = ratio("host", row, "ours")
		verdict = judge_time(row)
		counted = ratio("icount", row, "ours")
		if (middle)
			verdict = judge(row)
		alike = ratio("icount", row, "alike")
		how = less[row] ? whole[row] ", less: " part[row] " | the same" : "`" whole[row] "` | `" part[row] "`"
		printf "| %s | %s | %s | %s | %s | %s |\n", row, how, counted, alike, timed, verdict
	}
}
