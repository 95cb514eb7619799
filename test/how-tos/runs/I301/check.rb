# Signs in and out behind a proxy that ends TLS, and reads the cookie.
require_relative "support/rails"
require_relative "support/redis"

require_or_skip "redis", "bcrypt"
ENV["SESSION_REDIS_URL"] = start_redis

CheckedApplication.config.action_controller.allow_forgery_protection = false

class ApplicationController < ActionController::Base; end

class User < ActiveRecord::Base
  has_secure_password
end

class PagesController < ApplicationController
  def me = session[:user_id] ? render(plain: session[:user_id].to_s) : head(:unauthorized)

  def fail
    session[:seen] = 1
    head :bad_request
  end
end

tables = proc do
  create_table(:users) do |t|
    t.string :email
    t.string :password_digest
  end
end
start_rails(tables) do
  post "session", to: "sessions#create"
  delete "session", to: "sessions#destroy"
  get "me", to: "pages#me"
  get "fail", to: "pages#fail"
end
User.create!(email: "ann@example.com", password: "a long pass phrase")

class Check < Minitest::Test
  def cookie(client) = Array(client.response.headers["set-cookie"]).join("\n").lines.grep(/session/i).map(&:strip)

  # The proxy ends TLS: the application itself is called by plain HTTP.
  def behind_proxy = new_client.tap { |client| client.https!(false) }

  def sign_in(client = behind_proxy, password: "a long pass phrase")
    client.post "/session", params: { email: "ann@example.com", password: password }
    client.response.status
  end

  def value_of(line) = line[/\A__Host-session=([^;]*)/, 1]

  def attributes_of(line) = line.downcase.split("; ").drop(1).reject { |part| part.start_with?("expires=") }.sort

  def test_attributes
    values = Array.new(20) do
      client = behind_proxy
      assert_equal 204, sign_in(client)
      assert_equal 1, cookie(client).size
      line = cookie(client).first
      assert_match(/\A\h{32}\z/, value_of(line))
      assert_equal %w[httponly path=/ samesite=lax secure], attributes_of(line)
      value_of(line)
    end
    assert_equal 20, values.uniq.size
    client = behind_proxy
    client.get "/fail"
    assert_equal 400, client.response.status
    assert_equal [%w[httponly path=/ samesite=lax secure]], cookie(client).map { |line| attributes_of(line) }
  end

  def get_me(value)
    client = behind_proxy
    client.get "/me", headers: { "Cookie" => "__Host-session=#{value}" }
    client.response.status
  end

  def test_sign_in_and_out
    client = behind_proxy
    assert_equal 401, sign_in(client, password: "another")
    sign_in(client)
    value = value_of(cookie(client).first)
    assert_equal 200, get_me(value)
    client.delete "/session", headers: { "Cookie" => "__Host-session=#{value}" }
    assert_equal 1, cookie(client).size
    assert_equal "", value_of(cookie(client).first)
    assert_match(/expires=Thu, 01 Jan 1970/, cookie(client).first)
    assert_equal %w[path=/ secure], attributes_of(cookie(client).first) & %w[path=/ secure]
    assert_equal 401, get_me(value)
  end

  def test_planted_ids
    first = behind_proxy
    first.get "/fail"
    known = value_of(cookie(first).first)
    [known, "0" * 32].each do |planted|
      client = behind_proxy
      client.post "/session", params: { email: "ann@example.com", password: "a long pass phrase" },
                              headers: { "Cookie" => "__Host-session=#{planted}" }
      assert_equal 204, client.response.status
      refute_equal planted, value_of(cookie(client).first)
      assert_equal 401, get_me(planted)
    end
  end

  def test_json_in_redis
    client = behind_proxy
    sign_in(client)
    redis = Redis.new(url: ENV.fetch("SESSION_REDIS_URL"))
    stored = redis.keys("session:*").map { |key| redis.get(key) }
    assert stored.any? { |text| text.include?('{"user_id":1}') }
    redis.keys("session:*").each { |key| redis.set(key, Marshal.dump(Planted.new)) }
    assert_equal 401, get_me(value_of(cookie(client).first))
    assert_equal 0, Planted::LOADED.size
  end
end

class Planted
  LOADED = []
  def marshal_dump = []
  def marshal_load(_fields) = LOADED.push(1)
end
