package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"
)

const address = "localhost:8443"

var client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}

func fail(text string, values ...any) {
	fmt.Fprintf(os.Stderr, text+"\n", values...)
	os.Exit(1)
}

func expect(what string, want int, body string) {
	response, err := client.Post("https://"+address+"/orders", "application/json", strings.NewReader(body))
	if err != nil {
		fail("%s: %v", what, err)
	}
	response.Body.Close()
	if response.StatusCode != want {
		fail("%s: %d instead of %d", what, response.StatusCode, want)
	}
}

func order(bytes int) string {
	empty := `{"title":""}`
	return `{"title":"` + strings.Repeat("a", bytes-len(empty)) + `"}`
}

func connect() *tls.Conn {
	connection, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		fail("connect: %v", err)
	}
	return connection
}

// headers sends one header of so many bytes, and returns the status.
func headers(size int, version string) string {
	status, _ := exec.Command("curl", "-sko", "/dev/null", "-w", "%{http_code}", version, "-H",
		"X: "+strings.Repeat("a", size), "-d", `{"title":"abc"}`, "https://"+address+"/orders").Output()
	return string(status)
}

// slow sends a body byte by byte until the server answers, and returns the first line and how long it took.
func slow() (string, time.Duration) {
	connection := connect()
	defer connection.Close()
	fmt.Fprintf(connection, "POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
	begin := time.Now()
	go func() {
		for {
			if _, err := connection.Write([]byte(" ")); err != nil {
				return
			}
			time.Sleep(time.Second)
		}
	}()
	line := make([]byte, 12)
	io.ReadFull(connection, line)
	return string(line), time.Since(begin)
}

// silent says nothing at all, and returns when the server closes the connection.
func silent() time.Duration {
	connection, err := net.Dial("tcp", address)
	if err != nil {
		fail("silent: %v", err)
	}
	defer connection.Close()
	begin := time.Now()
	io.Copy(io.Discard, connection)
	return time.Since(begin)
}

func within(what string, got, low, high time.Duration) {
	if got < low || got > high {
		fail("%s after %s", what, got)
	}
}

func main() {
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		if connection, err := net.Dial("tcp", address); err == nil {
			connection.Close()
			break
		} else if time.Since(begin) > 30*time.Second {
			fail("the server does not start: %v", err)
		}
	}
	expect("an order", 201, `{"title":"abc"}`)
	expect("1 MiB", 201, order(1<<20))
	expect("1 MiB and a byte", 413, order(1<<20+1))
	expect("two values", 400, `{"title":"a"}{"title":"b"}`)
	expect("spaces behind the value", 201, `{"title":"a"}  `)
	expect("too much behind the value", 413, `{"title":"a"}`+strings.Repeat(" ", 1<<20))
	expect("an unknown field", 400, `{"title":"a","admin":true}`)
	expect("no JSON", 400, `{`)
	for version, statuses := range map[string][2]string{"--http1.1": {"201", "431"}, "--http2": {"201", "000"}} {
		if got := headers(15<<10, version); got != statuses[0] {
			fail("headers of 15 KiB, %s: %s", version, got)
		}
		if got := headers(32<<10, version); got != statuses[1] {
			fail("headers of 32 KiB, %s: %s", version, got)
		}
	}

	finished := make(chan func())
	go func() {
		line, took := slow()
		finished <- func() {
			if line != "HTTP/1.1 408" {
				fail("a slow body: %q", line)
			}
			within("408", took, 29*time.Second, 50*time.Second)
		}
	}()
	go func() {
		took := silent()
		finished <- func() { within("closed", took, 9*time.Second, 29*time.Second) }
	}()
	for range 2 {
		(<-finished)()
	}

	// Connections that say nothing hold all places, until ReadHeaderTimeout ends them.
	client.CloseIdleConnections()
	var held []net.Conn
	for range 5_000 {
		connection, err := net.Dial("tcp", address)
		if err != nil {
			fail("hold: %v", err)
		}
		held = append(held, connection)
	}
	begin := time.Now()
	expect("after the places are free", 201, `{"title":"abc"}`)
	within("a place", time.Since(begin), 5*time.Second, 40*time.Second)
	for _, connection := range held {
		connection.Close()
	}
}
