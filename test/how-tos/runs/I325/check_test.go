package session

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func setCookie(t *testing.T, handler http.HandlerFunc) (value string, attributes []string) {
	recorder := httptest.NewRecorder()
	handler(recorder, httptest.NewRequest("POST", "/", nil))
	headers := recorder.Header().Values("Set-Cookie")
	if len(headers) != 1 {
		t.Fatal(headers)
	}
	parts := strings.Split(headers[0], "; ")
	value, found := strings.CutPrefix(parts[0], "__Host-session=")
	if !found {
		t.Fatal(headers)
	}
	slices.Sort(parts[1:])
	return value, parts[1:]
}

func current(cookies string) (ID, bool) {
	request := httptest.NewRequest("GET", "/", nil)
	request.Header.Set("Cookie", cookies)
	return Current(request)
}

func TestCookies(t *testing.T) {
	seen := map[string]bool{}
	for range 20 {
		var id ID
		value, attributes := setCookie(t, func(w http.ResponseWriter, _ *http.Request) { id = Start(w) })
		if got := fmt.Sprint(attributes); got != "[HttpOnly Path=/ SameSite=Lax Secure]" {
			t.Fatal(got)
		}
		if !regexp.MustCompile(`^[A-Z2-7]{52}$`).MatchString(value) || seen[value] {
			t.Fatal(value)
		}
		seen[value] = true
		if found, ok := current("__Host-session=" + value); !ok || found != id {
			t.Fatal("the next request is not signed in")
		}
		if strings.Contains(value, fmt.Sprintf("%X", id[:8])) {
			t.Fatal("the store knows the value")
		}
		for _, bad := range []string{
			"", "session=" + value, "__Host-session=", "__Host-session=" + value[1:],
			"__Host-session=" + value + "; __Host-session=" + strings.Repeat("A", 52),
		} {
			if _, ok := current(bad); ok {
				t.Fatal(bad)
			}
		}
		if other, ok := current("__Host-session=" + strings.Repeat("A", 52)); !ok || other == id {
			t.Fatal("another value has another key")
		}
	}
	value, attributes := setCookie(t, func(w http.ResponseWriter, _ *http.Request) { End(w) })
	for _, attribute := range []string{"Max-Age=0", "Secure", "Path=/"} {
		if value != "" || !slices.Contains(attributes, attribute) {
			t.Fatal(value, attributes)
		}
	}
}
