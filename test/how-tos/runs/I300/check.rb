# Sends forms as pages of the own origin, of other origins and of a sibling domain would.
require_relative "support/rails"

ENV["APP_ORIGIN"] = "https://app.example.com"

COUNT = [0]

start_rails do
  get "notes/new", to: "notes#new"
  get "notes", to: "notes#index"
  post "notes", to: "notes#create"
  delete "notes", to: "notes#destroy"
end

class NotesController < ApplicationController
  def new = render(inline: "<%= form_with(url: '/notes') { |form| form.submit } %>")
  def index = render(plain: "notes")

  def create
    COUNT[0] += 1
    head :no_content
  end
  alias destroy create
end
class Check < Minitest::Test
  OWN = { "Origin" => "https://app.example.com", "Sec-Fetch-Site" => "same-origin" }.freeze

  def setup
    @client = new_client
    @client.get "/notes/new"
    @token = @client.response.body[/name="authenticity_token" value="([^"]+)"/, 1]
    assert @token
  end

  def status(headers, parameters = { authenticity_token: @token })
    @client.post "/notes", params: parameters, headers: headers
    @client.response.status
  end

  def test_own_pages
    before = COUNT[0]
    assert_equal 204, status(OWN)
    assert_equal 204, status(OWN.slice("Origin"))
    assert_equal 204, status({ "Sec-Fetch-Site" => "none" })
    assert_equal before + 3, COUNT[0]
    assert_equal 422, status(OWN, {})
    assert_equal 422, status(OWN, { authenticity_token: "x" * 86 })
    assert_equal before + 3, COUNT[0]
  end

  def test_other_sites
    before = COUNT[0]
    others = [{}, { "Origin" => "null" }, { "Origin" => "https://evil.test" }, { "Sec-Fetch-Site" => "cross-site" },
              { "Sec-Fetch-Site" => "same-site" }, OWN.merge("Origin" => "https://blog.example.com"),
              OWN.merge("Origin" => "http://app.example.com"), OWN.merge("Sec-Fetch-Site" => "cross-site")]
    others.each do |headers|
      assert_equal 403, status(headers), headers.inspect
      assert_equal 403, status(headers, { authenticity_token: @token, _method: "delete" }), headers.inspect
    end
    assert_equal before, COUNT[0]
  end

  def test_reading_and_sockets
    @client.get "/notes", headers: { "Sec-Fetch-Site" => "cross-site" }
    assert_equal 200, @client.response.status
    socket = { "Upgrade" => "websocket", "Connection" => "Upgrade" }
    @client.get "/notes", headers: socket.merge("Origin" => "https://evil.test")
    assert_equal 403, @client.response.status
    @client.get "/notes", headers: socket.merge("Origin" => "https://app.example.com")
    assert_equal 200, @client.response.status
  end
end
