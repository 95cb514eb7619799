package safexml

import (
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
)

type note struct {
	Text string `xml:"text"`
	Any  []any  `xml:"-"`
}

func decode(document string) (note, error) {
	var into note
	err := Decode(strings.NewReader(document), &into)
	return into, err
}

func nested(depth int) string {
	return strings.Repeat("<a>", depth) + strings.Repeat("</a>", depth)
}

func TestDocuments(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	called := make(chan struct{}, 100)
	go func() {
		for {
			if _, err := listener.Accept(); err != nil {
				return
			}
			called <- struct{}{}
		}
	}()
	here := fmt.Sprintf("http://%s/", listener.Addr())

	good, err := decode(`<?xml version="1.0" encoding="UTF-8"?><!-- c --><note><text>a &lt; b</text></note>` + "\n<!-- end -->")
	if err != nil || good.Text != "a < b" {
		t.Fatal(good, err)
	}
	for depth, expected := range map[int]error{99: nil, 100: ErrTooDeep, 20_000: ErrTooDeep} {
		if _, err := decode("<note>" + nested(depth) + "</note>"); !errors.Is(err, expected) {
			t.Fatal(depth, err)
		}
	}
	for _, document := range []string{
		`<!DOCTYPE note [<!ENTITY x SYSTEM "file:///etc/passwd">]><note><text>&x;</text></note>`,
		`<!DOCTYPE note [<!ENTITY x SYSTEM "` + here + `">]><note><text>&x;</text></note>`,
		`<!DOCTYPE note [<!ENTITY % x SYSTEM "` + here + `"> %x;]><note/>`,
		`<!DOCTYPE note SYSTEM "` + here + `"><note/>`,
		`<!DOCTYPE note [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><note><text>&b;</text></note>`,
		`<note/><!DOCTYPE note>`,
		`<note><!ENTITY x "y"><text>a</text></note>`,
	} {
		if _, err := decode(document); !errors.Is(err, ErrDTD) {
			t.Fatal(document, err)
		}
	}
	for _, document := range []string{
		`<note><text>&undefined;</text></note>`, `<?xml version="1.0" encoding="UTF-16"?><note/>`, `<note>`, ``, `<note></other>`,
	} {
		if _, err := decode(document); err == nil {
			t.Fatal(document)
		}
	}
	for size, expected := range map[int]error{maxBytes: nil, maxBytes + 1: ErrTooLarge, 11 << 20: ErrTooLarge} {
		frame := "<note><text></text></note>"
		document := strings.Replace(frame, "></", ">"+strings.Repeat("x", size-len(frame))+"</", 1)
		if _, err := decode(document); !errors.Is(err, expected) {
			t.Fatal(size, err)
		}
	}
	if _, err := decode(`<note/><note/>`); !errors.Is(err, ErrTrailing) {
		t.Fatal(err)
	}
	included, err := decode(`<note xmlns:xi="http://www.w3.org/2001/XInclude" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
		xsi:schemaLocation="x ` + here + `"><xi:include href="file:///etc/passwd" parse="text"/><xi:include href="` + here + `"/><text>a</text></note>`)
	if err != nil || included.Text != "a" || len(called) > 0 {
		t.Fatal(included, err, len(called))
	}
}
