package web

import (
	"encoding/json"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func render(name string, data any) *httptest.ResponseRecorder {
	recorder := httptest.NewRecorder()
	Render(recorder, name, data)
	return recorder
}

func tags(t *testing.T, page string) (found []string) {
	script := regexp.MustCompile(`id="tags">(.*?)</script>`).FindStringSubmatch(page)
	if err := json.Unmarshal([]byte(script[1]), &found); err != nil {
		t.Fatal(page, err)
	}
	return found
}

func TestPages(t *testing.T) {
	plain := render("profile.html", Profile{"Ann", Link("https://example.com/?a=1&b=2"), []string{"a", "b"}}).Body.String()
	if !strings.Contains(plain, `<h1 title="Ann">Ann</h1>`) || !strings.Contains(plain, `href="https://example.com/?a=1&amp;b=2"`) {
		t.Fatal(plain)
	}
	if found := tags(t, plain); len(found) != 2 || found[1] != "b" {
		t.Fatal(found)
	}
	for _, bad := range []string{`"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, `</script><script>alert(1)</script>`, "{{7*7}}", "<!--<script>"} {
		page := render("profile.html", Profile{bad, "https://example.com/", []string{bad, "b"}}).Body.String()
		if found := tags(t, page); found[0] != bad {
			t.Fatal(found)
		}
		page = regexp.MustCompile(`id="tags">.*?</script>`).ReplaceAllString(page, `id="tags">[]</script>`)
		for _, sign := range []string{"<", ">", "'"} {
			expected := regexp.MustCompile(`id="tags">.*?</script>`).ReplaceAllString(plain, `id="tags">[]</script>`)
			if strings.Count(page, sign) != strings.Count(expected, sign) {
				t.Fatal(sign, page)
			}
		}
	}
	for _, good := range []string{"http://example.com/", "https://example.com/a%20b", "mailto:ann@example.com"} {
		if Link(good) != good {
			t.Fatal(good, Link(good))
		}
	}
	for _, bad := range []string{"javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", " javascript:alert(1)", "data:text/html,x", "//evil.example", "/path", ""} {
		page := render("profile.html", Profile{"Ann", Link(bad), nil}).Body.String()
		if Link(bad) != "" || strings.Contains(page, "<a ") {
			t.Fatal(bad, Link(bad))
		}
	}
	unchecked := render("profile.html", Profile{"Ann", "javascript:alert(1)", nil}).Body.String()
	if !strings.Contains(unchecked, `href="#ZgotmplZ"`) {
		t.Fatal(unchecked)
	}
	broken := render("broken.html", map[string]string{"Name": "Ann"})
	if broken.Code != 500 || strings.Contains(broken.Body.String(), "Ann") {
		t.Fatal(broken.Code, broken.Body)
	}
}
