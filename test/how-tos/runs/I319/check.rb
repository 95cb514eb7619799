# Connects to servers with good and bad certificates: HTTP, Redis' protocol and mail.
require_relative "support/rails"
require "openssl"
require "socket"

require_or_skip "redis", "mail"
KEY = OpenSSL::PKey::RSA.new(2048)

def certificate(name, issuer: nil, expires: 3600)
  OpenSSL::X509::Certificate.new.tap do |made|
    made.version, made.serial, made.public_key = 2, rand(1 << 60), KEY.public_key
    made.subject = OpenSSL::X509::Name.parse("/CN=#{name}")
    made.issuer = issuer ? issuer.subject : made.subject
    made.not_before, made.not_after = Time.now - 7200, Time.now + expires
    factory = OpenSSL::X509::ExtensionFactory.new(issuer || made, made)
    made.add_extension(factory.create_extension("basicConstraints", issuer ? "CA:FALSE" : "CA:TRUE", true))
    made.add_extension(factory.create_extension("subjectAltName", "DNS:#{name}")) if issuer
    made.sign(KEY, OpenSSL::Digest.new("SHA256"))
  end
end
CA = certificate("Check CA")
CERTIFICATES = { good: certificate("localhost", issuer: CA), name: certificate("other.example", issuer: CA),
                 expired: certificate("localhost", issuer: CA, expires: -60),
                 unknown: certificate("localhost", issuer: certificate("Other CA")) }.freeze
File.write("ca.pem", CA.to_pem)
ENV["PRIVATE_CA_FILE"] = File.join(Dir.pwd, "ca.pem")
require_relative "app/models/verified_tls"

# Serves one kind of protocol with one certificate, and returns the port.
def serve(kind, certificate)
  listener = TCPServer.new("127.0.0.1", 0)
  context = OpenSSL::SSL::SSLContext.new.tap { |made| made.key, made.cert = KEY, certificate }
  Thread.new do
    loop do
      Thread.new(listener.accept) do |plain|
        secure = -> { OpenSSL::SSL::SSLSocket.new(plain, context).tap { |socket| socket.sync_close = true }.accept }
        send("speak_#{kind}", plain, secure)
      rescue SystemCallError, OpenSSL::SSL::SSLError, IOError
        nil
      ensure
        plain.close
      end
    end
  end
  listener.addr[1]
end

def speak_http(_plain, secure)
  socket = secure.call
  nil while socket.gets != "\r\n"
  socket << "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
end

def speak_redis(_plain, secure)
  socket = secure.call
  while (line = socket.gets)
    socket << (line.match?(/ping/i) ? "+PONG\r\n" : "+OK\r\n") if line.match?(/\A(ping|hello|client)\r/i)
    3.times { socket.gets } if line.match?(/\Asetinfo/i)
  end
end

MAILS = Queue.new
def speak_mail(plain, secure, starttls: true)
  plain << "220 ready\r\n"
  socket = plain
  while (line = socket.gets)
    case line
    when /\AEHLO/i then socket << (starttls && socket == plain ? "250-here\r\n250 STARTTLS\r\n" : "250 here\r\n")
    when /\ASTARTTLS/i
      socket << "220 go\r\n"
      socket = secure.call
    when /\ADATA/i
      socket << "354 go\r\n"
      nil while socket.gets != ".\r\n"
      MAILS.push(1)
      socket << "250 done\r\n"
    else socket << "250 ok\r\n"
    end
  end
end

def speak_plain_mail(plain, secure) = speak_mail(plain, secure, starttls: false)

class Check < Minitest::Test
  def ask_http(port) = VerifiedTls.http("https://localhost:#{port}/").start { |http| http.get("/").body }

  def ask_redis(port) = VerifiedTls.redis("rediss://localhost:#{port}").ping

  def send_mail(port)
    mail = Mail.new(from: "a@example.com", to: "b@example.com", subject: "s", body: "b")
    mail.delivery_method :smtp, VerifiedTls.mail("localhost", port)
    mail.deliver!
    "sent"
  end

  def test_good_certificates
    assert_equal "ok", ask_http(serve(:http, CERTIFICATES[:good]))
    assert_equal "PONG", ask_redis(serve(:redis, CERTIFICATES[:good]))
    assert_equal "sent", send_mail(serve(:mail, CERTIFICATES[:good]))
    assert_equal 1, MAILS.size
    MAILS.clear
  end

  def test_bad_certificates
    CERTIFICATES.except(:good).each do |kind, bad|
      assert_raises(OpenSSL::SSL::SSLError, kind.to_s) { ask_http(serve(:http, bad)) }
      error = assert_raises(Redis::BaseError, kind.to_s) { ask_redis(serve(:redis, bad)) }
      assert_match(/certificate|hostname/i, error.message)
      assert_raises(OpenSSL::SSL::SSLError, kind.to_s) { send_mail(serve(:mail, bad)) }
    end
  end

  def test_no_encryption
    assert_raises(Net::SMTPUnsupportedCommand) { send_mail(serve(:plain_mail, CERTIFICATES[:good])) }
    assert_raises(ArgumentError) { VerifiedTls.http("http://localhost/") }
    assert_raises(ArgumentError) { VerifiedTls.redis("redis://localhost/") }
  end

  def test_cop
    cop = ["lib/cops/unverified_tls.rb", "Shop/UnverifiedTls"]
    bad = ["http.verify_mode = OpenSSL::SSL::VERIFY_NONE", 'f(openssl_verify_mode: "none")', 'f(sslmode: "require")',
           "f(verify: false)", "f(sslmode: :prefer)", "http.verify_hostname = false"]
    assert_equal bad.size, offenses(*cop, "#{bad.join("\n")}\n")
    assert_equal 0, offenses(*cop,
      File.read("app/models/verified_tls.rb") + "f(sslmode: \"verify-full\", verify: true)\n")
  end
end
