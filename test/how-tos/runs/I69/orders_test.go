package orders

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"
)

func TestList(t *testing.T) {
	db, err := sql.Open("postgres", os.Getenv("DATABASE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	list := func(statuses []string, sort string, limit int) string {
		found, err := List(context.Background(), db, 1, statuses, sort, limit)
		if err != nil {
			t.Errorf("%q, %q: %v", statuses, sort, err)
		}
		return fmt.Sprint(found)
	}
	for want, got := range map[string]string{
		"[{1 b} {2 o'Brien'--}]":       list([]string{"paid"}, "created", 100),
		"[{3 a} {1 b} {2 o'Brien'--}]": list([]string{"paid", "open"}, "created", 100),
		"[{3 a} {1 b}]":                list([]string{"paid", "open"}, "title", 2),
		"[{3 a}]":                      list([]string{"paid", "open"}, "created", -1),
		"[]":                           list(nil, "title", 100),
	} {
		if got != want {
			t.Errorf("%s instead of %s", got, want)
		}
	}
	begin := time.Now()
	for _, text := range []string{
		"' OR 1=1--", "'; SELECT pg_sleep(20)--", "paid') OR 1=1--", `{paid}`, `","paid`, `\",paid`, "$1", "paid' || pg_sleep(20) || '",
	} {
		if got := list([]string{text}, "title", 100); got != "[]" {
			t.Errorf("%q: %s", text, got)
		}
		if _, err := List(context.Background(), db, 1, []string{"paid"}, text, 100); !errors.Is(err, ErrUnknownSort) {
			t.Errorf("sorted by %q: %v", text, err)
		}
	}
	if time.Since(begin) > 15*time.Second {
		t.Error("a value was executed")
	}
	if _, err := List(context.Background(), db, 1, nil, "created_at", 100); !errors.Is(err, ErrUnknownSort) {
		t.Error(err)
	}
}
