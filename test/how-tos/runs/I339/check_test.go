package photos

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

type file struct {
	name    string
	content []byte
}

// picture is red on the left and blue on the right.
func picture(format string) []byte {
	picture := image.NewRGBA(image.Rect(0, 0, 40, 20))
	for x := range 40 {
		for y := range 20 {
			picture.Set(x, y, color.RGBA{R: 255 * uint8((39-x)/20), B: 255 * uint8(x/20), A: 255})
		}
	}
	var out bytes.Buffer
	if format == "png" {
		png.Encode(&out, picture)
	} else {
		jpeg.Encode(&out, picture, nil)
	}
	return out.Bytes()
}

// resized is a PNG whose header has another size.
func resized(of []byte, width, height uint32) []byte {
	changed := bytes.Clone(of)
	binary.BigEndian.PutUint32(changed[16:], width)
	binary.BigEndian.PutUint32(changed[20:], height)
	binary.BigEndian.PutUint32(changed[29:], crc32.ChecksumIEEE(changed[12:29]))
	return changed
}

func upload(root *os.Root, files ...file) (int, []string) {
	var body bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&body, "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"%s\"\r\nContent-Type: image/png\r\n\r\n", f.name)
		body.Write(f.content)
		body.WriteString("\r\n")
	}
	body.WriteString("--b--\r\n")
	request := httptest.NewRequest(http.MethodPost, "/photos", &body)
	request.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	recorder := httptest.NewRecorder()
	Upload(root)(recorder, request)
	var names []string
	json.Unmarshal(recorder.Body.Bytes(), &names)
	return recorder.Code, names
}

func repeat(f file, times int) (files []file) {
	for range times {
		files = append(files, f)
	}
	return files
}

func TestUpload(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "photos")
	os.Mkdir(folder, 0o750)
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	stored := func(want int) {
		t.Helper()
		if entries, _ := os.ReadDir(folder); len(entries) != want {
			t.Errorf("%d files are stored", len(entries))
		}
	}
	photo, snap := picture("png"), picture("jpeg")
	comment := []byte("GPS 48.1 11.5")
	commented := bytes.Join([][]byte{snap[:2], {0xff, 0xfe, 0, byte(len(comment) + 2)}, comment, snap[2:]}, nil)
	accepted := []file{
		{"a.png", photo}, {"b.JPG", snap}, {"../../x.png", append(bytes.Clone(photo), "<?php system('id'); ?>"...)},
		{"x.php.png", photo}, {"c.jpeg", commented}, {"/tmp/e.png", photo},
	}
	status, names := upload(root, accepted...)
	if status != http.StatusOK || len(names) != len(accepted) {
		t.Fatalf("%d %v", status, names)
	}
	stored(len(accepted))
	shape := regexp.MustCompile(`^[A-Z2-7]{26}\.(png|jpe?g)$`)
	for index, name := range names {
		if !shape.MatchString(name) || !strings.EqualFold(filepath.Ext(name), filepath.Ext(accepted[index].name)) {
			t.Error(name)
		}
		content, err := root.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		info, _ := content.Stat()
		if info.Mode().Perm()&0o137 != 0 {
			t.Error(info.Mode())
		}
		view, _, err := image.Decode(content)
		if err != nil {
			t.Fatal(err)
		}
		left, _, _, _ := view.At(5, 10).RGBA()
		right, _, _, _ := view.At(35, 10).RGBA()
		if view.Bounds() != image.Rect(0, 0, 40, 20) || left < 0xc000 || right > 0x3000 {
			t.Errorf("%s shows another picture", accepted[index].name)
		}
		raw, _ := os.ReadFile(filepath.Join(folder, name))
		if bytes.Contains(raw, []byte("<?php")) || bytes.Contains(raw, comment) {
			t.Errorf("%s keeps foreign bytes", accepted[index].name)
		}
	}

	html := []byte("<script>alert(1)</script>")
	gif := []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;")
	for _, f := range []file{
		{"a.png", snap}, {"a.jpg", photo}, {"a.png", html}, {"a.svg", html}, {"a.php", photo}, {"a.png.php", photo},
		{"png", photo}, {"", photo}, {"a.png", photo[:60]}, {"a.png", nil}, {"a.gif", gif}, {"a.png", gif},
	} {
		if status, _ := upload(root, file{"good.png", photo}, f); status != http.StatusUnsupportedMediaType {
			t.Errorf("%q %q: %d", f.name, f.content[:min(4, len(f.content))], status)
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, f := range []file{{"a.png", resized(photo, 50_000, 50_000)}, {"a.png", resized(photo, 25_000_001, 1)}, {"a.png", resized(photo, 5_000, 5_001)}} {
		if status, _ := upload(root, f); status != http.StatusUnsupportedMediaType {
			t.Errorf("%d", status)
		}
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 5_000_000 {
		t.Errorf("%d bytes were used for pictures that are too large", used)
	}
	var exact bytes.Buffer
	png.Encode(&exact, image.NewGray(image.Rect(0, 0, 5_000, 5_000)))
	if status, _ := upload(root, file{"a.png", exact.Bytes()}); status != http.StatusOK {
		t.Errorf("25 megapixels: %d", status)
	}
	stored(7)
	large := append(bytes.Clone(photo), make([]byte, maxBytes+1-len(photo))...)
	for _, files := range [][]file{
		{{"good.png", photo}, {"a.png", large}}, repeat(file{"a.png", photo}, 11), repeat(file{"a.png", large[:maxBytes]}, 11),
	} {
		if status, names := upload(root, files...); status != http.StatusRequestEntityTooLarge || names != nil {
			t.Errorf("%d", status)
		}
	}
	stored(7)
	if status, _ := upload(root, file{"a.png", large[:maxBytes]}); status != http.StatusOK {
		t.Errorf("10 MB: %d", status)
	}
	if status, _ := upload(root, repeat(file{"a.png", photo}, 10)...); status != http.StatusOK {
		t.Errorf("ten files: %d", status)
	}
	stored(18)
}
