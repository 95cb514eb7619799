# Debian: clang, libclang-rt-dev, llvm.
set -eu
for command in clang++ llvm-profdata llvm-cov; do
  command -v $command > /dev/null || { echo "$command is missing" >&2; exit 77; }
done
fail() { echo "$*" >&2; exit 1; }
mv block_1.cpp fuzz.cpp
sed 's/-max_total_time=600/-max_total_time=40 -seed=1/' block_2.bash > commands.sh
cat > frame_parser.h <<'HEADER'
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

struct Frame {
  std::uint8_t kind = 0;
  std::vector<std::uint8_t> body;
  bool operator==(const Frame &) const = default;
  std::vector<std::uint8_t> serialize() const;
};

struct FrameParser {
  std::optional<Frame> parse(std::span<const std::uint8_t> data);
};
HEADER
cat > correct.cpp <<'SOURCE'
#include "frame_parser.h"

std::vector<std::uint8_t> Frame::serialize() const {
  std::vector<std::uint8_t> bytes{kind, static_cast<std::uint8_t>(body.size())};
  bytes.insert(bytes.end(), body.begin(), body.end());
  return bytes;
}

std::optional<Frame> FrameParser::parse(std::span<const std::uint8_t> data) {
  if (data.size() < 2 || data[0] > 7) return std::nullopt;
  const std::size_t length = data[1];
  if (length != data.size() - 2) return std::nullopt;
  Frame frame;
  frame.kind = data[0];
  for (std::size_t n = 0; n < length; ++n) frame.body.push_back(data.data()[n + 2]);
  return frame;
}
SOURCE
cp correct.cpp frame_parser.cpp
sed -i 's/-max_total_time=40/-runs=20000/' commands.sh
bash -eu commands.sh > report.txt 2> run.log || fail "the correct parser: $(tail -5 run.log)"
[ -z "$(ls crashes)" ] || fail 'the correct parser has crashes'
covered=$(awk '/TOTAL/ { print int($10) }' report.txt)
[ "$covered" -ge 80 ] || fail "$covered percent of the lines: $(cat report.txt)"

# A read beyond the end, and an error that only the round trip finds.
fuzz=$(grep -m 1 fuzz.cpp commands.sh)
overread='s/length != data.size() - 2/length > data.size()/'
for change in "$overread" 's/= data.0.;/= data[0] ^ 1;/'; do
  rm -rf corpus crashes && mkdir corpus crashes
  sed "$change" correct.cpp > frame_parser.cpp
  ! cmp -s correct.cpp frame_parser.cpp || fail "$change changes nothing"
  eval "$fuzz"
  ! ./fuzz corpus/ -runs=2000000 -max_total_time=40 -seed=1 -artifact_prefix=crashes/ 2> found.log || fail "$change was not found"
  [ -n "$(ls crashes)" ] || fail "$change left no file"
  ! find crashes -type f -exec ./fuzz -runs=1 {} + 2> /dev/null || fail "$change: the file does not show the error again"
  cp correct.cpp frame_parser.cpp
  eval "$fuzz"
  find crashes -type f -exec ./fuzz -runs=1 {} + 2> repaired.log || fail "$change: still an error after the repair"
  [ "$change" != "$overread" ] ||
    grep -q 'heap-buffer-overflow\|stack-buffer-overflow' found.log || fail "$(tail -3 found.log)"
done
