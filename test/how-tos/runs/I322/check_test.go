package files

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestFiles(t *testing.T) {
	top := t.TempDir()
	base := filepath.Join(top, "base")
	write := func(name, text string) error { return os.WriteFile(filepath.Join(top, name), []byte(text), 0o600) }
	must(t, os.MkdirAll(filepath.Join(base, "sub"), 0o700), write("outside.txt", "secret"), write("base/a.txt", "inside"),
		write("base/.hidden", "secret"), os.Symlink(filepath.Join(top, "outside.txt"), filepath.Join(base, "link")),
		os.Symlink("../outside.txt", filepath.Join(base, "relative")), os.Symlink("a.txt", filepath.Join(base, "alias")),
		syscall.Mkfifo(filepath.Join(base, "pipe"), 0o600))
	folder, err := NewFolder(base)
	must(t, err)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /files/{name}", folder.Download)
	get := func(path string) *httptest.ResponseRecorder {
		recorder := httptest.NewRecorder()
		mux.ServeHTTP(recorder, httptest.NewRequest("GET", path, nil))
		return recorder
	}

	for _, name := range []string{"a.txt", "alias"} {
		good := get("/files/" + name)
		if good.Code != 200 || good.Body.String() != "inside" || good.Header().Get("Content-Disposition") != "attachment" {
			t.Fatal(name, good.Code, good.Body, good.Header())
		}
	}
	missing := get("/files/missing.txt")
	if missing.Code != 404 {
		t.Fatal(missing.Code)
	}
	for _, path := range []string{
		"..%2Foutside.txt", "%252e%252e%2Foutside.txt", "..%5Coutside.txt", "%2Fetc%2Fpasswd", "C:%5Cx", "a.txt%00", "a.txt%0A",
		".hidden", "%2E%2E", strings.Repeat("x", 65), "sub", "pipe", "link", "relative", "sub%2F..%2Fa.txt",
	} {
		answer := get("/files/" + path)
		if answer.Code != 404 || answer.Body.String() != missing.Body.String() {
			t.Fatal(path, answer.Code, answer.Body)
		}
	}
	for _, name := range []string{"../outside.txt", "/etc/passwd", "", "."} {
		if _, err := folder.Open(name); err != ErrNotFound {
			t.Fatal(name, err)
		}
	}
}
