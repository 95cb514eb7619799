# Asks for files inside and outside the folder, through the router and by links.
require_relative "support/rails"

FileUtils.mkdir_p(["storage/reports", "storage/reports-2"])
File.write("storage/reports/may.pdf", "may")
File.write("storage/reports/large.txt", "x" * 10_000_001)
File.write("storage/reports-2/secret.txt", "secret")
File.write("storage/secret.txt", "secret")
File.symlink("../secret.txt", "storage/reports/outside.txt")
File.symlink("../reports-2/secret.txt", "storage/reports/sibling.txt")
File.symlink("may.pdf", "storage/reports/inside.pdf")
File.symlink("loop.txt", "storage/reports/loop.txt")
File.mkfifo("storage/reports/pipe.txt")
Dir.mkdir("storage/reports/folder.txt")

class ApplicationController < ActionController::Base; end

start_rails { get "report", to: "reports#show" }

class Check < Minitest::Test
  def answer(query)
    client = new_client
    client.get "/report?#{query}"
    [client.response.status, client.response.body]
  end

  def test_ordinary_names
    assert_equal [200, "may"], answer("name=may.pdf")
    assert_equal [200, "may"], answer("name=inside.pdf")
  end

  def test_names_that_lead_outside
    missing = answer("name=missing.pdf")
    assert_equal [404, ""], missing
    names = %w[../../etc/passwd ../secret.txt ..%2fsecret.txt %252e%252e/secret.txt ..%5csecret.txt /etc/passwd
               C:%5cx.txt may.pdf%0a .txt folder.txt outside.txt sibling.txt loop.txt pipe.txt large.txt]
    names.push("#{Dir.pwd}/storage/reports/may.pdf", "../reports/may.pdf", "%00.txt", "../reports-2/secret.txt")
    names.each { |name| assert_equal missing, answer("name=#{name}"), name }
    ["", "name[]=may.pdf", "name[a]=may.pdf"].each { |query| assert_equal missing, answer(query), query }
    assert_equal missing, answer("name=may.pdf%00.txt")
  end
end
