package unpack

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

type entry struct {
	name, content string
	mode          fs.FileMode
	zeros         int64
}

type zeros struct{}

func (zeros) Read(buffer []byte) (int, error) {
	clear(buffer)
	return len(buffer), nil
}

func archiveOf(t *testing.T, entries ...entry) *zip.Reader {
	var buffer bytes.Buffer
	writer := zip.NewWriter(&buffer)
	for _, one := range entries {
		header := &zip.FileHeader{Name: one.name, Method: zip.Deflate}
		if one.mode != 0 {
			header.SetMode(one.mode)
		}
		file, err := writer.CreateHeader(header)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(file, one.content)
		if _, err := io.CopyN(file, zeros{}, one.zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	reader, _ := zip.NewReader(bytes.NewReader(buffer.Bytes()), int64(buffer.Len()))
	return reader
}

func contents(t *testing.T, folder string) string {
	var found string
	filepath.WalkDir(folder, func(path string, _ fs.DirEntry, _ error) error {
		found += path + "\n"
		return nil
	})
	return found
}

func TestOrdinary(t *testing.T) {
	target := filepath.Join(t.TempDir(), "target")
	archive := archiveOf(t, entry{name: "a.txt", content: "a"}, entry{name: "empty/", mode: fs.ModeDir | 0o777},
		entry{name: "sub/deep/b.sh", content: "b", mode: 0o4777})
	if err := Zip(archive, target); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"a.txt": "a", "sub/deep/b.sh": "b"} {
		file := filepath.Join(target, name)
		got, err := os.ReadFile(file)
		if err != nil || string(got) != content {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if info, err := os.Stat(file); err != nil || info.Mode()&^fs.FileMode(0o640) != 0 {
			t.Errorf("%s: %v", name, info.Mode())
		}
	}
	if Zip(archive, target) == nil {
		t.Error("the target existed")
	}
	if _, err := os.Stat(target); err != nil {
		t.Error("the folder of someone else was removed")
	}
}

func TestHostile(t *testing.T) {
	outside := t.TempDir()
	many := make([]entry, 1_001)
	for n := range many {
		many[n] = entry{name: fmt.Sprintf("f%d", n)}
	}
	bomb := int64(1 << 30)
	for name, entries := range map[string][]entry{
		"parent":         {{name: "../a", content: "x"}},
		"deeper":         {{name: "b/../../a", content: "x"}},
		"absolute":       {{name: "/etc/a-how-to", content: "x"}},
		"backslash":      {{name: `a\..\b`, content: "x"}},
		"drive":          {{name: "C:a", content: "x"}},
		"empty":          {{name: "", content: "x"}},
		"device":         {{name: "d", mode: fs.ModeDevice | 0o600}},
		"pipe":           {{name: "p", mode: fs.ModeNamedPipe | 0o600}},
		"link":           {{name: "l", content: outside, mode: fs.ModeSymlink | 0o777}, {name: "l/a", content: "x"}},
		"twice":          {{name: "a", content: "x"}, {name: "a", content: "y"}},
		"parent later":   {{name: "a", content: "x"}, {name: "../b", content: "y"}},
		"bomb":           {{name: "zeros", zeros: bomb}},
		"bomb in pieces": {{name: "1", zeros: bomb / 3}, {name: "2", zeros: bomb / 3}},
		"many":           many,
	} {
		folder := t.TempDir()
		before := contents(t, outside)
		if err := Zip(archiveOf(t, entries...), filepath.Join(folder, "target")); err == nil {
			t.Errorf("%s: no error", name)
		}
		if got := contents(t, folder); got != folder+"\n" {
			t.Errorf("%s left %s", name, got)
		}
		if contents(t, outside) != before {
			t.Errorf("%s wrote outside", name)
		}
		if _, err := os.Stat("/etc/a-how-to"); err == nil {
			t.Errorf("%s wrote to /etc", name)
		}
	}
}
