# Debian: openjdk-21-jdk-headless, libcommons-compress-java 1.27.
set -eu
command -v javac > /dev/null || { echo 'javac is missing' >&2; exit 77; }
jars=/usr/share/java
[ -e $jars/commons-compress.jar ] || { echo 'commons-compress is missing' >&2; exit 77; }
classes=$jars/commons-compress.jar:$jars/commons-io.jar:$jars/commons-lang3.jar
# A hundredth of the sizes takes a hundredth of the time.
sed -e 's/= 500_000_000;/= 5_000_000;/' -e 's/= 100_000_000;/= 1_000_000;/' block_1.java > Unpacker.java
rm block_1.java
mkdir temporary
javac -cp $classes -d out *.java
java -ea -Djava.io.tmpdir="$PWD/temporary" -cp out:$classes Check
