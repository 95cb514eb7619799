# Sends emails whose texts and names look like templates.
require_relative "support/rails"

FileUtils.mkdir_p("app/views/order_mailer")
FileUtils.mv("block_3.text", "app/views/order_mailer/confirmation.html.erb")
start_rails
ActionMailer::Base.default from: "shop@example.com"
Order = Struct.new(:name, :number, :email)

class Check < Minitest::Test
  def html(text, name: "Ann")
    OrderMailer.confirmation(Order.new(name, "A-7", "ann@example.com"), text).body.to_s
  end

  def displayed(...) = Nokogiri::HTML5.fragment(html(...)).at_css("p").text

  def test_values
    assert_equal "Dear Ann, order A-7", displayed("Dear {{name}}, order {{ number }}")
  end

  def test_expressions
    ["<%= 7*7 %>", '#{7*7}', "${7*7}", "{{7*7}}", "{{ 7*7 }}", "<%== 7*7 %>", "%= 7*7", "<b>49</b>".tr("49", "xy"),
      "\\0 \\1",
     "{{name.class}}"].each do |text|
      assert_equal text, displayed(text)
      assert_equal "a #{text}", displayed("a {{name}}", name: text)
      refute_includes html(text + text), "49"
    end
    assert_includes html("<b>"), "&lt;b&gt;"
    assert_equal "{{number}}", displayed("{{name}}", name: "{{number}}")
  end

  def test_refused_texts
    assert_raises(MessageText::UnknownPlaceholder) { MessageText.fill("{{password}}", { "name" => "x" }) }
    assert_raises(ArgumentError) { MessageText.fill("x" * 10_001, {}) }
  end

  def test_cop
    cop = ["lib/cops/built_template.rb", "Shop/BuiltTemplate"]
    bad = ["ERB.new(text)", "render inline: text", "render(inline: text, layout: false)",
      "Tilt::ERBTemplate.new { text }",
           "Erubi::Engine.new(text)", "render file: name"]
    assert_equal bad.size, offenses(*cop, "#{bad.join("\n")}\n")
    good = "render :show\nrender json: order\nrender \"orders/show\", status: :ok\nOrder.new\n"
    assert_equal 0, offenses(*cop,
      File.read("app/models/message_text.rb") + File.read("app/mailers/order_mailer.rb") + good)
  end
end
