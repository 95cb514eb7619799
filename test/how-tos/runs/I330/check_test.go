package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const body = `{"order":7}`

var (
	current = []byte("the current secret of this sender")
	next    = []byte("the next secret of the same sender")
)

func sign(secret []byte, id, stamp, body string) string {
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%s.%s", id, stamp, body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func at(offset time.Duration) string { return fmt.Sprint(time.Now().Add(offset).Unix()) }

func TestWebhooks(t *testing.T) {
	var handled []string
	var failure error
	secrets := [][]byte{current, next}
	send := func(id, stamp, signature, body string) int {
		request := httptest.NewRequest("POST", "/hooks/pay", strings.NewReader(body))
		for name, value := range map[string]string{"Webhook-Id": id, "Webhook-Timestamp": stamp, "Webhook-Signature": signature} {
			if value != "-" {
				request.Header.Set(name, value)
			}
		}
		recorder := httptest.NewRecorder()
		Verify(secrets, func(id string, body []byte) error {
			handled = append(handled, id+" "+string(body))
			return failure
		})(recorder, request)
		return recorder.Code
	}
	now := at(0)
	good := sign(current, "m1", now, body)
	raw, _ := base64.StdEncoding.DecodeString(good[3:])
	type message struct{ id, stamp, signature, body string }
	for _, bad := range []message{
		{"m1", now, good, `{"order":8}`}, {"m2", now, good, body}, {"m1", at(time.Second), good, body},
		{"m1", at(-6 * time.Minute), sign(current, "m1", at(-6*time.Minute), body), body},
		{"m1", at(6 * time.Minute), sign(current, "m1", at(6*time.Minute), body), body},
		{"m1", "soon", sign(current, "m1", "soon", body), body},
		{"m1", "99999999999999999999", sign(current, "m1", "99999999999999999999", body), body},
		{"m1", "-9223372036854775808", sign(current, "m1", "-9223372036854775808", body), body},
		{"m1", now, sign([]byte("another sender"), "m1", now, body), body}, {"m1", now, sign(nil, "m1", now, body), body},
		{"m1", now, "", body}, {"m1", now, "-", body}, {"m1", now, "v1,", body}, {"m1", now, "v1,!!", body},
		{"m1", now, "v1," + base64.StdEncoding.EncodeToString(raw[:16]), body}, {"m1", now, strings.Replace(good, "v1", "v1a", 1), body},
		{"m1", now, good[3:], body}, {"-", now, sign(current, "", now, body), body},
	} {
		if code := send(bad.id, bad.stamp, bad.signature, bad.body); code != 401 || len(handled) > 0 {
			t.Fatal(bad, code, handled)
		}
	}
	if code := send("m1", now, good, body); code != 204 {
		t.Fatal(code)
	}
	if code := send("m2", now, "v1,AAAA "+sign(next, "m2", now, body), body); code != 204 {
		t.Fatal(code)
	}
	if fmt.Sprint(handled) != `[m1 {"order":7} m2 {"order":7}]` {
		t.Fatal(handled)
	}
	large := strings.Repeat(" ", maxBytes+1)
	if code := send("m3", now, sign(current, "m3", now, large), large); code != 413 || len(handled) != 2 {
		t.Fatal(code, handled)
	}
	failure = errors.New("the database is away")
	if code := send("m1", now, good, body); code != 500 {
		t.Fatal(code)
	}
	secrets, failure, handled = nil, nil, nil
	if code := send("m1", now, good, body); code != 401 || len(handled) > 0 {
		t.Fatal(code)
	}
}
