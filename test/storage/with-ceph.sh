#!/usr/bin/env bash
# test/storage/with-ceph.sh COMMAND…: runs a command with TEST_S3_URL, a bucket of Ceph's object gateway.
# One monitor, one OSD that keeps everything in memory, and the gateway, on this machine and as root, until the command
# ends. Debian 12: apt-get install --no-install-recommends ceph-mon ceph-mgr ceph-osd radosgw
set -euo pipefail

folder=$(mktemp -d /tmp/merlon-ceph-XXXXXX)
monitor="[v2:127.0.0.1:40300,v1:127.0.0.1:40301]"
gateway=127.0.0.1:40380
fsid=$(cat /proc/sys/kernel/random/uuid)
keys=$folder/keyring
export CEPH_ARGS="--conf $folder/ceph.conf"
as_root=(--setuser root --setgroup root)

stop() {
  [[ -n ${gateway_process:-} ]] && kill "$gateway_process" 2>/dev/null
  for service in osd.0 mgr.a mon.a; do
    [[ -f $folder/$service.pid ]] && kill "$(cat "$folder/$service.pid")" 2>/dev/null
  done
  wait
  rm -rf "$folder"
}
trap stop EXIT

mkdir "$folder"/{mon,mgr,osd,rgw}
cat >"$folder/ceph.conf" <<CONF
[global]
fsid = $fsid
mon initial members = a
mon host = $monitor
keyring = $keys
mon data = $folder/mon
mgr data = $folder/mgr
osd data = $folder/osd
rgw data = $folder/rgw
log file = $folder/\$name.log
pid file = $folder/\$name.pid
admin socket = $folder/\$name.asok
osd objectstore = memstore
memstore device bytes = 2147483648
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd crush chooseleaf type = 0
mon allow pool size one = true
[client.rgw]
rgw frontends = beast endpoint=$gateway
CONF

add_key() {
  ceph-authtool "$keys" --gen-key --name "$@" >/dev/null
}
ceph-authtool --create-keyring "$keys" >/dev/null
add_key mon. --cap mon 'allow *'
add_key client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
add_key client.rgw --cap mon 'allow rw' --cap osd 'allow rwx'
add_key mgr.a --cap mon 'allow profile mgr' --cap osd 'allow *'
add_key osd.0 --cap mon 'allow profile osd' --cap osd 'allow *'
monmaptool --create --addv a "$monitor" --fsid "$fsid" "$folder/monmap" >/dev/null

ceph-mon --mkfs --id a --monmap "$folder/monmap" --keyring "$keys" "${as_root[@]}"
ceph-mon --id a "${as_root[@]}"
ceph-mgr --id a "${as_root[@]}"
osd=$(cat /proc/sys/kernel/random/uuid)
ceph osd new "$osd" 0 >/dev/null
ceph-osd --mkfs --id 0 --osd-uuid "$osd" "${as_root[@]}" 2>>"$folder/osd.mkfs.log"
ceph-osd --id 0 "${as_root[@]}" 2>>"$folder/osd.start.log"
radosgw -f --name client.rgw "${as_root[@]}" >"$folder/rgw.out" 2>&1 &
gateway_process=$!
timeout 120 bash -c "until curl --silent --output /dev/null http://$gateway/; do sleep 0.5; done"

radosgw-admin user create --uid merlon --display-name Merlon --access-key merlon --secret merlon-secret >/dev/null 2>&1
node --input-type=module - "http://$gateway" <<'SCRIPT'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

const credentials = { accessKeyId: 'merlon', secretAccessKey: 'merlon-secret' };
const client = new S3Client({ endpoint: process.argv[2], region: 'us-east-1', forcePathStyle: true, credentials });
await client.send(new CreateBucketCommand({ Bucket: 'merlon' }));
SCRIPT
TEST_S3_URL="s3://merlon:merlon-secret@$gateway/merlon?tls=false" "$@"
