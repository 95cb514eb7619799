# A Rails application in production mode in the current folder, with a SQLite file, and clients that call it.
# The run ends with status 77 if the machine lacks one of the gems.
ENV["RAILS_ENV"] = "production"
ENV["DATABASE_URL"] = "sqlite3:check.sqlite3"

def require_or_skip(*names)
  names.each { |name| require name }
rescue LoadError => error
  warn "#{error.message.lines.first.strip} is missing"
  exit! 77
end

require_or_skip "rails", "active_record/railtie", "action_controller/railtie", "action_mailer/railtie",
                "active_job/railtie", "action_dispatch/testing/integration", "sqlite3", "minitest"
require "minitest/autorun"

LOG = StringIO.new

class CheckedApplication < Rails::Application
  config.load_defaults 7.2
  config.root = Dir.pwd
  config.eager_load = true
  config.enable_reloading = false
  config.logger = ActiveSupport::TaggedLogging.new(Logger.new(LOG))
  config.secret_key_base = "check" * 16
  config.action_mailer.delivery_method = :test
end

# Creates the tables of the block, and starts the application with the code in `app` and `config`.
def start_rails(tables = proc {}, &routes)
  Rails.application.initialize!
  ActiveRecord::Migration.suppress_messages { ActiveRecord::Schema.define(&tables) }
  ActiveRecord::Base.descendants.each(&:reset_column_information)
  Rails.application.routes.draw(&routes) if routes
end

# A browser with cookies of its own.
def new_client(host = "app.example.com")
  ActionDispatch::Integration::Session.new(Rails.application).tap do |client|
    client.host! host
    client.https!
  end
end

# Runs RuboCop with one cop of the how-to over a text, and returns its offenses.
def offenses(cop_file, cop, source, name = "sample.rb")
  require "open3"
  FileUtils.mkdir_p(File.dirname(name))
  File.write(name, source)
  File.write("only.yml", "AllCops: {DisabledByDefault: true, SuggestExtensions: false, NewCops: disable}\n")
  out, status = Open3.capture2e("rubocop", "--cache", "false", "--config", "only.yml", "--require", "./#{cop_file}",
                                "--only", cop, "--format", "emacs", name)
  raise out if status.exitstatus > 1
  out.lines.count { |line| line.include?(cop) }
rescue Errno::ENOENT
  warn "rubocop is missing"
  exit! 77
end
