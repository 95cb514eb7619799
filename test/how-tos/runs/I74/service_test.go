//go:debug default=go1.24
package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	pb "github.com/spiffe/go-spiffe/v2/proto/spiffe/workload"
	"github.com/spiffe/go-spiffe/v2/workloadapi"
	"google.golang.org/grpc"
)

type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func newAuthority() authority {
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		URIs: []*url.URL{must(url.Parse("spiffe://shop.example"))},
	}
	der := must(x509.CreateCertificate(rand.Reader, template, template, key.Public(), key))
	return authority{must(x509.ParseCertificate(der)), key}
}

// issue returns the certificate of a workload and its key.
func (a authority) issue(id string, until time.Time) *pb.X509SVID {
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: time.Now().Add(-time.Hour), NotAfter: until,
		KeyUsage: x509.KeyUsageDigitalSignature, URIs: []*url.URL{must(url.Parse(id))},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	return &pb.X509SVID{
		SpiffeId: id, X509Svid: must(x509.CreateCertificate(rand.Reader, template, a.certificate, key.Public(), a.key)),
		X509SvidKey: must(x509.MarshalPKCS8PrivateKey(key)), Bundle: a.certificate.Raw,
	}
}

type agent struct {
	pb.UnimplementedSpiffeWorkloadAPIServer
	svid *pb.X509SVID
}

func (a agent) FetchX509SVID(_ *pb.X509SVIDRequest, stream pb.SpiffeWorkloadAPI_FetchX509SVIDServer) error {
	if err := stream.Send(&pb.X509SVIDResponse{Svids: []*pb.X509SVID{a.svid}}); err != nil {
		return err
	}
	<-stream.Context().Done()
	return nil
}

// start returns the address of an agent that gives out this certificate.
func (a agent) start() string {
	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	server := grpc.NewServer()
	pb.RegisterSpiffeWorkloadAPIServer(server, a)
	go server.Serve(listener)
	return "tcp://" + listener.Addr().String()
}

func clientWith(svid *pb.X509SVID) *http.Client {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	address := workloadapi.WithAddr(agent{svid: svid}.start())
	return newClient(must(workloadapi.NewX509Source(ctx, workloadapi.WithClientOptions(address))))
}

type lines struct {
	sync.Mutex
	text strings.Builder
}

func (l *lines) Write(bytes []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.text.Write(bytes)
}

func TestIdentities(t *testing.T) {
	shop, stranger, later := newAuthority(), newAuthority(), time.Now().Add(time.Hour)
	logged := &lines{}
	log.SetOutput(logged)
	t.Setenv("SPIFFE_ENDPOINT_SOCKET", agent{svid: shop.issue(billing.String(), later)}.start())
	go main()
	call := func(client *http.Client) (string, error) {
		response, err := client.Get("https://127.0.0.1:8443/")
		if err != nil {
			return "", err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		return string(body), err
	}

	allowed := clientWith(shop.issue(orders.String(), later))
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		if body, err := call(allowed); err == nil && body == "ok\n" {
			break
		} else if time.Since(begin) > 60*time.Second {
			t.Fatalf("orders: %q, %v", body, err)
		}
	}
	logged.Lock()
	if !strings.Contains(logged.text.String(), "call by "+orders.String()) {
		t.Error(logged.text.String())
	}
	calls := strings.Count(logged.text.String(), "call by ")
	logged.Unlock()

	without := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	for name, client := range map[string]*http.Client{
		"no certificate": without,
		"another account": clientWith(shop.issue("spiffe://shop.example/ns/prod/sa/web", later)),
		"another namespace": clientWith(shop.issue("spiffe://shop.example/ns/test/sa/orders", later)),
	} {
		if body, err := call(client); err == nil || !strings.Contains(err.Error(), "remote error: tls:") {
			t.Errorf("%s: %q, %v", name, body, err)
		}
	}
	copied := func(a authority, until time.Time) *http.Client {
		svid := a.issue(orders.String(), until)
		pair := tls.Certificate{
			Certificate: [][]byte{svid.X509Svid}, PrivateKey: must(x509.ParsePKCS8PrivateKey(svid.X509SvidKey)),
		}
		config := &tls.Config{InsecureSkipVerify: true, Certificates: []tls.Certificate{pair}}
		return &http.Client{Transport: &http.Transport{TLSClientConfig: config}}
	}
	if _, err := call(copied(shop, later)); err != nil {
		t.Errorf("a copied certificate that is still valid: %v", err)
	}
	calls++
	for name, client := range map[string]*http.Client{
		"expired": copied(shop, time.Now().Add(-time.Minute)), "another authority": copied(stranger, later),
	} {
		if body, err := call(client); err == nil {
			t.Errorf("%s: %q", name, body)
		}
	}
	logged.Lock()
	defer logged.Unlock()
	if got := strings.Count(logged.text.String(), "call by "); got != calls {
		t.Errorf("%d calls reached the service instead of %d", got, calls)
	}

	// The client calls no other service than billing.
	pair := shop.issue("spiffe://shop.example/ns/prod/sa/web", later)
	listener := must(tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{{
		Certificate: [][]byte{pair.X509Svid}, PrivateKey: must(x509.ParsePKCS8PrivateKey(pair.X509SvidKey)),
	}}}))
	go http.Serve(listener, http.NotFoundHandler())
	if _, err := allowed.Get("https://" + listener.Addr().String()); err == nil || !strings.Contains(err.Error(), "unexpected ID") {
		t.Errorf("another service: %v", err)
	}
}
