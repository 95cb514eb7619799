# Looks for items by ordinary names and by names that would change the expression.
require_relative "support/rails"

require_or_skip "nokogiri", "rexml/document"
require_relative "app/models/price_list"

DOCUMENT = Nokogiri::XML(<<~XML)
  <prices xmlns="urn:example:prices">
    <item customer="1" price="5"><name>O'Brien</name></item>
    <item customer="1" price="6"><name>12" pipe</name></item>
    <item customer="2" price="7"><name>secret</name></item>
  </prices>
XML

class Check < Minitest::Test
  def find(name) = PriceList.new(DOCUMENT, 1).find(name)

  def test_ordinary_names
    assert_equal [{ name: "O'Brien", price: "5" }], find("O'Brien")
    assert_equal [{ name: '12" pipe', price: "6" }], find('12" pipe')
    assert_equal ["7"], PriceList.new(DOCUMENT, "2").find("secret").map { |item| item[:price] }
  end

  def test_expressions_as_names
    ["' or '1'='1", '" or "1"="1', "'] | //* | a['", "$customer", "secret", "", "*", nil].each do |name|
      assert_empty find(name), name.inspect
    end
    assert_empty PriceList.new(DOCUMENT, "1' or '1'='1").find("secret")
  end

  def test_rexml
    document = REXML::Document.new("<a><b n=\"O'Brien\"/><b n='x'/></a>")
    found = ->(name) { REXML::XPath.match(document, "/a/b[@n = $name]", {}, { "name" => name }).size }
    assert_equal [1, 0], [found.call("O'Brien"), found.call("' or '1'='1")]
  end

  def test_cop
    cop = ["lib/cops/built_xpath.rb", "Shop/BuiltXpath"]
    assert_equal 0, offenses(*cop, File.read("app/models/price_list.rb") + "page.css(\"h1\")\n7 / 2\n\"%d\" % 7\n")
    bad = ['d.xpath("//item[name=\'#{name}\']")', 'd.at_xpath("//a[" + x + "]")', "d.xpath(params[:path])",
      'd.css("##{id}")',
           'd / "//a[#{x}]"']
    assert_equal bad.size, offenses(*cop, "#{bad.join("\n")}\n")
  end
end
