# Requests reset links and uses them in all the ways in which they must fail.
require_relative "support/rails"
require "active_support/testing/time_helpers"
require_relative "db/migrate/20260101000000_create_password_resets"

require_or_skip "bcrypt"
ENV["APP_ORIGIN"] = "https://app.example.com"
CheckedApplication.config.action_controller.allow_forgery_protection = false
CheckedApplication.config.active_job.queue_adapter = :inline
CheckedApplication.config.filter_parameters = %i[token passw]
CheckedApplication.config.log_level = :debug

class ApplicationRecord < ActiveRecord::Base
  primary_abstract_class
end

class ApplicationController < ActionController::Base; end

class Session < ActiveRecord::Base; end

class User < ActiveRecord::Base
  has_secure_password
  has_many :sessions
  validates :password, length: { minimum: 15 }, allow_nil: true
end

tables = proc do
  create_table(:sessions) { |t| t.references :user }
  create_table(:users) do |t|
    t.string :email
    t.string :password_digest
  end
end
start_rails(tables) { resource :password_reset, only: %i[create edit update] }
ActiveRecord::Migration.suppress_messages { CreatePasswordResets.new.migrate(:up) }
PasswordReset.reset_column_information
ActionMailer::Base.default from: "shop@example.com"

class Check < Minitest::Test
  include ActiveSupport::Testing::TimeHelpers
  OLD = "the old pass phrase"
  NEW = "the new pass phrase"

  def setup
    ActionMailer::Base.deliveries.clear
    @user = User.create!(email: "#{SecureRandom.hex(6)}@example.com", password: OLD)
  end

  def request_link(email = @user.email, host = "app.example.com")
    client = new_client(host)
    client.post "/password_reset", params: { email: email }
    assert_equal [202, ""], [client.response.status, client.response.body]
    ActionMailer::Base.deliveries.last&.body.to_s[%r{https://\S+}]
  end

  def token_of(link) = link[%r{\Ahttps://app\.example\.com/password_reset/edit#([\w-]{43})\z}, 1]

  def use(token, password = NEW)
    client = new_client
    client.patch "/password_reset", params: { token: token, password: password }
    @body = client.response.body
    client.response.status
  end

  def refused(token)
    assert_equal 422, use(token)
    assert_equal "Request a new link, or choose another password.", @body
    assert @user.reload.authenticate(OLD)
  end

  def test_link_works_once
    2.times { @user.sessions.create! }
    token = token_of(request_link)
    assert_equal 422, use(token, "too short")
    assert_equal 422, use(token, "")
    assert_equal 2, @user.sessions.count
    assert_equal 204, use(token)
    assert @user.reload.authenticate(NEW)
    assert_equal 0, @user.sessions.count
    assert_equal ["Your password was changed", [@user.email]],
      ActionMailer::Base.deliveries.last.then { |m| [m.subject, m.to] }
    assert_equal 422, use(token, "another long phrase")
    assert @user.reload.authenticate(NEW)
  end

  def test_refused_links
    first, second = token_of(request_link), token_of(request_link)
    refused(first)
    refused("#{second[..-2]}#{second[-1] == "A" ? "B" : "A"}")
    refused(PasswordReset.digest(second))
    refused("")
    travel(31.minutes) { refused(second) }
    address = @user.email
    @user.update!(email: "new-#{address}")
    refused(second)
    @user.update!(email: address)
    assert_equal 204, use(second)
  end

  def test_addresses
    assert_nil request_link("unknown@example.com")
    assert_empty ActionMailer::Base.deliveries
    refute_nil token_of(request_link(@user.email, "evil.test"))
  end

  def test_nothing_is_kept
    token = token_of(request_link)
    row = PasswordReset.find_by!(user: @user).attributes.to_s
    refute_includes row, token
    assert_includes row, OpenSSL::Digest::SHA256.hexdigest(token)
    LOG.truncate(0)
    use(token)
    assert_includes LOG.string, "[FILTERED]"
    refute_includes LOG.string, token
  end
end
