# Debian: openjdk-21-jdk-headless. Maven and Log4j are not run.
set -eu
for command in javac jar; do
  command -v $command > /dev/null || { echo "$command is missing" >&2; exit 77; }
done
internal='--add-modules jdk.naming.rmi --add-exports jdk.naming.rmi/com.sun.jndi.rmi.registry=ALL-UNNAMED'
javac -d out $internal $(find src -name '*.java')
jar --create --file app.jar --main-class Check -C out .
java $internal -cp out Directory > port &
trap 'kill $!' EXIT
while [ ! -s port ] && kill -0 $!; do sleep 0.1; done
RMI_PORT=$(cat port)
export RMI_PORT
bash block_1.bash
# The attacks work where the options permit every factory.
sed "s/'[^']*\*'/'*'/" block_1.bash > open.bash
OPEN=yes bash open.bash
# Each option alone: where it permits every factory, this check fails.
for name in jndi.object jndi.ldap jndi.rmi; do
  sed "/jdk\.$name/s/'[^']*\*'/'*'/" block_1.bash > weak.bash
  if bash weak.bash 2> problem; then echo "$name is not needed" >&2; exit 1; fi
  grep -q 'AssertionError' problem
done
