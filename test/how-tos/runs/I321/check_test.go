package secret

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func code(t *testing.T, now time.Time) *Code {
	made, err := NewCode(now)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestTokens(t *testing.T) {
	seen := map[string]bool{}
	for range 1_000_000 {
		token := Token()
		if len(token) != 26 || seen[token] {
			t.Fatal(token)
		}
		seen[token] = true
	}
}

func TestCodes(t *testing.T) {
	now := time.Now()
	digits, seen, zeros := regexp.MustCompile(`^[0-9]{8}$`), map[string]bool{}, 0
	for range 1_000 {
		c := code(t, now)
		if !digits.MatchString(c.Reveal()) {
			t.Fatal(c.Reveal())
		}
		if c.Reveal()[0] == '0' {
			zeros++
		}
		seen[c.Reveal()] = true
		if text := fmt.Sprintf("%v %+v %#v %s", c, c, c, c); strings.Contains(text, c.Reveal()) {
			t.Fatal(text)
		}
	}
	if len(seen) < 990 || zeros < 50 {
		t.Fatal(len(seen), zeros)
	}

	once := code(t, now)
	if !once.Accept(once.Reveal(), now.Add(9*time.Minute)) || once.Accept(once.Reveal(), now) {
		t.Fatal("a code works once")
	}
	guessed := code(t, now)
	for _, wrong := range []string{"", "1", "wrong", "123456789", "\x00"} {
		if guessed.Accept(wrong, now) {
			t.Fatal(wrong)
		}
	}
	if guessed.Accept(guessed.Reveal(), now) {
		t.Fatal("five attempts")
	}
	fifth := code(t, now)
	for range 4 {
		fifth.Accept("wrong", now)
	}
	if !fifth.Accept(fifth.Reveal(), now) {
		t.Fatal("the fifth attempt counts")
	}
	old := code(t, now)
	if old.Accept(old.Reveal(), now.Add(11*time.Minute)) {
		t.Fatal("too old")
	}

	for range 2_000 {
		parallel, accepted, start := code(t, now), atomic.Int32{}, make(chan struct{})
		var group sync.WaitGroup
		for range 20 {
			group.Add(1)
			go func() {
				defer group.Done()
				<-start
				if parallel.Accept(parallel.Reveal(), now) {
					accepted.Add(1)
				}
			}()
		}
		close(start)
		group.Wait()
		if accepted.Load() != 1 || parallel.attempts != maxAttempts {
			t.Fatal(accepted.Load(), parallel.attempts)
		}
	}
}
