package profile

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestProfiles(t *testing.T) {
	before := Account{ID: 7, DisplayName: "Bob", PasswordHash: "$argon2id$secret"}
	put := func(body string) (*httptest.ResponseRecorder, Account, bool) {
		account, recorder := before, httptest.NewRecorder()
		saved := Put(recorder, httptest.NewRequest("PUT", "/profile", strings.NewReader(body)), &account)
		return recorder, account, saved
	}
	for _, body := range []string{
		`{"display_name":"Ann","newsletter":true,"id":8}`, `{"display_name":"Ann","newsletter":true,"is_admin":true}`,
		`{"display_name":"Ann","newsletter":true,"IsAdmin":true}`, `{"display_name":"Ann","newsletter":true,"password_hash":"x"}`,
		`{"display_name":"Ann","newsletter":true,"invented":1}`, `{"display_name":"Ann"}`, `{"display_name":null,"newsletter":true}`,
		`{"display_name":"","newsletter":true}`, `{"display_name":"` + strings.Repeat("x", 101) + `","newsletter":true}`,
		`{"display_name":"Ann","newsletter":true}{"is_admin":true}`, `{"display_name":"Ann","newsletter":true}]`,
		`[{"display_name":"Ann","newsletter":true}]`, ``, `null`,
	} {
		answer, account, saved := put(body)
		if answer.Code != 400 || account != before || saved {
			t.Fatal(body, answer.Code, account, saved)
		}
	}
	answer, account, saved := put(`{"display_name":"Ann","newsletter":true} `)
	expected := Account{7, "Ann", true, false, "$argon2id$secret"}
	if answer.Code != 200 || account != expected || !saved {
		t.Fatal(answer.Code, account, saved)
	}
	if got := strings.TrimSpace(answer.Body.String()); got != `{"id":7,"display_name":"Ann","newsletter":true}` {
		t.Fatal(got)
	}
	for _, value := range []any{before, &before, []Account{before}, map[string]any{"account": before}} {
		if text, err := json.Marshal(value); err == nil {
			t.Fatal(string(text))
		}
	}
	if _, err := Decode[Account](strings.NewReader(`{"IsAdmin":true}`)); err == nil {
		t.Fatal("a row was read from JSON")
	}
}
