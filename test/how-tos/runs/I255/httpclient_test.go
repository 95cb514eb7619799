package httpclient

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func fileOf(t *testing.T, der []byte) string {
	file := filepath.Join(t.TempDir(), "ca.pem")
	data := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func serve(t *testing.T, until time.Time, change func(*tls.Config)) (*httptest.Server, []byte) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: until, IsCA: true,
		BasicConstraintsValid: true, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: private}}}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	if change != nil {
		change(server.TLS)
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	return server, der
}

func get(t *testing.T, der []byte, address string) error {
	client, err := New(fileOf(t, der))
	if err != nil {
		t.Fatal(err)
	}
	if client.Timeout == 0 {
		t.Error("the client waits forever")
	}
	response, err := client.Get(address)
	if err == nil && response.StatusCode != 200 {
		t.Errorf("status %d", response.StatusCode)
	}
	return err
}

func TestCertificates(t *testing.T) {
	later := time.Now().Add(time.Hour)
	server, der := serve(t, later, nil)
	if err := get(t, der, server.URL); err != nil {
		t.Error(err)
	}
	_, foreign := serve(t, later, nil)
	expired, expiredDer := serve(t, time.Now().Add(-time.Hour), nil)
	for name, call := range map[string]struct {
		der     []byte
		address string
	}{
		"foreign":      {foreign, server.URL},
		"another name": {der, strings.Replace(server.URL, "127.0.0.1", "localhost", 1)},
		"expired":      {expiredDer, expired.URL},
	} {
		err := get(t, call.der, call.address)
		var verification *tls.CertificateVerificationError
		if !errors.As(err, &verification) {
			t.Errorf("%s: %v", name, err)
		}
	}
	old, oldDer := serve(t, later, func(config *tls.Config) {
		config.MaxVersion = tls.VersionTLS11
		config.MinVersion = tls.VersionTLS10
	})
	if get(t, oldDer, old.URL) == nil {
		t.Error("TLS 1.1 was accepted")
	}
}

func TestFilesWithoutCertificate(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ca.pem")
	if _, err := New(file); err == nil {
		t.Error("the file is missing")
	}
	if err := os.WriteFile(file, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(file); err == nil {
		t.Error("the file has no certificate")
	}
}
