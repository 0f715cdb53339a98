package journal

import "time"

// ParseTime reads an RFC 3339 time as unix nanoseconds. The shape that every harness writes, in UTC with any number of
// digits after the second, takes a fast way without allocation.
func ParseTime(b []byte) (int64, bool) {
	if len(b) >= 20 && b[4] == '-' && b[7] == '-' && (b[10] == 'T' || b[10] == ' ') && b[13] == ':' && b[16] == ':' && b[len(b)-1] == 'Z' {
		y, ok1 := digits(b[0:4])
		mo, ok2 := digits(b[5:7])
		d, ok3 := digits(b[8:10])
		h, ok4 := digits(b[11:13])
		mi, ok5 := digits(b[14:16])
		s, ok6 := digits(b[17:19])
		ns, ok7 := fraction(b[19 : len(b)-1])
		if ok1 && ok2 && ok3 && ok4 && ok5 && ok6 && ok7 && mo >= 1 && mo <= 12 && d >= 1 && d <= 31 && h < 24 && mi < 60 && s < 61 {
			return (daysSince1970(y, mo, d)*86400+int64(h*3600+mi*60+s))*1e9 + int64(ns), true
		}
		return 0, false
	}
	t, err := time.Parse(time.RFC3339Nano, string(b))
	if err != nil {
		return 0, false
	}
	return t.UnixNano(), true
}

func digits(b []byte) (int, bool) {
	n := 0
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

// fraction reads "" or ".123" as nanoseconds.
func fraction(b []byte) (int, bool) {
	if len(b) == 0 {
		return 0, true
	}
	if b[0] != '.' || len(b) < 2 {
		return 0, false
	}
	n, ok := digits(b[1:min(len(b), 10)])
	for i := len(b); i < 10; i++ {
		n *= 10
	}
	return n, ok
}

// daysSince1970 counts days of the proleptic Gregorian calendar, with March as the first month of a year.
func daysSince1970(y, m, d int) int64 {
	if m <= 2 {
		y--
		m += 12
	}
	era := y / 400
	yoe := y - era*400
	doy := (153*(m-3)+2)/5 + d - 1
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return int64(era)*146097 + int64(doe) - 719468
}
