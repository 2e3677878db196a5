import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Doubles of programs of OpenWrt 24.10 that behave as the real ones were measured. One that is kinder than its model hides faults.
 */

/**
 * As `uci`: what is staged in its usual folder is read and committed whatever folder `-t` names, and on a full flash `commit` ends with 0 and leaves an
 * empty file. Settings are kept as `uci show` prints them, a line each.
 */
export const UCI = `#!/bin/sh
[ "$2" = -c ] || exit 1
folder=$3 stage=$5
shift 5
[ "$1" != -X ] || shift
name=\${2%%.*}
name=\${name%%=*}
all() { cat "$folder/$name" "$CANOPY_STAGED/$name" "$stage/$name" 2>/dev/null | awk -F= '
  /^-/ { gone = substr($0, 2); for (key in value) if (key == gone || index(key, gone ".") == 1) delete value[key]; next }
  !($1 in order) { order[$1] = ++n; names[n] = $1 } { value[$1] = $0 }
  END { for (i = 1; i <= n; i++) if (names[i] in value) print value[names[i]] }'; }
case $1 in
  show) all ;;
  get) all | sed -n "s/^$2='\\\\(.*\\\\)'$/\\\\1/p" | grep . ;;
  set) printf '%s=%s\\n' "\${2%%=*}" "'\${2#*=}'" >>"$stage/$name" ;;
  delete) all | grep -q "^$2[.=]" && printf -- '-%s\\n' "$2" >>"$stage/$name" ;;
  commit)
    text=$(all)
    rm -f "$stage/$name" "$CANOPY_STAGED/$name"
    printf '%s\\n' "$text" >"$folder/$name" 2>/dev/null
    [ ! -e "$folder/loses" ] || : >"$folder/$name"
    exit 0
    ;;
esac
`;

/** As `reload_config`: it only posts an event. procd waits a second before it has netifd read its settings, and ends with 0 in any case. */
const RELOAD_CONFIG = `#!/bin/sh
{ sleep 1; exec "\${0%/*}/netifd"; } </dev/null >/dev/null 2>&1 &
exit 0
`;

/**
 * As netifd reloads: takes each static interface of the settings as it is, and one whose address is none goes down with INVALID_ADDRESS, while uci and
 * reload_config have said that all is well.
 */
const NETIFD = `#!/bin/sh
config=$CANOPY_ROOT/etc/config/network
value() { sed -n "s/^network\\\\.$1\\\\.$2='\\\\(.*\\\\)'$/\\\\1/p" "$config"; }
comma=''
{
  printf '{\\n\\t"interface": ['
  for name in $(sed -n 's/^network\\.\\([a-z0-9]*\\)=interface$/\\1/p' "$config"); do
    device=$(value "$name" device) address=$(value "$name" ipaddr) gateway=$(value "$name" gateway) code='' up=true
    ip addr flush dev "$device" || code=NO_DEVICE
    if [ "$(value "$name" proto)" = static ]; then
      printf '%s\\n' "$address" | awk -F. 'NF != 4 { exit 1 } { for (i = 1; i <= 4; i++) if ($i > 255) exit 1 }' || code=INVALID_ADDRESS
      [ -n "$code" ] || ip addr add "$address/24" dev "$device" || code=SETUP_FAILED
      [ -n "$code" ] || [ -z "$gateway" ] || ip route replace default via "$gateway" dev "$device"
    fi
    [ -z "$code" ] || up=false
    printf '%s\\n\\t\\t{\\n\\t\\t\\t"interface": "%s",\\n\\t\\t\\t"up": %s,\\n\\t\\t\\t"pending": false,\\n\\t\\t\\t"available": true,\\n\\t\\t\\t"autostart": true,\\n' "$comma" "$name" "$up"
    printf '\\t\\t\\t"proto": "static",\\n\\t\\t\\t"device": "%s",\\n\\t\\t\\t"ipv4-address": [\\n\\t\\t\\t\\t{\\n\\t\\t\\t\\t\\t"address": "%s",\\n\\t\\t\\t\\t\\t"mask": 24\\n\\t\\t\\t\\t}\\n\\t\\t\\t],\\n' "$device" "$address"
    printf '\\t\\t\\t"data": {\\n\\t\\t\\t\\t\\n\\t\\t\\t}'
    [ -z "$code" ] || printf ',\\n\\t\\t\\t"errors": [\\n\\t\\t\\t\\t{\\n\\t\\t\\t\\t\\t"subsystem": "proto",\\n\\t\\t\\t\\t\\t"code": "%s"\\n\\t\\t\\t\\t}\\n\\t\\t\\t]' "$code"
    printf '\\n\\t\\t}'
    comma=,
  done
  printf '\\n\\t]\\n}\\n'
} >"\${0%/*}/dump.new" 2>/dev/null
mv "\${0%/*}/dump.new" "\${0%/*}/dump"
`;

const UBUS = `#!/bin/sh
[ "$1 $2 $3" = 'call network.interface dump' ] && exec cat "\${0%/*}/dump"
echo 'Command failed: Not found' >&2
exit 4
`;

/** Puts the doubles into a folder for the PATH; `netifd` there is what reads the settings. */
export function writeDoubles(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries({ uci: UCI, reload_config: RELOAD_CONFIG, netifd: NETIFD, ubus: UBUS }))
    writeFileSync(join(folder, name), text, { mode: 0o755 });
}
