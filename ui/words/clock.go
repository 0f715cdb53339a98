package words

import "time"

// Clock writes moments in a person's zone. Zone gives the seconds east of UTC at a moment (milliseconds since 1970);
// nil means UTC. A moment of 0 is unknown and gives "".
type Clock struct{ Zone func(ms int64) int }

func (c Clock) write(ms int64, layout string) string {
	if ms == 0 {
		return ""
	}
	offset := 0
	if c.Zone != nil {
		offset = c.Zone(ms)
	}
	return time.UnixMilli(ms).UTC().Add(time.Duration(offset) * time.Second).Format(layout)
}

// Second writes "10:28:51".
func (c Clock) Second(ms int64) string { return c.write(ms, "15:04:05") }

// Minute writes "10:28".
func (c Clock) Minute(ms int64) string { return c.write(ms, "15:04") }

// DayMinute writes "30 Nov, 10:02".
func (c Clock) DayMinute(ms int64) string { return c.write(ms, "2 Jan, 15:04") }

// Date writes "30 Nov 2026, 10:02".
func (c Clock) Date(ms int64) string { return c.write(ms, "2 Jan 2006, 15:04") }
