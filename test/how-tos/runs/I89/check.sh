# Builds a program with the flags, overflows a buffer, and adds code that the build must refuse.
# Debian: g++, clang, clang-tidy-22, cmake, make, checksec, procps, file.
set -eu
fail() { echo "$*" >&2; exit 1; }
for command in gcc g++ cmake make checksec readelf; do
  command -v "$command" > /dev/null || { echo "$command is missing" >&2; exit 77; }
done
# Debian names newer versions by their number.
mkdir programs
for version in 22 21 20; do
  for tool in clang-tidy clang clang++; do
    [ -e "programs/$tool" ] || ! command -v "$tool-$version" > /dev/null || ln -s "$(command -v "$tool-$version")" "programs/$tool"
  done
done
PATH=$PWD/programs:$PATH
tidy=$(clang-tidy --version 2> /dev/null | sed -n 's/.*version \([0-9]*\).*/\1/p')
[ "${tidy:-0}" -ge 20 ] || { echo 'clang-tidy 20 is missing' >&2; exit 77; }

mkdir project
mv block_1.cmake project/CMakeLists.txt
mv block_2.yaml project/.clang-tidy
cd project
cat > main.cpp << 'CODE'
#include <cstdio>
#include <string>

int main(int count, char** /*words*/) {
  std::string text(static_cast<std::size_t>(count), 'a');
  char line[32];
  if (std::snprintf(static_cast<char*>(line), sizeof line, "%s of %d", text.c_str(), count) < 0) return 1;
  std::printf("%s\n", static_cast<const char*>(line));
  return 0;
}
CODE
cat > copy.c << 'CODE'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **words) {
  char b[8];
  if (count < 2) return 1;
  memcpy(b, "0123456789abcdef", (size_t)strtoul(words[1], NULL, 10));
  printf("%.8s\n", b);
  return 0;
}
CODE
printf 'int main(void) { return 0; }\n' > right.c
printf 'int main() { return 0; }\n' > right.cpp
refused='unused-c unused-cpp implicit-c format-c format-cpp pointer-cpp'
printf 'int main(void) { int unused = 1; return 0; }\n' > unused-c.c
printf 'int main() { int unused = 1; return 0; }\n' > unused-cpp.cpp
printf 'int main(void) { return missing(); }\n' > implicit-c.c
printf '#include <stdio.h>\nint main(int c, char **w) { (void)c; return printf(w[0]); }\n' > format-c.c
printf '#include <cstdio>\nint main(int, char **w) { return std::printf(*w); }\n' > format-cpp.cpp
printf 'int main(int, char **w) { return *(w + 1) == nullptr; }\n' > pointer-cpp.cpp
call() { # function, code with `to` and `from`
  for language in c cpp; do
    refused="$refused $1-$language"
    printf '#include <stdio.h>\n#include <stdarg.h>\n#include <string.h>\nvoid f(char *to, const char *from, ...);\n' > "$1-$language.$language"
    printf 'void f(char *to, const char *from, ...) { %s }\nint main(void) { return 0; }\n' "$2" >> "$1-$language.$language"
  done
}
call strcpy 'strcpy(to, from);'
call strcat 'strcat(to, from);'
call sprintf 'sprintf(to, "%%s", from);'
call vsprintf 'va_list all; va_start(all, from); vsprintf(to, "%%d", all); va_end(all);'
echo 'add_executable(copy copy.c)' >> CMakeLists.txt
for file in right.c right.cpp $(for name in $refused; do echo "$name.${name##*-}"; done); do
  echo "add_executable(one_${file%.*}_${file##*.} EXCLUDE_FROM_ALL $file)" >> CMakeLists.txt
done

yes_of() { grep -q "\"$1\": *\"$2\"" report.json || fail "$compiler: $1 is not $2: $(cat report.json)"; }
for compiler in clang gcc; do
  rm -rf build
  case $compiler in gcc) export CC=gcc CXX=g++ ;; clang) export CC=clang CXX=clang++ ;; esac
  command -v "$CC" > /dev/null || { echo "$CC is missing" >&2; exit 77; }
  { cmake -B build -DCMAKE_BUILD_TYPE=RelWithDebInfo && cmake --build build; } > log 2>&1 || fail "$compiler: $(cat log)"
  [ "$(build/app)" = 'a of 1' ] || fail "$compiler: app does not run"
  [ "$(build/copy 8)" = 01234567 ] || fail "$compiler: 8 bytes do not fit"
  if (build/copy 9) > out 2>&1; then fail "$compiler: 9 bytes fit: $(cat out)"; fi
  grep -q 'buffer overflow detected' out || fail "$compiler: $(cat out)"
  for file in app copy; do
    checksec --format=json --file="build/$file" > report.json
    yes_of relro full; yes_of canary yes; yes_of nx yes; yes_of pie yes; yes_of fortify_source yes
  done
  if [ "$(uname -m)" = x86_64 ]; then
    for object in app.dir/main.cpp.o copy.dir/copy.c.o; do
      readelf -n "build/CMakeFiles/$object" | grep -q 'IBT, SHSTK' || fail "$compiler, $object: no IBT, SHSTK"
    done
  fi
done

# Clang refuses the same; the flags and clang-tidy are those of the build above.
build_one() { cmake --build build --target "one_$1" > log 2>&1; }
for target in right_c right_cpp; do
  build_one "$target" || fail "$target: $(cat log)"
done
for name in $refused; do
  if build_one "${name}_${name##*-}"; then fail "$name was built"; fi
  grep -Eq 'error:' log || fail "$name: $(cat log)"
done

# Without the flags, the same program has none of this.
gcc -O0 -U_FORTIFY_SOURCE -fno-stack-protector -no-pie copy.c -o plain
checksec --format=json --file=plain > report.json
compiler=none
yes_of pie no; yes_of canary no
