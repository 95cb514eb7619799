//go:debug default=go1.24
package rpc

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

type handler = func(any, context.Context, func(any) error, grpc.UnaryServerInterceptor) (any, error)

var handled int

func method(name string) handler {
	return func(srv any, ctx context.Context, decode func(any) error, intercept grpc.UnaryServerInterceptor) (any, error) {
		input := new(wrapperspb.BytesValue)
		if err := decode(input); err != nil {
			return nil, err
		}
		run := func(context.Context, any) (any, error) {
			handled++
			return wrapperspb.Bytes([]byte("order")), nil
		}
		if intercept == nil {
			return run(ctx, input)
		}
		return intercept(ctx, input, &grpc.UnaryServerInfo{Server: srv, FullMethod: name}, run)
	}
}

func describe(methods ...string) *grpc.ServiceDesc {
	description := &grpc.ServiceDesc{ServiceName: "shop.orders.v1.Orders", HandlerType: (*any)(nil)}
	for _, name := range methods {
		full := "/shop.orders.v1.Orders/" + name
		description.Methods = append(description.Methods, grpc.MethodDesc{MethodName: name, Handler: method(full)})
	}
	description.Streams = []grpc.StreamDesc{{StreamName: "Watch", ServerStreams: true,
		Handler: func(_ any, stream grpc.ServerStream) error {
			handled++
			return stream.SendMsg(wrapperspb.Bytes([]byte("event")))
		}}}
	return description
}

func dial(t *testing.T, address, name string, version uint16) *grpc.ClientConn {
	authority, err := os.ReadFile("ca.pem")
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	config := &tls.Config{RootCAs: roots, ServerName: "localhost", MaxVersion: version, MinVersion: tls.VersionTLS12}
	if name != "" && name != "plain" {
		pair, err := tls.LoadX509KeyPair(name+".pem", name+".key")
		if err != nil {
			t.Fatal(err)
		}
		// Sends the certificate although another authority issued it.
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
	}
	creds := credentials.NewTLS(config)
	if name == "plain" {
		creds = insecure.NewCredentials()
	}
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(creds))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	return connection
}

func call(t *testing.T, address, name, method string, size int, version uint16) codes.Code {
	connection := dial(t, address, name, version)
	if method == "Watch" {
		stream, err := connection.NewStream(context.Background(), &grpc.StreamDesc{ServerStreams: true},
			"/shop.orders.v1.Orders/Watch")
		if err == nil {
			err = stream.SendMsg(wrapperspb.Bytes(nil))
		}
		if err == nil {
			err = stream.CloseSend()
		}
		if err == nil {
			err = stream.RecvMsg(new(wrapperspb.BytesValue))
		}
		return status.Code(err)
	}
	err := connection.Invoke(context.Background(), "/shop.orders.v1.Orders/"+method,
		wrapperspb.Bytes(make([]byte, size)), new(wrapperspb.BytesValue))
	return status.Code(err)
}

func TestCallers(t *testing.T) {
	server, err := NewServer("server.pem", "server.key", "ca.pem")
	if err != nil {
		t.Fatal(err)
	}
	server.RegisterService(describe("GetOrder", "CancelOrder"), nil)
	if err := CheckTable(server); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(listener)
	defer server.Stop()
	address := listener.Addr().String()
	for _, one := range []struct {
		name, method string
		size         int
		version      uint16
		want         codes.Code
	}{
		{"web", "GetOrder", 1, tls.VersionTLS13, codes.OK},
		{"web", "CancelOrder", 1, tls.VersionTLS13, codes.OK},
		{"web", "Watch", 1, tls.VersionTLS13, codes.OK},
		{"billing", "GetOrder", 1, tls.VersionTLS13, codes.OK},
		{"billing", "CancelOrder", 1, tls.VersionTLS13, codes.PermissionDenied},
		{"billing", "Watch", 1, tls.VersionTLS13, codes.PermissionDenied},
		{"stranger", "GetOrder", 1, tls.VersionTLS13, codes.PermissionDenied},
		{"stranger", "CancelOrder", 1, tls.VersionTLS13, codes.PermissionDenied},
		{"stranger", "Watch", 1, tls.VersionTLS13, codes.PermissionDenied},
		{"", "GetOrder", 1, tls.VersionTLS13, codes.Unavailable},
		{"", "Watch", 1, tls.VersionTLS13, codes.Unavailable},
		{"plain", "GetOrder", 1, tls.VersionTLS13, codes.Unavailable},
		{"forged", "GetOrder", 1, tls.VersionTLS13, codes.Unavailable},
		{"web", "GetOrder", 1, tls.VersionTLS12, codes.Unavailable},
		{"web", "GetOrder", 2 << 20, tls.VersionTLS13, codes.ResourceExhausted},
	} {
		handled = 0
		got := call(t, address, one.name, one.method, one.size, one.version)
		if got != one.want || (handled == 0) == (got == codes.OK) {
			t.Errorf("%q calls %s: %s instead of %s, handled: %d", one.name, one.method, got, one.want, handled)
		}
	}
}

func TestTable(t *testing.T) {
	server, err := NewServer("server.pem", "server.key", "ca.pem")
	if err != nil {
		t.Fatal(err)
	}
	server.RegisterService(describe("GetOrder", "DeleteOrder"), nil)
	if err := CheckTable(server); err == nil || !strings.Contains(err.Error(), "Orders/DeleteOrder has no entry") {
		t.Error(err)
	}
	if _, err := NewServer("server.pem", "server.key", "server.csr"); err == nil {
		t.Error("a file without an authority")
	}
}
