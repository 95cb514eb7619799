package shop

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"howto/access"
)

var handled int

func getOrder(w http.ResponseWriter, _ *http.Request) {
	handled++
	w.WriteHeader(http.StatusOK)
}

func answer(method, target string, caller *access.Caller) int {
	request := httptest.NewRequest(method, target, nil)
	if caller != nil {
		request = request.WithContext(access.WithCaller(request.Context(), *caller))
	}
	recorder := httptest.NewRecorder()
	newRouter().ServeHTTP(recorder, request)
	return recorder.Code
}

func callerWith(permissions ...access.Permission) *access.Caller {
	set := map[access.Permission]bool{}
	for _, permission := range permissions {
		set[permission] = true
	}
	return &access.Caller{ID: "ann", Permissions: set}
}

func TestWhoMayRead(t *testing.T) {
	if got := answer("GET", "/orders/7", callerWith("orders:read")); got != 200 || handled != 1 {
		t.Fatalf("with the permission: %d", got)
	}
	handled = 0
	for _, call := range []struct {
		method, target string
		caller         *access.Caller
		want           int
	}{
		{"GET", "/orders/7", callerWith("users:read"), 403},
		{"GET", "/orders/7", callerWith(), 403},
		{"GET", "/orders/7", &access.Caller{ID: "ann"}, 403},
		{"GET", "/orders/7", nil, 401},
		{"HEAD", "/orders/7", callerWith(), 403},
		{"GET", "/orders/7/", callerWith(), 404},
		{"POST", "/orders/7", callerWith(), 405},
		{"GET", "/orders/%37", callerWith(), 403},
		{"GET", "/x/../orders/7", callerWith(), 307},
	} {
		got := answer(call.method, call.target, call.caller)
		moved := call.want == 307 && got >= 300 && got < 400
		if handled != 0 || (got != call.want && !moved) {
			t.Errorf("%s %s: %d instead of %d, handled: %d", call.method, call.target, got, call.want, handled)
		}
	}
}

func TestRouteWithoutPermission(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a route without a permission was added")
		}
	}()
	access.NewRouter().Handle("GET /open", "", getOrder)
}
