# Runs permitted reports and formulas, and ones that would reach other code.
require_relative "support/rails"
require_relative "app/models/report"
require_relative "app/models/formula"

class Check < Minitest::Test
  ROWS = [{ amount: 5 }, { amount: 7 }].freeze

  def test_reports
    assert_equal [12, 7, 2], %w[total largest count].map { |name| Report.run(name, ROWS) }
    ["system", "instance_eval", "to_s", "size", :total, nil, "", ["total"], "Kernel"].each do |name|
      assert_raises(ArgumentError, name.inspect) { Report.run(name, ROWS) }
    end
  end

  def result(text) = Formula.result(text, { "price" => 3, "vat_rate" => "0.19" })

  def test_formulas
    { "2 * (price + 1.5)" => "9", "1+2*3" => "7", "10-2-3" => "5", "8/4/2" => "1", " (1) " => "1",
      "price*vat_rate" => "0.57",
      "0.1+0.2" => "0.3", "#{"(" * 20}1#{")" * 20}" => "1" }.each do |text, expected|
      assert_equal BigDecimal(expected), result(text), text
    end
  end

  def test_refused_formulas
    ["`id`", 'system("id")', "price.class", '#{7*7}', "__import__('os')", "T(java.lang.Runtime).getRuntime()", "7 7",
      "2**9",
     "unknown", "1/0", "", "(", "(1", "1)", "1+", "-1", "1;2", "1\n;x", "Price", "$0", "@x", "1e9", "x" * 201,
     "#{"(" * 21}1#{")" * 21}", nil, 7, ["1"]].each do |text|
      assert_raises(Formula::Invalid, text.inspect) { result(text) }
    end
  end

  def test_cop
    cop = ["lib/cops/dynamic_code.rb", "Shop/DynamicCode"]
    bad = ["eval(x)", "x.constantize", "user.send(params[:field])", "Object.const_get(x)", "o.instance_eval(x)",
           "o&.public_send(x)", 'o.send("a#{x}")', "binding.eval(x)", "o.method(x)"]
    assert_equal bad.size, offenses(*cop, "#{bad.join("\n")}\n")
    good = File.read("app/models/report.rb") + File.read("app/models/formula.rb")
    assert_equal 0, offenses(*cop, "#{good}\no.send(:name)\no.instance_eval { x }\n")
  end
end
