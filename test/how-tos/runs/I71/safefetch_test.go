package safefetch

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

const png = "\x89PNG\r\n\x1a\n"

var (
	reached []string
	targets = map[string]string{
		"/moved": "/image.png", "/circle": "/circle", "/to-1": "https://127.0.0.1/", "/to-2": "https://loopback.example/",
		"/to-3": "https://[::1]/", "/to-4": "http://images.example/image.png", "/to-5": "file:///etc/passwd",
		"/to-6": "https://internal.example/",
	}
)

func answer(w http.ResponseWriter, r *http.Request) {
	reached = append(reached, r.Host+r.URL.Path)
	if target, ok := targets[r.URL.Path]; ok {
		http.Redirect(w, r, target, http.StatusFound)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	switch r.URL.Path {
	case "/page":
		w.Header().Set("Content-Type", "text/html")
	case "/missing":
		w.WriteHeader(http.StatusNotFound)
	case "/large":
		w.Write(make([]byte, 6_000_000))
	case "/slow":
		for r.Context().Err() == nil {
			w.Write([]byte("x"))
			w.(http.Flusher).Flush()
			time.Sleep(time.Second)
		}
	}
	w.Write([]byte(png))
}

func failure(t *testing.T, address string) string {
	_, err := Image(context.Background(), address)
	if err == nil {
		t.Errorf("%s was loaded", address)
		return ""
	}
	return err.Error()
}

func expect(t *testing.T, address, text string) {
	if got := failure(t, address); !strings.Contains(got, text) {
		t.Errorf("%s: %s", address, got)
	}
}

func TestImage(t *testing.T) {
	pair, err := tls.LoadX509KeyPair("server.pem", "server.key")
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", ":443")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{
		Handler: http.HandlerFunc(answer), TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}},
	}
	go server.ServeTLS(listener, "", "")

	for _, path := range []string{"image.png", "moved"} {
		if got, err := Image(context.Background(), "https://images.example/"+path); err != nil || string(got) != png {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	reached = nil
	for _, host := range []string{
		"127.0.0.1", "0.0.0.0", "10.1.2.3", "100.64.0.1", "169.254.169.254", "[::1]", "[::]", "[::ffff:10.1.2.3]",
		"[::ffff:7f00:1]", "[fd00::7]", "[2002:a01:203::1]", "[64:ff9b::a01:203]", "localhost", "loopback.example",
		"internal.example", "metadata.example", "unique-local.example",
	} {
		expect(t, "https://"+host+"/", "is not allowed")
	}
	for _, host := range []string{"2130706433", "0x7f.1", "127.1"} {
		failure(t, "https://"+host+"/")
	}
	for _, address := range []string{
		"http://images.example/image.png", "file:///etc/passwd", "https://images.example:22/", "https://a@images.example/",
		"https://a:b@images.example/", "data:image/png,x", "//images.example/image.png",
	} {
		expect(t, address, "this URL is not allowed")
	}
	if len(reached) != 0 {
		t.Errorf("reached %v", reached)
	}
	// A name with a public and a private address leads to the public one, or to an error.
	if _, err := Image(context.Background(), "https://both.example/"); err != nil {
		t.Log(err)
	}
	for target := range targets {
		if strings.HasPrefix(target, "/to-") {
			expect(t, "https://images.example"+target, "not allowed")
		}
	}
	expect(t, "https://wrong-certificate.example/", "x509")
	expect(t, "https://images.example/circle", "too many redirects")
	expect(t, "https://images.example/page", "not an image")
	expect(t, "https://images.example/missing", "not an image")
	expect(t, "https://images.example/large", "too large")
	begin := time.Now()
	failure(t, "https://images.example/slow")
	if waited := time.Since(begin); waited < 9*time.Second || waited > 50*time.Second {
		t.Errorf("waited for %s", waited)
	}
	for _, where := range reached {
		if !strings.HasPrefix(where, "images.example/") && !strings.HasPrefix(where, "both.example/") {
			t.Errorf("reached %s", where)
		}
	}
}
