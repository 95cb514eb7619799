# Fetches from servers of its own that stand for public ones: names and connections are redirected, nothing else.
require "openssl"

KEY = OpenSSL::PKey::RSA.new(2048)

def certificate(name, issuer = nil, alternative = "DNS:#{name}")
  OpenSSL::X509::Certificate.new.tap do |made|
    made.version, made.serial, made.public_key = 2, rand(1 << 60), KEY.public_key
    made.subject = OpenSSL::X509::Name.parse("/CN=#{name}")
    made.issuer = issuer ? issuer.subject : made.subject
    made.not_before, made.not_after = Time.now - 60, Time.now + 3600
    factory = OpenSSL::X509::ExtensionFactory.new(issuer || made, made)
    made.add_extension(factory.create_extension("basicConstraints", issuer ? "CA:FALSE" : "CA:TRUE", true))
    made.add_extension(factory.create_extension("subjectAltName", alternative)) if issuer
    made.sign(KEY, OpenSSL::Digest.new("SHA256"))
  end
end
CA = certificate("Check CA")
OpenSSL::SSL::SSLContext::DEFAULT_CERT_STORE.add_cert(CA)
ENV["http_proxy"] = ENV["https_proxy"] = "http://127.0.0.1:1"

require_relative "support/rails"
require_relative "app/models/public_image"

PUBLIC = "93.184.215.14"
NAMES = Hash.new { |_names, name| raise SocketError, name }
             .merge!("img.example" => [[PUBLIC]], "wrong.example" => [[PUBLIC]],
                     "mixed.example" => [[PUBLIC, "10.0.0.1"]],
                     "private.example" => [["192.168.1.1"]], "rebind.example" => [[PUBLIC], ["127.0.0.1"]])
CONNECTED = []
ANSWERS = {
  "/image" => ->(out) { out << "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 3\r\n\r\nPNG" },
  "/html" => ->(out) { out << "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1\r\n\r\nx" },
  "/error" => ->(out) { out << "HTTP/1.1 500 No\r\nContent-Type: image/png\r\nContent-Length: 1\r\n\r\nx" },
  "/endless" => lambda do |out|
    out << "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n"
    200.times { out << "x" * 100_000 }
  end,
  "/slow" => lambda do |out|
    out << "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 90\r\n\r\n"
    90.times { out << "x" and sleep(1) }
  end
}.freeze
REDIRECTS = { "once" => "/image", "loop" => "/to/loop", "loopback" => "https://127.0.0.1/",
  "http" => "http://img.example/image", "user" => "https://a@img.example/image",
              "private" => "https://private.example/", "file" => "file:///etc/passwd", "bad" => "https://[" }.freeze

context = OpenSSL::SSL::SSLContext.new
context.key = KEY
context.cert = certificate("img.example", CA, "DNS:img.example,DNS:rebind.example")
LISTENER = TCPServer.new("127.0.0.1", 0)
SERVER = OpenSSL::SSL::SSLServer.new(LISTENER, context)
SERVER.start_immediately = false
Thread.new do
  loop do
    Thread.new(SERVER.accept) do |socket|
      socket.accept
      path = socket.gets[/\S+ (\S+)/, 1]
      nil while socket.gets != "\r\n"
      location = REDIRECTS[path.delete_prefix("/to/")]
      answer = ->(out) { out << "HTTP/1.1 302 Found\r\nLocation: #{location}\r\nContent-Length: 0\r\n\r\n" }
      (ANSWERS[path] || answer).call(socket)
    rescue SystemCallError, OpenSSL::SSL::SSLError
      nil
    ensure
      socket.close
    end
  end
end

# A public address leads to the server of this check; what connects elsewhere is only noted.
class TCPSocket
  class << self
    alias open_directly open
    def open(host, port, *rest)
      CONNECTED.push("#{host}:#{port}")
      raise Errno::ECONNREFUSED unless host == PUBLIC
      open_directly("127.0.0.1", LISTENER.addr[1], *rest.grep(Hash))
    end
  end
end

class Addrinfo
  class << self
    alias directly getaddrinfo
    def getaddrinfo(name, *rest)
      return directly(name, *rest) if name.match?(/\A[\d.:a-fA-F]+\z|\Alocalhost\z/)
      answers = NAMES[name]
      (answers.size > 1 ? answers.shift : answers.first).map { |address| Addrinfo.tcp(address, 443) }
    end
  end
end

class Check < Minitest::Test
  def refused(address)
    CONNECTED.clear
    assert_raises(PublicImage::Refused, address) { PublicImage.fetch(address) }
  end

  def test_public_images
    CONNECTED.clear
    assert_equal "PNG", PublicImage.fetch("https://img.example/image")
    assert_equal "PNG", PublicImage.fetch("https://img.example/to/once")
    assert_equal "PNG", PublicImage.fetch("https://rebind.example/image")
    assert_equal ["#{PUBLIC}:443"], CONNECTED.uniq
  end

  def test_addresses
    %w[http://img.example/image file:///etc/passwd ftp://img.example/ https://img.example:22/
       https://a@img.example/image
       https://127.0.0.1/ https://2130706433/ https://127.1/ https://[::ffff:10.0.0.1]/ https://[::1]/
       https://localhost/
       https://169.254.169.254/ https://100.64.0.1/ https://[64:ff9b::a00:1]/ https://[fe80::1]/ https://[2002:a00:1::]/
       https://0/ https://mixed.example/image https://private.example/ https://unknown.example/
       javascript:x x].each do |address|
      refused(address)
      assert_empty CONNECTED, address
    end
    ["", "https://img.example\\@127.0.0.1/", "https://",
      "https://img.example/\r\nX: y"].each { |address| refused(address) }
  end

  def test_answers
    refused("https://wrong.example/image")
    %w[html error endless to/loop to/loopback to/http to/user to/private to/file to/bad to/nothing].each do |path|
      refused("https://img.example/#{path}")
      assert_equal ["#{PUBLIC}:443"], CONNECTED.uniq, path
    end
  end

  def test_slow_answers
    started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    refused("https://img.example/slow")
    assert_operator Process.clock_gettime(Process::CLOCK_MONOTONIC) - started, :<, 60
  end
end
