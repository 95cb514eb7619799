# Sets passwords and signs in with them, with similar ones and with old hashes.
require_relative "support/rails"

require_or_skip "bcrypt", "rbnacl"
class User < ActiveRecord::Base; end

tables = proc do
  create_table(:users) do |t|
    t.string :email
    t.string :password_digest
  end
end
start_rails(tables)
User.include(Argon2Password)

class Check < Minitest::Test
  PASSWORD = "Correct horse battery staple"

  def user(password = PASSWORD) = User.create!(email: "#{SecureRandom.hex(8)}@example.com", password: password)

  def sign_in(user, password) = User.authenticate_by_password(email: user.email, password: password)

  def test_stored_texts
    first, second = user, user
    refute_equal first.password_digest, second.password_digest
    [first, second].each do |each|
      pattern = %r{\A\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}\z}
      assert_match pattern, each.reload.password_digest
      memory, passes = each.password_digest.match(pattern).captures.map(&:to_i)
      assert_operator memory, :>=, 19_456
      assert_operator passes, :>=, 2
    end
  end

  def test_sign_in
    known = user
    stored = known.password_digest
    assert_equal known, sign_in(known, PASSWORD)
    assert_equal stored, known.reload.password_digest
    ["Correct horse battery stapla", PASSWORD.downcase, "#{PASSWORD} ", " #{PASSWORD}", "", "x" * 1001, nil, [PASSWORD],
     stored].each { |other| assert_nil sign_in(known, other), other.inspect }
    assert_nil User.authenticate_by_password(email: "unknown@example.com", password: PASSWORD)
    assert_nil User.authenticate_by_password(email: [known.email], password: PASSWORD)
  end

  def test_long_passwords
    long = "a b c d " * 20
    known = user("#{long}1")
    assert sign_in(known, "#{long}1")
    assert_nil sign_in(known, "#{long}2")
    assert_raises(ArgumentError) { user("x" * 1001) }
  end

  def test_old_hashes
    [BCrypt::Password.create(PASSWORD, cost: 4).to_s,
     RbNaCl::PasswordHash.argon2_str(PASSWORD, 3, 2**25).delete("\0")].each do |old|
      known = User.create!(email: "#{SecureRandom.hex(8)}@example.com", password_digest: old)
      assert_nil sign_in(known, "another")
      assert_equal old, known.reload.password_digest
      assert_equal known, sign_in(known, PASSWORD)
      assert known.reload.password_digest.start_with?(Argon2Password::CURRENT)
      assert_equal known, sign_in(known, PASSWORD)
    end
  end

  def test_equal_times
    known = user
    seconds = lambda do |email|
      Array.new(7) do
        started = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
        assert_nil User.authenticate_by_password(email: email, password: "another")
        Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - started
      end.sort[3]
    end
    ratio = seconds.call(known.email) / seconds.call("unknown@example.com")
    assert_includes 0.4..2.5, ratio
  end
end
