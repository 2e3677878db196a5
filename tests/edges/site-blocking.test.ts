import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../../schemas/kit/codegen/load.ts';

/** As `uci`, on a file with a line for each value. */
const UCI = `#!/bin/sh
[ "$1" != -q ] || shift
file=\${0%/*}/dhcp name=\${2%%=*}
case $1 in
  get) grep -F "$name=" "$file" | sed 's/^[^=]*=//' | tr '\\n' ' ' | grep . ;;
  set | add_list) printf '%s\\n' "$2" >>"$file" ;;
  del_list) grep -vxF "$2" "$file" >"$file.new"; mv "$file.new" "$file" ;;
  delete) awk -v name="$name" 'index($0, name "=") != 1 && index($0, name ".") != 1' "$file" >"$file.new"; mv "$file.new" "$file" ;;
esac
`;
const BEFORE = 'dhcp.@dnsmasq[0].confdir=/tmp/dnsmasq.d\ndhcp.@dnsmasq[0].address=/own.example/10.0.0.1\n';

function makeRouter() {
  const folder = mkdtempSync(join(tmpdir(), 'canopy-sites-'));
  writeFileSync(join(folder, 'uci'), UCI, { mode: 0o755 });
  writeFileSync(join(folder, 'dnsmasq'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(folder, 'dhcp'), BEFORE);
  writeFileSync(join(folder, 'agent.conf'), 'url=https://console.example.org:8443\nmqtt_host=mqtt.example.org\n');
  const env = { ...process.env, CANOPY_DIR: folder, PATH: `${folder}:${process.env['PATH']}` };
  const steps = loadContract().forms['devices/site-blocking']?.submit.job?.steps ?? [];
  return {
    /** Does what the form has a device do, but the restart of dnsmasq. */
    block(mode: string, ...hosts: string[]): void {
      for (const step of steps.slice(0, -1)) {
        const [program = '', ...words] = step.flatMap((word) => (word === '{hosts}' ? hosts : word === '{mode}' ? [mode] : [word]));
        const { status, stderr } = spawnSync(program, words, { env, encoding: 'utf8' });
        expect([status, stderr]).toEqual([0, '']);
      }
    },
    dhcp: () => readFileSync(join(folder, 'dhcp'), 'utf8'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

test('blocked sites are settings of dnsmasq beside its own, which stay, and are gone without a trace', () => {
  using router = makeRouter();
  router.block('deny', 'games.example.com', 'video.example.com');
  router.block('deny', 'video.example.com');
  expect(router.dhcp()).toBe(
    `${BEFORE}dhcp.canopy_sites=canopy\ndhcp.@dnsmasq[0].address=/video.example.com/\ndhcp.canopy_sites.address=/video.example.com/\n`,
  );
  router.block('off');
  expect(router.dhcp()).toBe(BEFORE);
});

test('where only some sites are allowed, the names of the server are among them', () => {
  using router = makeRouter();
  router.block('allow', 'school.example.com');
  const lines = router
    .dhcp()
    .split('\n')
    .filter((line) => line.startsWith('dhcp.@dnsmasq[0].'));
  for (const line of ['address=/#/', 'server=/school.example.com/#', 'server=/console.example.org/#', 'server=/mqtt.example.org/#'])
    expect(lines).toContain(`dhcp.@dnsmasq[0].${line}`);
  router.block('off');
  expect(router.dhcp()).toBe(BEFORE);
});
