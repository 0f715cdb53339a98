package ui

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"

	"contextscope/core/journal"
)

type rgb [3]float64 // linear light

func colourOf(hex string) (c rgb) {
	for i := range c {
		n, _ := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if v := float64(n) / 255; v <= 0.04045 {
			c[i] = v / 12.92
		} else {
			c[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return c
}

// eyes are how people see, with all cones and without one of them: Machado, Oliveira and Fernandes (2009) at full severity.
var eyes = map[string][3]rgb{
	"all cones":    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
	"deuteranopia": {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
	"tritanopia":   {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
}

func seen(c rgb, eye [3]rgb) (lab rgb) {
	var v rgb
	for i, row := range eye {
		v[i] = min(max(row[0]*c[0]+row[1]*c[1]+row[2]*c[2], 0), 1)
	}
	f := func(t float64) float64 {
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16.0/116
	}
	x, y, z := f((0.4124*v[0]+0.3576*v[1]+0.1805*v[2])/0.95047), f(0.2126*v[0]+0.7152*v[1]+0.0722*v[2]), f((0.0193*v[0]+0.1192*v[1]+0.9505*v[2])/1.08883)
	return rgb{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func distance(a, b rgb) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

// TestCategoriesAreToldApart: in both themes and for all eyes, categories that lie on each other, or would if the one between them
// is missing, differ by ten in CIELAB at least, any two by seven. A just noticeable difference is about two.
func TestCategoriesAreToldApart(t *testing.T) {
	css, err := os.ReadFile("../assets/style.css")
	if err != nil {
		t.Fatal(err)
	}
	for theme, name := range []string{"light", "dark"} {
		for eye, matrix := range eyes {
			var all []rgb
			var keys []string
			for c := journal.System; int(c) < journal.NumCategories; c++ {
				m := regexp.MustCompile(`--` + c.Key() + `: light-dark\((#\w{6}), (#\w{6})\)`).FindSubmatch(css)
				if m == nil {
					t.Fatalf("%s has no colour", c.Key())
				}
				all, keys = append(all, seen(colourOf(string(m[1+theme])), matrix)), append(keys, c.Key())
			}
			for i := range all {
				for k := range all[:i] {
					least := 7.0
					if i-k <= 2 {
						least = 10
					}
					if d := distance(all[i], all[k]); d < least {
						t.Errorf("%s, %s: %s and %s differ by %.1f, want %.0f", name, eye, keys[k], keys[i], d, least)
					}
				}
			}
		}
	}
}
