# Gives values with metacharacters to programs, and to the log of a repository.
require_relative "support/rails"
require "tmpdir"

%w[git timeout].each do |program|
  next if File.executable?("/usr/bin/#{program}")
  warn "#{program} is missing"
  exit! 77
end
require_relative "app/models/program"
require_relative "app/models/archived_branch"

REPOSITORY = Dir.mktmpdir
Minitest.after_run { FileUtils.rm_rf(REPOSITORY) }
commit = ["-c", "user.name=a", "-c", "user.email=a@b.test", "commit", "-q", "--allow-empty", "-m", "first"]
[%w[init -q -b main], commit, %w[branch release-1.2]].each do |arguments|
  Process.wait(Process.spawn("/usr/bin/git", "-C", REPOSITORY, *arguments))
  raise "git failed" unless $?.success?
end

class Check < Minitest::Test
  def test_ordinary_names
    assert_equal "first\n", ArchivedBranch.log(REPOSITORY, "main")
    assert_equal "first\n", ArchivedBranch.log(REPOSITORY, "release-1.2")
    assert_raises(Program::Failed) { ArchivedBranch.log(REPOSITORY, "missing") }
  end

  def test_refused_names
    ["--output=#{REPOSITORY}/x", "-x", "main; touch x", "$(touch x)", "`id`", "main\n", "main\nx", "", "a" * 65, "../x",
     ["main"], nil].each do |name|
      assert_raises(ArgumentError, name.inspect) { ArchivedBranch.log(REPOSITORY, name) }
    end
    refute_path_exists File.join(REPOSITORY, "x")
  end

  def test_arguments_arrive_unchanged
    value = "a b; $(id) 'x' | cat\n`id` \"y\" --"
    assert_equal value, Program.run("/usr/bin/printf", "%s", value)
    assert_equal value.b, Program.run("/bin/cat", input: value)
    assert_raises(ArgumentError) { Program.run("printf", "x") }
    assert_raises(ArgumentError) { Program.run("/usr/bin/printf", 1) }
    assert_raises(Program::Failed) { Program.run("/bin/echo x; true") }
  end

  def test_environment_and_time
    ENV["SECRET"] = "value"
    names = Program.run("/usr/bin/env").lines.map { |line| line[/\A[^=]+/] }
    assert_equal %w[LANG PATH], names.sort
    started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    assert_raises(Program::Failed) { Program.run("/bin/sleep", "60", seconds: 1) }
    assert_operator Process.clock_gettime(Process::CLOCK_MONOTONIC) - started, :<, 30
  end

  def test_cop
    cop = ["lib/cops/program_start.rb", "Shop/ProgramStart"]
    bad = ['system("ls #{x}")', "`ls \#{x}`", "%x(ls)", "exec(x)", "open(params[:x])", "IO.popen(x)",
      "Kernel.system(x)",
           "Process.spawn(x)", "Open3.capture2(x)", "URI.open(x)", "IO.read(x)"]
    assert_equal bad.size, offenses(*cop, "#{bad.join("\n")}\n")
    assert_equal 0, offenses(*cop, File.read("app/models/archived_branch.rb") + "File.open(x)\nopen(\"x\")\n")
  end
end
