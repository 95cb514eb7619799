# Sends tokens of an issuer, and forged ones, to an API. Only the issuer's key set can be reached.
require_relative "support/rails"

require_or_skip "jwt", "webmock"
include WebMock::API
WebMock.enable!

KEY_SET_URL = "https://login.example.com/.well-known/jwks.json"
KEY = OpenSSL::PKey::RSA.new(2048)
OTHER = OpenSSL::PKey::RSA.new(2048)
PUBLISHED = JWT::JWK.new(KEY, "key-1").export.merge(use: "sig")
SECRET = JWT::JWK.new("a secret that was published by mistake", "key-2").export(include_private: true)

start_rails { get "me", to: "me#show" }

class MeController < ApiController
  def show = render(json: { id: caller.id, scopes: caller.scopes })
end

class Check < Minitest::Test
  def setup
    WebMock.reset!
    AccessToken.send(:remove_const, :KEYS)
    AccessToken.const_set(:KEYS, AccessToken::Keys.new)
    @keys = stub_request(:get, KEY_SET_URL).to_return(body: { keys: [PUBLISHED, SECRET] }.to_json)
  end

  def claims(**changes)
    { iss: "https://login.example.com", aud: "orders-api", sub: "ann", scope: "orders:read orders:write",
      exp: Time.now.to_i + 300 }.merge(changes).compact
  end

  def token(payload = claims, key: KEY, algorithm: "RS256", **header)
    JWT.encode(payload, key, algorithm, { typ: "at+jwt", kid: "key-1" }.merge(header).compact)
  end

  def status(token)
    client = new_client
    client.get "/me", headers: token ? { "Authorization" => "Bearer #{token}" } : {}
    @response = client.response
    @response.status
  end

  def test_valid_tokens
    assert_equal 200, status(token)
    assert_equal({ "id" => "ann", "scopes" => %w[orders:read orders:write] }, @response.parsed_body)
    assert_equal 200, status(token(claims(aud: %w[other orders-api])))
    assert_requested @keys, times: 1
  end

  def test_refused_tokens
    embedded = JWT::JWK.new(OTHER, "key-1").export
    address = { jku: "https://evil.test/keys", x5u: "https://evil.test/keys" }
    pem = KEY.public_key.to_pem
    forged = {
      none: token(key: nil, algorithm: "none"), hmac: token(key: pem, algorithm: "HS256"),
      oct: token(key: "a secret that was published by mistake", algorithm: "HS256", kid: "key-2"),
      jwk: token(key: OTHER, jwk: embedded), jku: token(key: OTHER, **address), other_key: token(key: OTHER),
      kid: token(key: OTHER, kid: "key-9"), no_kid: token(kid: nil), algorithm: token(algorithm: "RS512"),
      issuer: token(claims(iss: "https://login.example.com.evil.test")), no_issuer: token(claims(iss: nil)),
      audience: token(claims(aud: "billing-api")), no_audience: token(claims(aud: nil)),
        no_expiry: token(claims(exp: nil)),
      expired: token(claims(exp: Time.now.to_i - 60)), no_subject: token(claims(sub: nil)), id_token: token(typ: "JWT"),
      no_type: token(typ: nil), changed: token.sub(/\.\w/) { |text| text == ".x" ? ".y" : ".x" }, text: "x.y.z",
        missing: nil
    }
    forged.each do |name, text|
      assert_equal 401, status(text), name
      assert_equal ["Bearer", ""], [@response.headers["www-authenticate"], @response.body], name
    end
  end

  def test_unknown_keys_cause_few_requests
    assert_equal 401, status(token(kid: "new-0", key: OTHER))
    20.times { |n| assert_equal 401, status(token(kid: "new-#{n}", key: OTHER)) }
    assert_requested @keys, times: 1
  end

  def test_outages
    WebMock.reset!
    [{ status: 500 }, { body: "x" }, { body: "{}" }].each do |answer|
      stub_request(:get, KEY_SET_URL).to_return(answer)
      assert_equal 503, status(token), answer
    end
    stub_request(:get, KEY_SET_URL).to_timeout
    assert_equal 503, status(token)
    assert_includes LOG.string, "The keys of the issuer cannot be read"
    stub_request(:get, KEY_SET_URL).to_return(body: { keys: [PUBLISHED] }.to_json)
    assert_equal 200, status(token)
  end
end
