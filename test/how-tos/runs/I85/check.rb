# Stores what must be read back and what would run code in Redis, and sends messages and cookies in both formats.
require_relative "support/rails"
require_relative "support/redis"
require_or_skip "redis"
require "open3"

ENV["REDIS_URL"] = start_redis
CheckedApplication.class_eval("require_relative 'config/json_entries'\n#{File.read("block_1.ruby")}", __FILE__)

class CookiesController < ActionController::Base
  def show = render(json: [cookies.signed[:cart], cookies.encrypted[:cart]])
  def set
    cookies.signed[:cart] = { value: { "lines" => [1] } }
    head :no_content
  end
end

start_rails do
  get "/cookies", to: "cookies#show"
  get "/set", to: "cookies#set"
end

# What an attacker stores: loading it calls a method.
class Gadget
  def self.calls = @calls ||= []
  def marshal_dump = [1]
  def marshal_load(_) = Gadget.calls << "loaded"
end

class Check < Minitest::Test
  BLOB = Marshal.dump(Gadget.new)
  ENTRY = "\x00\x11".b + [1, -1.0, BLOB.bytesize].pack("CEl<") + BLOB + "1"

  def setup
    Gadget.calls.clear
    Rails.cache.clear
  end

  def redis = @redis ||= Redis.new(url: ENV.fetch("REDIS_URL"))

  def test_cache
    ["text", 1, nil, true, [1, "b"], { "b" => 1, "c" => { "d" => [nil] } }, "x" * 10_000].each do |value|
      Rails.cache.write("a", value)
      assert Rails.cache.exist?("a")
      value.nil? ? assert_nil(Rails.cache.read("a")) : assert_equal(value, Rails.cache.read("a"))
      refute_includes redis.get("a"), "\x04\b"
    end
    Rails.cache.write("v", 1, version: "2")
    assert_equal [1, nil], [Rails.cache.read("v", version: "2"), Rails.cache.read("v", version: "3")]
    Rails.cache.write_multi({ "m1" => 1, "m2" => [2] })
    assert_equal({ "m1" => 1, "m2" => [2] }, Rails.cache.read_multi("m1", "m2", "m3"))
    assert_equal "made", Rails.cache.fetch("f", expires_in: 0.3) { "made" }
    assert_equal "made", Rails.cache.fetch("f") { "again" }
    sleep 0.4
    assert_equal "again", Rails.cache.fetch("f") { "again" }
  end

  def test_entries_of_an_attacker
    unsafe = ActiveSupport::Cache.lookup_store(:redis_cache_store, url: ENV.fetch("REDIS_URL"))
    { "alone" => BLOB, "rails" => ENTRY }.each do |key, stored|
      redis.set(key, stored)
      assert_nil Rails.cache.read(key), key
      assert_empty Rails.cache.read_multi(key)
      assert_equal "made", Rails.cache.fetch(key) { "made" }
      redis.set(key, stored)
      assert_empty Gadget.calls, key
      begin
        unsafe.read(key)
      rescue NoMethodError
        # Rails' own coder returned what the attacker stored in place of an entry.
      end
      refute_empty Gadget.calls, "#{key}: harmless for Rails' own coder too"
      Gadget.calls.clear
    end
    ["", "{}", "1", "null", "\x04\b", "[" * 21 + "]" * 21, "\xff\xfe"].each do |stored|
      redis.set("odd", stored)
      assert_nil Rails.cache.read("odd"), stored
    end
  end

  def test_messages
    own = Rails.application.message_verifier("imports")
    assert_equal({ "id" => 1 }, own.verify(own.generate({ "id" => 1 })))
    forged = ActiveSupport::MessageVerifier.new(Rails.application.key_generator.generate_key("imports"),
                                                serializer: Marshal).generate(Gadget.new)
    assert_raises(ActiveSupport::MessageVerifier::InvalidSignature, RuntimeError) { own.verify(forged) }
    assert_empty Gadget.calls
  end

  def test_cookies
    client = new_client
    client.get "/set"
    client.get "/cookies"
    assert_equal [{ "lines" => [1] }, nil], client.response.parsed_body
    keys = Rails.application.key_generator
    sender = ActiveSupport::MessageVerifier.new(keys.generate_key("signed cookie"), serializer: Marshal)
    encryptor = ActiveSupport::MessageEncryptor.new(keys.generate_key("authenticated encrypted cookie", 32),
                                                    cipher: "aes-256-gcm", serializer: Marshal)
    [sender.generate(Gadget.new, purpose: "cookie.cart"),
     encryptor.encrypt_and_sign(Gadget.new, purpose: "cookie.cart")].each do |cookie|
      client = new_client
      client.get "/cookies", headers: { "Cookie" => "cart=#{CGI.escape(cookie)}" }
      assert_equal [nil, nil], client.response.parsed_body
      assert_empty Gadget.calls
    end
  end

  def test_jobs
    job = ImportJob.parse('{"id": 1, "lines": ["a"]}')
    assert_equal [1, ["a"]], [job.id, job.lines]
    deep = "[" * 20 + "]" * 20
    ['{"id": 1, "lines": [], "x": 1}', '{"id": 1}', '{"id": "1", "lines": []}', '{"id": 1, "lines": [2]}',
     '{"id": 1, "lines": "a"}', "[]", "null", "", "{", BLOB].each do |message|
      assert_raises(ArgumentError, JSON::ParserError, message) { ImportJob.parse(message) }
    end
    assert_raises(JSON::NestingError) { ImportJob.parse(%({"id": 1, "lines": #{deep}})) }
    job = ImportJob.parse('{"id": 1, "lines": ["{\"json_class\": \"Gadget\"}"]}')
    assert_instance_of String, job.lines.first
  end

  def settings(text)
    File.write("config/settings.yml", text)
    Open3.capture2e("ruby", "app/models/import_job.rb")
  end

  def test_settings
    assert_equal({ "since" => Date.new(2026, 11, 1), "limit" => 20 }, SETTINGS)
    assert_equal ["", true], settings("since: 2026-11-01\n").then { |out, status| [out, status.success?] }
    ["a: !ruby/object:Gem::Requirement {}\n", "a: :symbol\n", "a: 2026-11-01 10:00:00\n"].each do |text|
      assert_includes settings(text).first, "Psych::DisallowedClass", text
    end
    assert_match(/Psych::(AliasesNotEnabled|BadAlias)/, settings("a: &x [1]\nb: *x\n").first)
  end

  def cops(source)
    File.write("sample.rb", source)
    out, = Open3.capture2e("rubocop", "--cache", "false", "--format", "emacs", "--only",
                           "Security/MarshalLoad,Security/YAMLLoad,Security/JSONLoad", "sample.rb")
    out.scan(%r{Security/\w+}).uniq
  rescue Errno::ENOENT
    warn "rubocop is missing"
    exit! 77
  end

  def test_cops
    %w[block_1.ruby config/json_entries.rb app/models/import_job.rb].each do |file|
      assert_empty cops(File.read(file)), file
    end
    assert_equal ["Security/MarshalLoad"], cops("Marshal.load(params[:x])\n")
    assert_equal ["Security/JSONLoad"], cops("JSON.load(params[:x])\n")
  end
end
