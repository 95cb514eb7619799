set -eu
. support/rust.sh
mkdir templates
mv block_*.html templates/profile.html
mv block_*.bash templates.sh
rust_package block_1.toml
cargo run --quiet
searches() { while read -r line; do case $line in '!'*) eval "$line" || return 1 ;; esac done < templates.sh; }
searches || { echo 'The searches report the template.' >&2; exit 1; }
for bad in '{{ name|safe }}' '<a href={{ name }}>' '<a href="{{ name }}">' '<script>let n = "{{ name }}"</script>' \
  '<p onclick="f()">' '<style>p { color: {{ name }} }</style>' '{{ name|e("none") }}'; do
  printf '%s\n' "$bad" > templates/bad.html
  ! searches > found || { echo "The searches accept $bad" >&2; exit 1; }
done
rm templates/bad.html
printf '#[template(path = "x.html", escape = "none")]\n' > src/bad.rs
! searches > found
