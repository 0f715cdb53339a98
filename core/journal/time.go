package journal

// Times are unix nanoseconds everywhere, 0 for unknown. The two forms that are needed are written here: package time would
// bring its whole parser and all its layouts into the page.

// ParseTime reads an RFC 3339 time as unix nanoseconds: a date, a time with any number of digits after the second, and Z or
// an offset.
func ParseTime(b []byte) (int64, bool) {
	if len(b) < 20 || b[4] != '-' || b[7] != '-' || b[10] != 'T' && b[10] != 't' && b[10] != ' ' || b[13] != ':' || b[16] != ':' {
		return 0, false
	}
	offset, zone, ok0 := zone(b)
	if !ok0 {
		return 0, false
	}
	y, ok1 := digits(b[0:4])
	mo, ok2 := digits(b[5:7])
	d, ok3 := digits(b[8:10])
	h, ok4 := digits(b[11:13])
	mi, ok5 := digits(b[14:16])
	s, ok6 := digits(b[17:19])
	ns, ok7 := fraction(b[19:zone])
	if !(ok1 && ok2 && ok3 && ok4 && ok5 && ok6 && ok7) || mo < 1 || mo > 12 || d < 1 || d > 31 || h > 23 || mi > 59 || s > 60 {
		return 0, false
	}
	if y < 1678 || y > 2261 { // beyond what nanoseconds since 1970 can say
		return 0, false
	}
	return (daysSince1970(y, mo, d)*86400+int64(h*3600+mi*60+s-offset))*1e9 + int64(ns), true
}

// zone reads the end of a time: Z, or an offset such as +02:00. at is where it begins.
func zone(b []byte) (seconds, at int, ok bool) {
	n := len(b)
	if b[n-1] == 'Z' || b[n-1] == 'z' {
		return 0, n - 1, true
	}
	if n < 25 || b[n-3] != ':' || b[n-6] != '+' && b[n-6] != '-' {
		return 0, 0, false
	}
	h, ok1 := digits(b[n-5 : n-3])
	m, ok2 := digits(b[n-2:])
	if seconds = h*3600 + m*60; b[n-6] == '-' {
		seconds = -seconds
	}
	return seconds, n - 6, ok1 && ok2 && h < 24 && m < 60
}

// AppendTime writes unix nanoseconds as RFC 3339 in UTC, with as many digits after the second as there are.
func AppendTime(dst []byte, ns int64) []byte {
	y, m, d, s, frac := Date(ns)
	dst = appendDigits(dst, y, 4)
	dst = appendDigits(append(dst, '-'), m, 2)
	dst = appendDigits(append(dst, '-'), d, 2)
	dst = appendDigits(append(dst, 'T'), s/3600, 2)
	dst = appendDigits(append(dst, ':'), s/60%60, 2)
	dst = appendDigits(append(dst, ':'), s%60, 2)
	if frac > 0 {
		dst = appendDigits(append(dst, '.'), frac, 9)
		for dst[len(dst)-1] == '0' {
			dst = dst[:len(dst)-1]
		}
	}
	return append(dst, 'Z')
}

// Date takes a moment apart in UTC: year, month, day, second of the day, nanosecond of the second.
func Date(ns int64) (year, month, day, second, frac int) {
	days, rest := floorDiv(ns, 86400*1e9)
	year, month, day = civil(days)
	return year, month, day, int(rest / 1e9), int(rest % 1e9)
}

func floorDiv(a, b int64) (q, r int64) {
	q, r = a/b, a%b
	if r < 0 {
		q, r = q-1, r+b
	}
	return q, r
}

func appendDigits(dst []byte, n, width int) []byte {
	var b [9]byte
	for i := width - 1; i >= 0; i-- {
		b[i] = byte('0' + n%10)
		n /= 10
	}
	return append(dst, b[:width]...)
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

// civil is the inverse of daysSince1970.
func civil(days int64) (y, m, d int) {
	z := days + 719468
	era, r := floorDiv(z, 146097)
	doe := int(r)
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	y, m, d = yoe+int(era)*400, mp+3, doy-(153*mp+2)/5+1
	if m > 12 {
		y, m = y+1, m-12
	}
	return y, m, d
}
