package passwords

import (
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"
)

const password = "correct horse Battery"

func expect(t *testing.T, typed, stored string, right, outdated bool) {
	t.Helper()
	gotRight, gotOutdated, err := Verify(typed, stored)
	if err != nil || gotRight != right || gotOutdated != outdated {
		t.Fatalf("%q with %q: %v, %v, %v", typed, stored, gotRight, gotOutdated, err)
	}
}

func TestPasswords(t *testing.T) {
	first, second := Hash(password), Hash(password)
	if first == second || !strings.HasPrefix(first, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Fatal(first, second)
	}
	salt, err := base64.RawStdEncoding.DecodeString(strings.Split(first, "$")[4])
	if err != nil || len(salt) != 16 {
		t.Fatal(first)
	}
	expect(t, password, first, true, false)
	expect(t, password, second, true, false)
	for _, wrong := range []string{"", "correct horse battery", "correct horse Batterz", password + " ", " " + password} {
		expect(t, wrong, first, false, false)
	}
	long := Hash(strings.Repeat("x", 199) + "a")
	expect(t, strings.Repeat("x", 199)+"a", long, true, false)
	expect(t, strings.Repeat("x", 199)+"b", long, false, false)

	raw := base64.RawStdEncoding
	for _, cost := range [][2]uint32{{8192, 2}, {19456, 1}} {
		key := argon2.IDKey([]byte(password), salt, cost[1], cost[0], 1, 32)
		old := fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=1$%s$%s", cost[0], cost[1], raw.EncodeToString(salt), raw.EncodeToString(key))
		expect(t, password, old, true, true)
		expect(t, "another", old, false, false)
	}
	damaged := []string{
		"", "x", strings.Replace(first, "argon2id", "argon2i", 1), strings.Replace(first, "m=19456", "m=4294967295", 1),
		strings.Replace(first, "t=2", "t=0", 1), strings.Replace(first, "p=1", "p=0", 1), strings.Replace(first, "v=19", "v=16", 1), first + "A",
	}
	for length := range len(first) {
		damaged = append(damaged, first[:length])
	}
	for _, stored := range damaged {
		if right, _, err := Verify(password, stored); right || err != ErrDamaged {
			t.Fatalf("%q: %v, %v", stored, right, err)
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	var most uint64
	done, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		for {
			var stats runtime.MemStats
			runtime.ReadMemStats(&stats)
			most = max(most, stats.HeapAlloc)
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	var group sync.WaitGroup
	for range 50 {
		group.Add(1)
		go func() { defer group.Done(); Hash(password) }()
	}
	group.Wait()
	close(done)
	<-watched
	// Eight hashes at once, and as much again that is not collected yet.
	if most < 19<<20 || most > 450<<20 {
		t.Fatal(most >> 20)
	}
}
