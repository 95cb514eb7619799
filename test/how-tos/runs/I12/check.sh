# Debian: openjdk-21-jdk-headless, poppler-utils.
set -eu
for command in javac pdftotext strace; do
  command -v $command > /dev/null || { echo "$command is missing" >&2; exit 77; }
done
mkdir uploads temporary
sed "s#/srv/app/uploads#$PWD/uploads#" block_1.java > PdfText.java
rm block_1.java
javac -d out *.java
SECRET=hunter2 strace -f -qq -s 200 -v -e trace=execve -o started.txt java -ea -Djava.io.tmpdir="$PWD/temporary" -cp out Check
# One program, without a shell and without the secret.
programs=$(grep -c 'execve("/usr/bin/pdftotext".*= 0' started.txt)
[ "$programs" = 2 ] || { echo "$programs programs were started" >&2; exit 1; }
if grep -qE 'execve\("[^"]*/(sh|bash|id)"' started.txt; then echo 'A shell was started' >&2; exit 1; fi
if grep 'execve("/usr/bin/pdftotext"' started.txt | grep -q hunter2; then
  echo 'The program has the secret' >&2
  exit 1
fi
