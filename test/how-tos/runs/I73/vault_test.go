package vault

import (
	"bytes"
	"testing"
)

var key = bytes.Repeat([]byte{7}, 32)

func TestSealAndOpen(t *testing.T) {
	plain := []byte("a secret text")
	first, err := Seal(key, plain, "order:1")
	if err != nil {
		t.Fatal(err)
	}
	second, _ := Seal(key, plain, "order:1")
	if bytes.Equal(first, second) || bytes.Equal(first[:12], second[:12]) {
		t.Error("two results have the same nonce")
	}
	for _, sealed := range [][]byte{first, second} {
		if opened, err := Open(key, sealed, "order:1"); err != nil || !bytes.Equal(opened, plain) {
			t.Errorf("%q, %v", opened, err)
		}
		if bytes.Contains(sealed, plain[:4]) {
			t.Error("the text can be read")
		}
	}
	if _, err := Open(key, first, "order:2"); err == nil {
		t.Error("another record was opened")
	}
	if _, err := Open(bytes.Repeat([]byte{8}, 32), first, "order:1"); err == nil {
		t.Error("another key opened it")
	}
	for n := range first {
		changed := bytes.Clone(first)
		changed[n] ^= 1
		if _, err := Open(key, changed, "order:1"); err == nil {
			t.Errorf("bit of byte %d was changed", n)
		}
		if _, err := Open(key, first[:n], "order:1"); err == nil {
			t.Errorf("%d bytes were opened", n)
		}
	}
}

func TestShortKeys(t *testing.T) {
	for _, size := range []int{0, 16, 24, 31, 33} {
		if _, err := Seal(make([]byte, size), nil, ""); err == nil {
			t.Errorf("a key of %d bytes", size)
		}
	}
}
