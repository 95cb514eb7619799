package origin

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

const own = "https://app.example.com"

func call(method, path string, headers [][2]string) int {
	request := httptest.NewRequest(method, "https://app.example.com"+path, nil)
	for _, header := range headers {
		request.Header.Add(header[0], header[1])
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Method", r.Method) })
	recorder := httptest.NewRecorder()
	Protect(mux).ServeHTTP(recorder, request)
	if seen := recorder.Header().Get("Method"); recorder.Code == 200 && seen != method {
		return 0
	}
	return recorder.Code
}

func TestOrigins(t *testing.T) {
	const site = "Sec-Fetch-Site"
	permitted := [][][2]string{
		{{site, "same-origin"}, {"Origin", own}, {"Cookie", "a=b"}}, {{site, "same-origin"}, {"Cookie", "a=b"}},
		{{"Origin", own}, {"Cookie", "a=b"}}, {},
	}
	rejected := [][][2]string{
		{{"Cookie", "a=b"}}, {{site, "cross-site"}}, {{site, "same-site"}}, {{site, "cross-site"}, {"Origin", own}},
		{{"Origin", "https://evil.example"}}, {{"Origin", "https://static.example.com"}}, {{"Origin", own + ":8443"}},
		{{"Origin", own + ".evil.example"}}, {{"Origin", "null"}},
	}
	twice := [][2]string{{"Origin", own}, {"Origin", "https://evil.example"}}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "INVENTED"} {
		for _, path := range []string{"/orders", "/sign-in"} {
			for _, headers := range permitted {
				if code := call(method, path, headers); code != 200 {
					t.Fatal(method, path, headers, code)
				}
			}
			for _, headers := range append(rejected, twice) {
				if code := call(method, path, headers); code != 403 {
					t.Fatal(method, path, headers, code)
				}
			}
		}
	}
	upgrade := [2]string{"Upgrade", "websocket"}
	for _, headers := range rejected {
		if code := call("GET", "/orders", headers); code != 200 {
			t.Fatal(headers, code)
		}
		if code := call("GET", "/socket", append([][2]string{upgrade}, headers...)); code != 403 {
			t.Fatal("handshake", headers, code)
		}
	}
	if code := call("GET", "/socket", [][2]string{upgrade, {"Origin", own}, {"Cookie", "a=b"}}); code != 200 {
		t.Fatal(code)
	}
}
