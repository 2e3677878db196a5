import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makePathWithout, SHELLS } from './agent-machine.ts';
import { AgentWorld } from './agent-world.ts';
import { UCI } from './openwrt-doubles.ts';

const SYSTEM = "system.main=system\nsystem.main.hostname='quay-04'\nsystem.main.log_size='64'\n";

/** A router whose flash is 256 KB, with the agent on it. */
async function startRouter(shell: string) {
  const stack = new AsyncDisposableStack();
  const world = stack.use(await AgentWorld.start());
  world.reportSeconds = 60;
  const flash = join(world.folder, 'canopy');
  mkdirSync(flash);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', flash]);
  stack.defer(() => void execFileSync('umount', ['--lazy', flash]));
  const [root, bin, staged] = [join(flash, 'root'), join(world.folder, 'uci'), join(world.folder, 'staged')];
  for (const path of [join(root, 'etc/config'), bin, staged]) mkdirSync(path, { recursive: true });
  writeFileSync(join(root, 'etc/config/system'), SYSTEM);
  writeFileSync(join(bin, 'uci'), UCI, { mode: 0o755 });
  const env = { CANOPY_ROOT: root, CANOPY_RUN: join(world.folder, 'ram'), CANOPY_STAGED: staged, CANOPY_APPLY_COMMAND: 'true' };
  await world.startAgent(shell, { ...env, PATH: `${bin}:${process.env['PATH']}` });
  const filler = join(flash, 'filler');
  return {
    world,
    staged,
    config: join(root, 'etc/config'),
    settings: () => readFileSync(join(root, 'etc/config/system'), 'utf8'),
    credentials: () => readFileSync(join(flash, 'agent.conf'), 'utf8'),
    fill(): void {
      for (const size of [4096, 1])
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(size));
        } catch {
          // It is full.
        }
    },
    makeRoom: () => rmSync(filler),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

describe.each(SHELLS)('a router whose flash is full, with %s', (shell) => {
  test('keeps its credentials and settings, says how much room is missing, and still answers', async () => {
    await using router = await startRouter(shell);
    const { world } = router;
    const before = router.credentials();
    router.fill();
    expect(await world.command('c1', 'settings', 'report_seconds=30\n')).toMatchObject({
      state: 'failed',
      message: 'No room for the settings: 0 KB free',
    });
    expect(router.credentials()).toBe(before);
    expect(await world.command('c2', 'configure', 'config=system\ndo=set system.main.hostname=mast\n')).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/^No room: 0 KB free, \d+ KB needed$/),
    });
    expect(router.settings()).toBe(SYSTEM);
    expect(await world.command('c3', 'run', 'echo hello')).toMatchObject({ state: 'ok', output: 'hello\n' });
    const answered = world.heard.length;
    await world.command('c3', 'run', 'echo hello');
    expect(
      world.heard.slice(answered).filter(({ json }) => json['id'] === 'c3' && json['state'] === 'running'),
      'it is not done a second time',
    ).toEqual([]);
    router.makeRoom();
    expect(await world.command('c4', 'settings', 'report_seconds=30\n')).toMatchObject({ state: 'ok' });
    expect(router.credentials()).toContain('report_seconds=30');
    expect(await world.command('c5', 'configure', 'config=system\ndo=set system.main.hostname=mast\n')).toMatchObject({ state: 'ok' });
    expect(router.settings()).toBe(SYSTEM.replace('quay-04', 'mast'));
  });

  test('has its former settings back when uci empties a file and says that it did well', async () => {
    await using router = await startRouter(shell);
    writeFileSync(join(router.config, 'loses'), '');
    expect(await router.world.command('c1', 'configure', 'config=system\ndo=set system.main.hostname=mast\n')).toMatchObject({
      state: 'failed',
      message: expect.stringMatching(/^The former settings are in force: system could not be written \(\d+ KB are free\)$/),
    });
    expect(router.settings()).toBe(SYSTEM);
  });

  test('what a person has staged and not committed is neither committed with a change nor lost', async () => {
    await using router = await startRouter(shell);
    const draft = "system.main.log_size='999'\n";
    writeFileSync(join(router.staged, 'system'), draft);
    expect(await router.world.command('c1', 'configure', 'config=system\ndo=set system.main.hostname=mast\n')).toMatchObject({
      state: 'ok',
    });
    expect(router.settings()).toBe(SYSTEM.replace('quay-04', 'mast'));
    expect(readFileSync(join(router.staged, 'system'), 'utf8')).toBe(draft);
  });
});

test('a stock OpenWrt joins by uclient-fetch, which takes no 201 for a success', async () => {
  await using world = await AgentWorld.start();
  const bin = await makePathWithout(join(world.folder, 'bin'), ['curl', 'wget', 'uclient-fetch']);
  const fetch = `#!/bin/sh
[ "$1" != --help ] || { echo '--post-file=FILE --header=HEADER' >&2; exit 1; }
for word in "$@"; do case $word in --header=*) set -- "$@" -H "\${word#--header=}" ;; --post-file=*) body=\${word#--post-file=} ;; -O) next=1 ;; http*) url=$word ;; *) [ -z "$next" ] || { file=$word; next=; } ;; esac; done
code=$(${execFileSync('sh', ['-c', 'command -v curl']).toString().trim()} -s -o "$file" -w '%{http_code}' -H 'Accept: text/plain' --data-binary "@$body" "$url")
case $code in 200 | 204 | 206) ;; *) rm -f "$file"; echo "HTTP error $code" >&2; exit 8 ;; esac
`;
  writeFileSync(join(bin, 'uclient-fetch'), fetch, { mode: 0o755 });
  const joining = world.runAgent(['join', '--url', world.url, '--code', 'RIGHT'], 'busybox sh', { PATH: bin });
  const [code] = await once(joining, 'exit');
  expect([code, joining.said()]).toEqual([0, expect.stringContaining('joined as')]);
  expect(existsSync(join(world.folder, 'canopy/agent.conf'))).toBe(true);
});
