set -eu
. support/go.sh
go_module 1.24
mv block_1.go subject.go
mkdir templates
mv block_2.html templates/profile.html
printf '{{ .Name }} and {{ .Missing }}' > templates/broken.html
go test ./...
