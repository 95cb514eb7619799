# Signs in with right and wrong passwords, one after another and at once. Redis' own clock is moved by expiries.
require_relative "support/rails"
require_relative "support/redis"

require_or_skip "redis", "bcrypt"
ENV["REDIS_URL"] = start_redis
ENV["USUAL_FAILURES_IN_15_MINUTES"] = "40"
CheckedApplication.config.action_controller.allow_forgery_protection = false

class ApplicationController < ActionController::Base; end

class User < ActiveRecord::Base
  COMPARED = Queue.new
  def self.authenticate_by(email:, password:)
    COMPARED.push(1)
    sleep 0.02
    find_by(email: email.strip.downcase) if password == "right"
  end
end

start_rails(proc { create_table(:users) { |t| t.string :email } }) { post "session", to: "sessions#create" }
User.create!(email: "ann@example.com")
ALERTS = []
ActiveSupport::Notifications.subscribe("alert.sign_in") { |*, payload| ALERTS.push(payload) }

class Check < Minitest::Test
  def setup
    SignInLimits::REDIS.flushall
    ALERTS.clear
    @sources = 0
  end

  def new_source = "198.51.#{(@sources += 1) / 250}.#{@sources % 250}"

  def sign_in(password = "wrong", name = "ann@example.com", source = new_source)
    client = new_client
    client.remote_addr = source
    client.post "/session", params: { email: name, password: password }
    @wait = client.response.headers["retry-after"].to_i
    client.response.status
  end

  def let_time_pass
    SignInLimits::REDIS.keys("*:blocked").each { |key| SignInLimits::REDIS.del(key) }
  end

  def test_accounts
    ["ann@example.com", "unknown@example.com"].each do |name|
      assert_equal [401] * 10, Array.new(10) { |n| sign_in("wrong", name, "192.0.2.#{n % 2}") }
      assert_equal 429, sign_in("wrong", name)
      assert_includes 1..60, @wait
      spellings = [name.upcase, " #{name} ", name.sub("a", "\uFF41")]
      spellings.each { |spelling| assert_equal 429, sign_in("wrong", spelling) }
    end
    assert_equal 429, sign_in("right")
    let_time_pass
    assert_equal 204, sign_in("right")
    assert_equal [401] * 10, Array.new(10) { sign_in }
  end

  def test_delays_grow
    10.times { sign_in }
    waits = Array.new(9) do
      assert_equal 429, sign_in
      wait = @wait
      let_time_pass
      assert_equal 401, sign_in
      wait
    end
    expected = [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]
    waits.zip(expected) { |wait, most| assert_includes (most - 5)..most, wait }
  end

  def test_successes
    3.times do
      assert_equal [401] * 9, Array.new(9) { sign_in }
      assert_equal 204, sign_in("right")
    end
    60.times { assert_equal 204, sign_in("right", "ann@example.com", "192.0.2.9") }
  end

  def test_sources
    50.times { |n| assert_equal 401, sign_in("wrong", "name-#{n}", "192.0.2.1") }
    compared = User::COMPARED.size
    assert_equal 429, sign_in("wrong", "name-50", "192.0.2.1")
    assert_equal compared, User::COMPARED.size
    assert_equal 401, sign_in("wrong", "name-50", "192.0.2.2")
    50.times { |n| assert_equal 401, sign_in("wrong", "other-#{n}", "2001:db8:1:1::#{n}") }
    assert_equal 429, sign_in("wrong", "other-50", "2001:db8:1:1:ffff::1")
    assert_equal 401, sign_in("wrong", "other-50", "2001:db8:1:2::1")
  end

  def test_simultaneous_attempts
    compared = User::COMPARED.size
    Array.new(30) { |n| Thread.new { sign_in("wrong", "ann@example.com", "203.0.113.#{n}") } }.each(&:join)
    assert_equal 10, User::COMPARED.size - compared
  end

  def test_hundred_in_a_row
    100.times do
      let_time_pass
      SignInLimits::REDIS.keys("*:count").each { |key| SignInLimits::REDIS.del(key) }
      assert_equal 401, sign_in
    end
    let_time_pass
    assert_equal 429, sign_in("right")
    SignInLimits.clear("Ann@Example.com")
    assert_equal 204, sign_in("right")
  end

  def test_alert
    119.times { |n| sign_in("wrong", "many-#{n}") }
    assert_empty ALERTS
    10.times { |n| sign_in("wrong", "more-#{n}") }
    assert_equal [{ failures: 120 }], ALERTS
  end
end
