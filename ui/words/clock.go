package words

import (
	"fmt"
	"strconv"

	"contextscope/core/journal"
)

// Clock writes moments in a person's zone. Zone gives the seconds east of UTC at a moment (milliseconds since 1970);
// nil means UTC. A moment of 0 is unknown and gives "".
type Clock struct{ Zone func(ms int64) int }

// write takes a moment apart in the person's zone and has it put together.
func (c Clock) write(ms int64, put func(year int, date, minute string, second int) string) string {
	if ms == 0 {
		return ""
	}
	if c.Zone != nil {
		ms += int64(c.Zone(ms)) * 1000
	}
	const months = "JanFebMarAprMayJunJulAugSepOctNovDec"
	year, month, day, second, _ := journal.Date(ms * 1e6)
	date := strconv.Itoa(day) + " " + months[3*month-3:3*month]
	return put(year, date, fmt.Sprintf("%02d:%02d", second/3600, second/60%60), second%60)
}

// Second writes "10:28:51".
func (c Clock) Second(ms int64) string {
	return c.write(ms, func(_ int, _, minute string, second int) string { return fmt.Sprintf("%s:%02d", minute, second) })
}

// Minute writes "10:28".
func (c Clock) Minute(ms int64) string {
	return c.write(ms, func(_ int, _, minute string, _ int) string { return minute })
}

// DayMinute writes "30 Nov, 10:02".
func (c Clock) DayMinute(ms int64) string {
	return c.write(ms, func(_ int, date, minute string, _ int) string { return date + ", " + minute })
}

// Date writes "30 Nov 2026, 10:02".
func (c Clock) Date(ms int64) string {
	return c.write(ms, func(year int, date, minute string, _ int) string {
		return date + " " + strconv.Itoa(year) + ", " + minute
	})
}
