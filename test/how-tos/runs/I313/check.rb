# Sends genuine, changed, old and repeated messages.
require_relative "support/rails"
require_relative "db/migrate/20260101000000_create_received_webhooks"

NEW, OLD, OTHER = Array.new(3) { SecureRandom.bytes(32) }
SECRETS = { payments: [NEW, OLD], shipping: [OTHER] }.freeze
ENV["WEBHOOK_SECRETS"] = SECRETS.transform_values { |keys| keys.map { |key| [key].pack("m0") } }.to_json

class ReceivedWebhook < ActiveRecord::Base; end

class PaymentCheckJob < ActiveJob::Base
  DONE = []
  def perform(id) = DONE.push(id)
end

CheckedApplication.config.active_job.queue_adapter = :inline
start_rails { post "webhooks/payments", to: "webhooks#payments" }
ActiveRecord::Migration.suppress_messages { CreateReceivedWebhooks.new.migrate(:up) }
ReceivedWebhook.reset_column_information

class Check < Minitest::Test
  BODY = '{"payment_id":"p-1","amount":1}'

  def signature(id, time, body, key) = "v1,#{[OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{time}.#{body}")].pack("m0")}"

  def send_message(body: BODY, signed: body, id: SecureRandom.uuid, signed_id: id, time: Time.now.to_i, key: NEW,
    value: nil)
    @id = id
    headers = { "Content-Type" => "application/json", "webhook-id" => id, "webhook-timestamp" => time.to_s,
                "webhook-signature" => value || signature(signed_id, time, signed, key) }
    client = new_client
    client.post "/webhooks/payments", params: body, headers: headers
    client.response.status
  end

  def test_genuine_messages
    PaymentCheckJob::DONE.clear
    assert_equal 202, send_message
    assert_equal ["p-1"], PaymentCheckJob::DONE
    assert_equal 200, send_message(id: @id)
    assert_equal ["p-1"], PaymentCheckJob::DONE
    assert_equal 202, send_message(key: OLD)
    id, time = SecureRandom.uuid, Time.now.to_i
    assert_equal 202, send_message(id: id, time: time, value: "v1a,x v1,AAAA #{signature(id, time, BODY, NEW)}")
    assert_equal 202, send_message(body: "{\"payment_id\": \"\u00e9\"}", time: Time.now.to_i - 240)
  end

  def test_refused_messages
    PaymentCheckJob::DONE.clear
    rows = ReceivedWebhook.count
    now = Time.now.to_i
    [{ body: BODY.sub("1}", "2}"), signed: BODY }, { body: BODY.sub(":", ": "), signed: BODY }, { signed_id: "other" },
     { time: now - 360 }, { time: now + 360 }, { time: "x" }, { key: OTHER }, { key: "" }, { value: "" },
       { value: "v1," },
     { value: "v2,#{signature("a", now, BODY, NEW).delete_prefix("v1,")}", id: "a", time: now }].each do |change|
      assert_equal 401, send_message(**change), change.inspect
    end
    client = new_client
    client.post "/webhooks/payments", params: BODY, headers: { "Content-Type" => "application/json" }
    assert_equal 401, client.response.status
    assert_equal [rows, []], [ReceivedWebhook.count, PaymentCheckJob::DONE]
  end

  def test_other_bodies
    rows = ReceivedWebhook.count
    assert_equal 400, send_message(body: "{")
    assert_equal 400, send_message(body: "{}")
    assert_equal 413, send_message(body: "{\"payment_id\":\"#{"x" * 200_000}\"}")
    assert_equal rows, ReceivedWebhook.count
  end

  def test_short_secrets
    ENV["WEBHOOK_SECRETS"] = { payments: [["x" * 20].pack("m0")] }.to_json
    pid = fork do
      Object.send(:remove_const, :WebhookMessage)
      load "./app/models/webhook_message.rb"
      exit! 0
    rescue RuntimeError
      exit! 9
    end
    Process.wait(pid)
    assert_equal 9, $?.exitstatus
  end
end
