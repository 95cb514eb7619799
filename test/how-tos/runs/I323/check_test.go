package release

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// commit adds random data and gives the commit a tag.
func commit(t *testing.T, folder, tag string, size int) {
	noise := make([]byte, size)
	rand.Read(noise)
	if err := os.WriteFile(filepath.Join(folder, "noise.bin"), noise, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, arguments := range [][]string{
		{"-c", "core.compression=0", "add", "."},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "-m", tag}, {"tag", tag},
	} {
		command := exec.Command("/usr/bin/git", arguments...)
		command.Dir = folder
		if output, err := command.CombinedOutput(); err != nil {
			t.Fatal(string(output), err)
		}
	}
}

func repository(t *testing.T) string {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "readme.txt"), []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := exec.Command("/usr/bin/git", "init", "--quiet", "--initial-branch=main", folder).Run(); err != nil {
		t.Fatal(err)
	}
	commit(t, folder, "v1.0", 2<<20)
	return filepath.Join(folder, ".git")
}

func TestArchives(t *testing.T) {
	from, written := repository(t), filepath.Join(t.TempDir(), "written")
	var data bytes.Buffer
	if err := Zip(context.Background(), &data, from, "v1.0"); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(data.Bytes()), int64(data.Len()))
	if err != nil {
		t.Fatal(err)
	}
	file, err := archive.Open("readme.txt")
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := io.ReadAll(file); string(text) != "hello" {
		t.Fatal(string(text))
	}

	for _, name := range []string{
		"--output=" + written, "--remote=ext::sh", "-l", "v1.0;id", "$(id)", "`id`", "v1.0^{tree}", "v1.0:readme.txt",
		"../heads/main", "", "v1.0\n", "v1.0\x00", strings.Repeat("x", 65),
	} {
		var none bytes.Buffer
		if err := Zip(context.Background(), &none, from, name); err != ErrTag || none.Len() > 0 {
			t.Fatalf("%q: %v", name, err)
		}
	}
	if _, err := os.Stat(written); err == nil {
		t.Fatal("an option wrote a file")
	}
	if err := Zip(context.Background(), io.Discard, from, "v2.0"); err == nil || err == ErrTag {
		t.Fatal("there is no such tag", err)
	}

	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Zip(canceled, io.Discard, from, "v1.0"); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	large := repository(t)
	commit(t, filepath.Dir(large), "large", maxBytes+1)
	counted := &limited{to: io.Discard, left: 2 * maxBytes}
	if err := Zip(context.Background(), counted, large, "large"); err != ErrTooLarge || counted.left < maxBytes {
		t.Fatal(err, counted.left)
	}
	full := &limited{to: io.Discard, left: 1 << 20}
	if err := Zip(context.Background(), full, from, "v1.0"); err == nil {
		t.Fatal("the receiver had an error")
	}
	var all bytes.Buffer
	exact := &limited{to: &all, left: 4}
	if n, err := exact.Write([]byte("four")); n != 4 || err != nil {
		t.Fatal(n, err)
	}
	if n, err := exact.Write([]byte("5")); n != 0 || err != ErrTooLarge || all.String() != "four" {
		t.Fatal(n, err, all.String())
	}
}

// A filter of Git writes down the environment that it inherits.
func TestEnvironmentHasNoSecrets(t *testing.T) {
	t.Setenv("DATABASE_PASSWORD", "secret")
	from := repository(t)
	hook := filepath.Join(t.TempDir(), "seen")
	exec.Command("/usr/bin/git", "--git-dir", from, "config", "filter.spy.smudge", "env > "+hook+"; cat").Run()
	os.WriteFile(filepath.Join(from, "info", "attributes"), []byte("readme.txt filter=spy\n"), 0o600)
	if err := Zip(context.Background(), io.Discard, from, "v1.0"); err != nil {
		t.Fatal(err)
	}
	seen, err := os.ReadFile(hook)
	if err != nil || !strings.Contains(string(seen), "LANG=C.UTF-8") || strings.Contains(string(seen), "secret") {
		t.Fatal(string(seen), err)
	}
}
