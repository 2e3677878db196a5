import { symlinkSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../../schemas/kit/codegen/load.ts';
import { AgentWorld } from './agent-world.ts';

/** The applets of busybox that OpenWrt 24.10 builds unless it is set otherwise, and that Debian's busybox has too. */
const APPLETS =
  'ash awk basename bunzip2 bzcat cat chgrp chmod chown chroot clear cmp cp cut date dd df dirname dmesg du echo egrep env expr false fgrep ' +
  'free fsync grep gunzip gzip head hexdump hwclock id ifconfig ip kill killall less ln logger ls md5sum mkdir mkfifo mknod mktemp mount mv nc ' +
  'netstat nice passwd pgrep pidof ping ping6 printf ps pwd readlink reset rm rmdir route sed seq sh sha256sum sleep sort start-stop-daemon strings ' +
  'sync sysctl tail taskset tee test time top touch traceroute traceroute6 true umount uname uniq uptime vi wc which xargs yes zcat';

/** What these applets do not take there: `find -exec … +`, classes of `tr`, keys of `sort`, and `--` of `nslookup`, which prints how it is used. */
const PLAIN = {
  find: 'for word in "$@"; do [ "$word" != + ] || { echo "find: unrecognized: +" >&2; exit 1; }; done; exec busybox find "$@"',
  tr: 'for word in "$@"; do case $word in *"[:"*) echo "tr: no classes" >&2; exit 1 ;; esac; done; exec busybox tr "$@"',
  nslookup: 'case $1 in -*) echo "Usage: nslookup [-type=QUERY_TYPE] HOST [DNS_SERVER]" >&2; exit 1 ;; esac; echo "Name: $1"',
  tcpdump: 'echo capturing; exec sleep 60',
  logread: 'echo a line of the log; case "$*" in *-f*) exec sleep 60 ;; esac',
};

async function startPlainAgent() {
  const stack = new AsyncDisposableStack();
  const world = stack.use(await AgentWorld.start());
  const [bin, root] = [join(world.folder, 'bin'), join(world.folder, 'root')];
  for (const folder of [bin, join(root, 'etc/config')]) await mkdir(folder, { recursive: true });
  for (const name of APPLETS.split(' ')) symlinkSync('/usr/bin/busybox', join(bin, name));
  // OpenWrt's tar takes lists of files (-T), Debian's busybox does not.
  for (const name of ['busybox', 'tar', 'mosquitto_sub', 'mosquitto_pub', 'curl']) symlinkSync(join('/usr/bin', name), join(bin, name));
  for (const [name, text] of Object.entries(PLAIN)) await writeFile(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  await writeFile(join(root, 'etc/config/system'), 'config system\n');
  const agent = await world.startAgent('/usr/bin/busybox sh', { PATH: bin, CANOPY_ROOT: root });
  return { world, root, agent, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const quoted = (words: readonly string[]): string => words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');

test(
  'with only the programs of OpenWrt the settings have a checksum that changes with them, and nothing is complained of',
  { timeout: 60_000 },
  async () => {
    await using place = await startPlainAgent();
    const { world, root, agent } = place;
    const sums = async (after: number) => {
      const { json } = await world.hear('the details', (m) => m.topic === 'up/details' && 'settings' in m.json, after);
      return String(json['settings']);
    };
    const first = await sums(0);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    await writeFile(join(root, 'etc/config/system'), 'config system other\n');
    const after = world.heard.length;
    expect(await world.command('c1', 'refresh')).toMatchObject({ state: 'ok' });
    expect(await sums(after)).not.toBe(first);
    await world.hear('a report', (m) => m.topic === 'up/status' && 'uptime' in m.json, world.heard.length);
    expect(agent.said()).not.toMatch(/not found|unrecognized|no classes|invalid option/);
  },
);

test(
  'with only the programs of OpenWrt the tools of the console work: a capture ends in time, the log is followed, names are looked up',
  { timeout: 60_000 },
  async () => {
    await using place = await startPlainAgent();
    const { world } = place;
    expect(await world.command('c1', 'run', "umask 077 && ulimit -f 4096 && timeout 2 tcpdump -i 'br-lan' -n")).toMatchObject({
      state: 'failed',
      code: 124,
      output: 'capturing\n',
    });
    expect(await world.command('c2', 'run', 'timeout 5 sh -c "echo done; exit 3"')).toMatchObject({ code: 3, output: 'done\n' });
    const steps = loadContract().forms['devices/network-tools']?.submit.job?.steps[0] ?? [];
    const tool = (...given: string[]) => quoted([...steps.slice(0, 4).map(String), ...given]);
    expect(await world.command('c3', 'watch', tool('follow', '', '', '', '2'))).toMatchObject({ code: 124, output: 'a line of the log\n' });
    expect(await world.command('c4', 'watch', tool('look-up', 'example.com', '', '', ''))).toMatchObject({
      state: 'ok',
      output: 'Name: example.com\n',
    });
    expect(await world.command('c5', 'send', 'what=backup\n')).toMatchObject({ state: 'ok' });
  },
);
