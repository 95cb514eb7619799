# Creates many tokens, and tries short codes in all the ways in which they must fail.
require_relative "support/rails"
require "active_support/testing/time_helpers"
require_relative "db/migrate/20260101000000_create_short_codes"

class ApplicationRecord < ActiveRecord::Base
  primary_abstract_class
end

start_rails
ActiveRecord::Migration.suppress_messages { CreateShortCodes.new.migrate(:up) }
ShortCode.reset_column_information
COP = ["lib/cops/weak_random.rb", "Shop/WeakRandom"].freeze

class Check < Minitest::Test
  include ActiveSupport::Testing::TimeHelpers

  def test_tokens
    tokens = Array.new(1_000_000) { SecretToken.generate }
    assert tokens.all?(/\Ashop_pat_[A-Za-z0-9_-]{43}\z/)
    assert_equal tokens.size, tokens.uniq.size
    assert_match(/\A\h{64}\z/, SecretToken.digest(tokens.first))
    refute_equal SecretToken.digest(tokens.first), SecretToken.digest("#{tokens.first[..-2]}.")
  end

  def wrong(code) = code == "00000000" ? "00000001" : "00000000"

  def test_codes_work_once
    record, code = ShortCode.issue
    assert_match(/\A\d{8}\z/, code)
    refute_includes record.reload.attributes.to_s, code
    refute record.accepts?(wrong(code))
    refute record.accepts?(nil)
    assert record.accepts?(code)
    refute record.accepts?(code)
  end

  def test_five_attempts
    record, code = ShortCode.issue
    5.times { refute record.accepts?(wrong(code)) }
    refute record.accepts?(code)
    record, code = ShortCode.issue
    4.times { refute record.accepts?(wrong(code)) }
    assert record.accepts?(code)
  end

  def test_ten_minutes
    record, code = ShortCode.issue
    travel(11.minutes) { refute record.accepts?(code) }
    travel(9.minutes) { assert record.accepts?(code) }
  end

  def test_another_code
    (first, _), (_, code) = Array.new(2) { ShortCode.issue }
    refute first.accepts?(code)
  end

  def test_simultaneous_attempts
    record, code = ShortCode.issue
    results = Array.new(4) { Thread.new { ShortCode.find(record.id).accepts?(code) } }.map(&:value)
    assert_equal 1, results.count(true)
  end

  # The other request succeeds between the count and the comparison of this one.
  def test_overtaken_attempt
    record, code = ShortCode.issue
    overtaking = -> { assert ShortCode.find(record.id).accepts?(code) }
    ShortCode.singleton_class.prepend(Module.new do
      define_method(:digest) do |given|
        overtaking, now = nil, overtaking
        now&.call
        super(given)
      end
    end)
    refute record.accepts?(code)
    assert_nil overtaking
  end

  def test_cop
    bad = ["rand(10)", "letters.sample", "list.shuffle", "Random.new(1)", "Random.bytes(8)", "Random.rand",
      "SecureRandom.uuid"]
    assert_equal bad.size, offenses(*COP, "#{bad.join("\n")}\n")
    good = File.read("app/models/secret_token.rb") + File.read("app/models/short_code.rb")
    assert_equal 0, offenses(*COP, "#{good}\nUser.new\ntext.bytes\nSecureRandom.bytes(16)\n")
  end
end
