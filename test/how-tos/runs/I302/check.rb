# Two customers ask for their own and for each other's records.
require_relative "support/rails"

class Current < ActiveSupport::CurrentAttributes
  attribute :user
end

CheckedApplication.config.action_controller.allow_forgery_protection = false

class ApplicationController < ActionController::Base
  before_action { Current.user = User.find(request.headers["X-User"]) }
end

class Customer < ActiveRecord::Base
  has_many :orders
  has_many :addresses
end

class User < ActiveRecord::Base
  belongs_to :customer
end

class Address < ActiveRecord::Base
  belongs_to :customer
end

class Order < ActiveRecord::Base
  belongs_to :customer
  belongs_to :address, optional: true
end

tables = proc do
  create_table(:customers)
  create_table(:users) { |t| t.references :customer }
  create_table(:addresses) { |t| t.references :customer }
  create_table(:orders) do |t|
    t.string :title
    t.references :customer
    t.references :address
  end
end
start_rails(tables) { resources :orders, only: %i[show create update destroy] }

class Check < Minitest::Test
  def setup
    @own, @other = Array.new(2) { Customer.create! }
    @user = User.create!(customer: @own)
    @client = new_client
  end

  def call(method, path, fields = nil)
    @client.public_send(method, path, params: fields && { order: fields }, headers: { "X-User" => @user.id.to_s })
    @client.response.status
  end

  def test_own_records
    order = @own.orders.create!(title: "mine")
    assert_equal 200, call(:get, "/orders/#{order.id}")
    assert_equal({ "id" => order.id, "title" => "mine" }, @client.response.parsed_body)
    address = @own.addresses.create!
    assert_equal 204, call(:patch, "/orders/#{order.id}", title: "new", address_id: address.id)
    assert_equal ["new", address], [order.reload.title, order.address]
    assert_equal 201, call(:post, "/orders", title: "second", address_id: address.id)
    assert_equal 204, call(:delete, "/orders/#{order.id}")
    refute Order.exists?(order.id)
  end

  def test_records_of_others
    order = @other.orders.create!(title: "theirs")
    %i[get patch put delete].each do |method|
      fields = %i[patch put].include?(method) ? { title: "x" } : nil
      assert_equal 404, call(method, "/orders/#{order.id}", fields), method
    end
    assert_equal "theirs", order.reload.title
    assert_equal 404, call(:get, "/orders/0")
    address = @other.addresses.create!
    assert_equal 404, call(:post, "/orders", title: "x", address_id: address.id)
    assert_equal 0, @own.orders.count
    own = @own.orders.create!(title: "mine")
    assert_equal 404, call(:patch, "/orders/#{own.id}", title: "x", address_id: address.id)
    assert_equal ["mine", nil], [own.reload.title, own.address_id]
    assert_equal 204, call(:patch, "/orders/#{own.id}", title: "x", customer_id: @other.id)
    assert_equal @own.id, own.reload.customer_id
  end

  def test_cop
    cop = ["lib/cops/unscoped_finder.rb", "Shop/UnscopedFinder"]
    assert_equal 0, offenses(*cop, File.read("app/controllers/orders_controller.rb"))
    assert_equal 1, offenses(*cop, "Order.find(params[:id])\n")
    File.write("app/controllers/bad_controller.rb", "Order.find(params[:id])\n")
    output = `rubocop --cache false --only Shop/UnscopedFinder app lib 2>/dev/null`
    assert_includes output, "app/controllers/bad_controller.rb:1:1"
    assert_includes output, "1 offense detected"
    File.delete("app/controllers/bad_controller.rb")
    assert_equal 1, offenses(*cop, "Order.where(id: 1).to_a\n")
  end
end
