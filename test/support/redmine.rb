# Runs Redmine of Debian on an empty database of its own: `ruby redmine.rb PORT`, with DATABASE_URL set. It prints the key of
# an administrator once it listens. There are three projects: `shop` and `stock` have issues, `docs` has none. Issues of the
# type Support need a value for the field Team.
Dir.chdir('/usr/share/redmine')
require '/usr/share/redmine/config/environment'
ActiveRecord::Migration.verbose = false
ActiveRecord::Base.connection.migration_context.migrate
ActiveRecord::Base.descendants.each(&:reset_column_information)

Setting.rest_api_enabled = '1'
admin = User.find_by!(login: 'admin')
admin.update_columns(must_change_passwd: false)
Redmine::DefaultData::Loader.load('en')
Project.create!(name: 'Shop', identifier: 'shop', enabled_module_names: ['issue_tracking'])
Project.create!(name: 'Stock', identifier: 'stock', enabled_module_names: ['issue_tracking'])
Project.create!(name: 'Docs', identifier: 'docs', enabled_module_names: ['wiki'])
IssueCustomField.create!(
  name: 'Team',
  field_format: 'list',
  possible_values: %w[Red Blue],
  is_required: true,
  is_for_all: true,
  trackers: [Tracker.find_by!(name: 'Support')]
)

# The package of the server is installed, but Redmine does not list it among its own, so Bundler has hidden it.
$LOAD_PATH.concat(Dir['/usr/share/rubygems-integration/all/gems/webrick-*/lib'])
require 'rack/handler/webrick'
Rack::Handler::WEBrick.run(
  Rails.application,
  Host: '127.0.0.1',
  Port: Integer(ARGV.fetch(0)),
  Logger: WEBrick::Log.new(File::NULL),
  AccessLog: [],
  StartCallback: -> { puts "key #{admin.api_key}"; $stdout.flush }
)
