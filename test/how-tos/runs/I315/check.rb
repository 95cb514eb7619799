# Uploads ordinary files and malicious ones, and reads what was stored.
require_relative "support/rails"

require_or_skip "marcel"
unless File.executable?("/usr/bin/magick")
  warn "magick is missing"
  exit! 77
end
CheckedApplication.config.action_controller.allow_forgery_protection = false
FileUtils.mkdir_p("storage/documents")

class ApplicationController < ActionController::Base
  before_action { Current.user = User.first }
end

class Current < ActiveSupport::CurrentAttributes
  attribute :user
end

class User < ActiveRecord::Base
  has_many :documents
end

class Document < ActiveRecord::Base; end

tables = proc do
  create_table(:users)
  create_table(:documents) do |t|
    t.references :user
    %i[key name content_type].each { |name| t.string name }
  end
end
start_rails(tables) { resources :documents, only: %i[create show] }
User.create!

def png(width, height, rows: height, text: nil)
  chunk = ->(type, data) { [data.bytesize].pack("N") + type + data + [Zlib.crc32(type + data)].pack("N") }
  header = [width, height, 1, 0, 0, 0, 0].pack("NNC5")
  pixels = Zlib.deflate("\0" * (rows * (1 + (width + 7) / 8)))
  "\x89PNG\r\n\x1a\n".b + chunk.("IHDR", header) + (text ? chunk.("tEXt", "Comment\0#{text}") : "") +
    chunk.("IDAT", pixels) + chunk.("IEND", "")
end
MARKER = "hidden-marker-1234"
PNG = png(16, 16, text: MARKER)
JPEG = IO.popen(["/usr/bin/magick", "png:-", "-set", "comment", MARKER, "jpeg:-"], "r+b") do |io|
  io.write(png(16, 16))
  io.close_write
  io.read
end
PDF = "%PDF-1.4\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n".b

class Check < Minitest::Test
  def part(content, name)
    "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"#{name}\"\r\nContent-Type: image/png\r\n\r\n".b +
      content.b + "\r\n".b
  end

  def upload(content, name, count: 1)
    client = new_client
    client.post "/documents", params: part(content, name) * count + "--x--\r\n",
                              headers: { "Content-Type" => "multipart/form-data; boundary=x" }
    @answer = client.response
    @answer.status
  end

  def stored = Document.find(@answer.parsed_body["id"])

  def path = File.join("storage/documents", stored.key)

  def test_ordinary_files
    assert_includes PNG, MARKER
    assert_includes JPEG, MARKER
    { "a.png" => PNG, "a.JPG" => JPEG, "a.jpeg" => JPEG, "a.pdf" => PDF, "a.php.png" => PNG }.each do |name, content|
      assert_equal 201, upload(content, name), name
      refute_includes File.binread(path), MARKER
      assert_match(/\A[\h-]{36}\z/, stored.key)
      assert_equal "100600", File.stat(path).mode.to_s(8)
      assert_equal name, stored.name
      assert_equal stored.content_type, Marcel::MimeType.for(File.open(path))
    end
    client = new_client
    client.get "/documents/#{stored.id}"
    assert_equal 200, client.response.status
    assert_match(/\Aattachment; /, client.response.headers["content-disposition"])
    assert_equal "nosniff", client.response.headers["x-content-type-options"]
  end

  def test_names
    before = Dir.glob("**/*", base: Dir.pwd).size
    assert_equal 201, upload(PNG, "../../a.png")
    assert_equal before + 1, Dir.glob("**/*", base: Dir.pwd).size
    assert_equal 201, upload("#{PDF}<script>alert(1)</script>", "a.pdf")
    assert_equal "application/pdf", stored.content_type
  end

  def test_refused_files
    before = Dir.children("storage/documents").size
    svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
    mvg = "push graphic-context\nimage over 0,0 1,1 '/etc/passwd'\n"
    { "a.png" => ["<html><script>alert(1)</script>", svg, mvg, JPEG, PNG[0, 60], png(50_000, 50_000, rows: 10),
      png(6000, 5000),
                  PNG + "x" * 10_500_000, ""],
      "a.php" => [PNG], "a.jpg" => [PNG], "a.png.php" => [PNG], "a.svg" => [svg], "png" => [PNG], "a.html" => [PDF] }
      .each do |name, contents|
      contents.each { |content| assert_equal 422, upload(content, name), "#{name} #{content[0, 30]}" }
    end
    assert_equal before, Dir.children("storage/documents").size
    assert_equal 201, upload(png(5000, 4900), "a.png")
  end

  def test_bodies
    assert_equal 413, upload("x" * 12_000_000, "a.png")
    assert_equal 413, upload(PNG, "a.png", count: 11)
    client = new_client
    client.post "/documents", params: { file: "text" }
    assert_equal 422, client.response.status
    client.post "/documents", headers: { "Transfer-Encoding" => "chunked" }
    assert_equal 411, client.response.status
  end
end
