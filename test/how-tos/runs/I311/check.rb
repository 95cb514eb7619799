# Seals values, and opens them changed, moved and after a rotation of keys.
require_relative "support/rails"

OLD, NEW = Array.new(2) { SecureRandom.base64(32) }
ENV["SEAL_KEYS"] = { 1 => OLD }.to_json
require_relative "app/models/sealed_value"

class Check < Minitest::Test
  CONTEXT = { table: "users", column: "iban", id: 7 }.freeze

  def load_with(keys)
    ENV["SEAL_KEYS"] = keys.to_json
    Object.send(:remove_const, :SealedValue)
    load "./app/models/sealed_value.rb"
  end

  def setup = load_with({ 1 => OLD })

  def unreadable(text, **changes)
    assert_raises(SealedValue::Unreadable) { SealedValue.open(text, **CONTEXT, **changes) }
  end

  def test_round_trips
    ["DE89 3704 0044 0532 0130 00", "", "\u00e9\u{1f512}", "x" * 100_000].each do |plain|
      sealed = Array.new(2) { SealedValue.seal(plain, **CONTEXT) }
      refute_equal sealed[0], sealed[1]
      sealed.each { |text| assert_equal plain, SealedValue.open(text, **CONTEXT) }
      refute_includes sealed[0], plain unless plain.empty?
    end
    assert_raises(ArgumentError) { SealedValue.seal("x", **CONTEXT, id: nil) }
  end

  def test_changed_values
    bytes = Base64.strict_decode64(SealedValue.seal("secret", **CONTEXT))
    (bytes.bytesize * 8).times do |bit|
      changed = bytes.dup
      changed.setbyte(bit / 8, changed.getbyte(bit / 8) ^ (1 << (bit % 8)))
      unreadable(Base64.strict_encode64(changed))
    end
    (1..bytes.bytesize).each do |length|
      unreadable(Base64.strict_encode64(bytes[0...-length]))
      unreadable(Base64.strict_encode64(bytes[length..]))
    end
    ["", "x", "not base64!"].each { |text| unreadable(text) }
  end

  def test_moved_values
    sealed = SealedValue.seal("secret", **CONTEXT)
    unreadable(sealed, id: 8)
    unreadable(sealed, id: "7")
    unreadable(sealed, column: "bic")
    unreadable(sealed, table: "customers")
  end

  def test_rotation
    old = SealedValue.seal("secret", **CONTEXT)
    load_with({ 2 => NEW, 1 => OLD })
    assert_equal "secret", SealedValue.open(old, **CONTEXT)
    sealed = SealedValue.seal("secret", **CONTEXT)
    assert_equal [1, 2], [old, sealed].map { |text| Base64.strict_decode64(text).getbyte(0) }
    unreadable(Base64.strict_encode64("\x01" + Base64.strict_decode64(sealed)[1..]))
    load_with({ 2 => NEW })
    unreadable(old)
    assert_equal "secret", SealedValue.open(sealed, **CONTEXT)
  end

  def test_bad_keys
    [{}, { 1 => SecureRandom.base64(31) }, { 0 => NEW }, { 256 => NEW }].each do |keys|
      assert_raises(RuntimeError) { load_with(keys) }
    end
  end

  def test_cop
    cop = ["lib/cops/raw_cryptography.rb", "Shop/RawCryptography"]
    bad = ["OpenSSL::Cipher.new(x)", "Digest::MD5.hexdigest(x)", "OpenSSL::Digest::SHA1.new", 'cipher("des-ede3-cbc")',
           'cipher("aes-256-ecb")', 'OpenSSL::Digest.new("SHA1")', 'cipher("rc4")']
    assert_equal bad.size, offenses(*cop, "#{bad.join("\n")}\n")
    assert_equal 0, offenses(*cop, "SealedValue.seal(x)\nOpenSSL::Digest::SHA256.hexdigest(x)\n\"description\"\n")
  end
end
