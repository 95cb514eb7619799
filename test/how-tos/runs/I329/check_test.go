package documents

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"testing"

	_ "github.com/lib/pq"
)

func TestDocuments(t *testing.T) {
	db, err := sql.Open("postgres", os.Getenv("DATABASE_URL")+"?sslmode=disable")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TABLE folders (id bigint PRIMARY KEY, owner_id bigint NOT NULL);
		CREATE TABLE documents (id bigint PRIMARY KEY, owner_id bigint NOT NULL, title text NOT NULL,
		                        folder_id bigint NOT NULL REFERENCES folders);
		INSERT INTO folders VALUES (100, 1), (101, 1), (200, 2);
		INSERT INTO documents VALUES (10, 1, 'first', 100), (20, 2, 'other', 200)`); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	store := NewStore(db)
	ann, bob := store.For(1), store.For(2)
	mine := Document{10, 100, "first"}
	unchanged := func() {
		t.Helper()
		if found, err := ann.Find(ctx, 10); err != nil || found != mine {
			t.Fatal(found, err)
		}
	}
	unchanged()
	for _, id := range []int64{10, 99} {
		found, err := bob.Find(ctx, id)
		for _, err := range []error{err, bob.Move(ctx, id, 200), bob.Delete(ctx, id)} {
			if !errors.Is(err, ErrNotFound) || found != (Document{}) {
				t.Fatal(id, found, err)
			}
		}
		unchanged()
	}
	for _, folder := range []int64{200, 999} {
		if err := ann.Move(ctx, 10, folder); !errors.Is(err, ErrNotFound) {
			t.Fatal(folder, err)
		}
		unchanged()
	}
	if err := ann.Move(ctx, 10, 101); err != nil {
		t.Fatal(err)
	}
	mine.FolderID = 101
	unchanged()
	if err := ann.Delete(ctx, 10); err != nil {
		t.Fatal(err)
	}
	if _, err := ann.Find(ctx, 10); !errors.Is(err, ErrNotFound) {
		t.Fatal(err)
	}
	if found, err := bob.Find(ctx, 20); err != nil || found.FolderID != 200 {
		t.Fatal(found, err)
	}
}
