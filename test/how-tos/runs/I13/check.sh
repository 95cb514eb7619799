set -eu
command -v javac > /dev/null || { echo 'javac is missing' >&2; exit 77; }
mv block_1.java Tokens.java
rm -f block_*.java
javac -d out *.java
java -ea -cp out Check
