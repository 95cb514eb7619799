# Parses ordinary and malicious documents; a listener counts the requests that they cause.
require_relative "support/rails"
require "socket"

require_or_skip "nokogiri"
require_relative "app/models/xml_document"

LISTENER = TCPServer.new("127.0.0.1", 0)
ADDRESS = "http://127.0.0.1:#{LISTENER.addr[1]}"
REQUESTS = Queue.new
Thread.new { loop { LISTENER.accept.tap { |socket| REQUESTS.push(1) }.close } }
File.write("secret.txt", "the secret")
File.write("outside.dtd", '<!ENTITY e "from the file">')

class Check < Minitest::Test
  def rejected(text, reason)
    error = assert_raises(XmlDocument::Rejected, text[0, 80]) { XmlDocument.parse(text) }
    assert_match reason, error.message
  end

  def test_ordinary_documents
    text = '<?xml version="1.0"?><!-- c --><o:orders xmlns:o="urn:o"><o:order id="1">A &amp; B</o:order></o:orders>'
    order = XmlDocument.parse(text).at_xpath("//o:order", "o" => "urn:o")
    assert_equal ["1", "A & B"], [order["id"], order.text]
    assert XmlDocument.parse("<a>" * 100 + "</a>" * 100)
    utf16 = "\uFEFF<?xml version=\"1.0\" encoding=\"UTF-16\"?><a>\u00e9</a>".encode("UTF-16LE").b
    assert_equal "\u00e9", XmlDocument.parse(utf16).root.text
  end

  def test_doctypes
    path = "file://#{Dir.pwd}"
    lol = (1..9).map { |n| "<!ENTITY l#{n} \"#{"&l#{n - 1};" * 10}\">" }.join
    documents = [
      "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY e SYSTEM \"#{path}/secret.txt\">]><a>&e;</a>",
      "<!DOCTYPE a [<!ENTITY e SYSTEM \"#{ADDRESS}/e\">]><a>&e;</a>", "<!DOCTYPE a SYSTEM \"#{ADDRESS}/d\"><a/>",
      "<!DOCTYPE a [<!ENTITY % p SYSTEM \"#{ADDRESS}/p\"> %p;]><a/>",
        "<!DOCTYPE a SYSTEM \"#{path}/outside.dtd\"><a>x</a>",
      "<!DOCTYPE a [<!ENTITY l0 \"lol\">#{lol}]><a>&l9;</a>",
      "\uFEFF<!DOCTYPE a [<!ENTITY e \"x\">]><a/>".encode("UTF-16LE").b
    ]
    documents.each { |text| rejected(text, /DTDs are not allowed|not well-formed/) }
    rejected(documents[0], /DTDs are not allowed/)
    rejected("<!DOCTYPE a SYSTEM \"#{path}/outside.dtd\"><a>&e;</a>", /./)
    assert_empty REQUESTS
    memory = File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1].to_i
    assert_operator memory, :<, 400_000
  end

  def test_limits
    rejected("<a>" * 101 + "</a>" * 101, /too deep/)
    rejected("<a>" * 20_000 + "</a>" * 20_000, /too deep|not well-formed/)
    rejected("<a>#{"x" * 11_000_000}</a>", /too large/)
    rejected("<a><b></a>", /not well-formed/)
    rejected("", /not well-formed/)
  end

  def test_xinclude_and_schemas
    text = "<a xmlns:xi=\"http://www.w3.org/2001/XInclude\" xmlns:s=\"http://www.w3.org/2001/XMLSchema-instance\" " \
           "s:schemaLocation=\"urn:a #{ADDRESS}/s\"><xi:include href=\"secret.txt\" parse=\"text\"/></a>"
    document = XmlDocument.parse(text)
    assert_equal ["", "include"], [document.text, document.root.children.first.name]
    assert_empty REQUESTS
  end

  def test_cop
    cop = ["lib/cops/xml_parser.rb", "Shop/XmlParser"]
    bad = ["Nokogiri::XML(x)", "Nokogiri.parse(x)", "Hash.from_xml(x)", "REXML::Document.new(x)",
      "Nokogiri::XML::SAX::Parser.new(x)",
           "config.noent"]
    assert_equal bad.size, offenses(*cop, "#{bad.join("\n")}\n")
    assert_equal 0, offenses(*cop, "XmlDocument.parse(x)\n")
  end
end
