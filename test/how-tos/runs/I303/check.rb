# Renders markers of scripts and reads them back with an HTML parser.
require_relative "support/rails"
require "open3"

start_rails
MARKER = %q("><img src=x onerror=alert(1)></script><script>alert(1)</script>'&)

class Check < Minitest::Test
  def render(order)
    Nokogiri::HTML5.fragment(ActionController::Base.helpers.extend(SafeOutputHelper).order_panel(order))
  end

  def test_text_and_data
    page = render("id" => 1, "title" => MARKER, "website" => MARKER)
    assert_empty page.css("img, script, a")
    assert_equal MARKER, page.at_css("h1").text
    assert_equal({ "id" => 1, "title" => MARKER }, JSON.parse(page.at_css("section")["data-order"]))
    assert_equal MARKER * 2, page.text
  end

  def test_links
    ["https://example.com/?a=1&b=2", "mailto:ann@example.com", "HTTP://example.com"].each do |address|
      assert_equal address, render("title" => "t", "website" => address).at_css("a")&.[]("href")
    end
    ["javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)",
      "\u0001javascript:x",
     "data:text/html,x", "vbscript:x", "//evil.test", "", nil].each do |address|
      page = render("title" => "t", "website" => address)
      assert_nil page.at_css("a"), address.inspect
      assert_includes page.text, address.to_s
    end
  end

  def test_cop
    cop = ["lib/cops/raw_output.rb", "Shop/RawOutput"]
    assert_equal 0, offenses(*cop, File.read("app/helpers/safe_output_helper.rb"))
    bad = ["title.html_safe", "raw(title)", "title&.html_safe", "safe_concat(title)"]
    assert_equal bad.size, offenses(*cop, "#{bad.join("\n")}\n")
  end

  def templates(text)
    FileUtils.mkdir_p("app/views")
    File.write("app/views/page.html.erb", text)
    Open3.capture2e("bash", "block_3.bash").last.exitstatus
  end

  def test_templates
    assert_equal 0, templates("<h1><%= title %></h1>\n")
    ["<%== title %>", "<%= raw title %>", "<%= raw(title) %>", "<%= title.html_safe %>"].each do |text|
      assert_equal 1, templates("#{text}\n"), text
    end
  end
end
