import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventually, killGroup, makePathWithout, SHELLS } from './agent-machine.ts';
import { AgentWorld, commandText, type Heard } from './agent-world.ts';
import { OpenWrtRouter } from './openwrt-router.ts';

const UNREACHABLE = '10.251.0.5';
const GOES_BACK = 'Rolled back by itself: the configuration was not confirmed in time';
/** So long a router has in these tests for coming back. */
const SECONDS = 12;

const change = (interfaceName: string, address: string): string =>
  `confirm_seconds=${SECONDS}\nconfig=network\ndo=set network.${interfaceName}.ipaddr=${address}\n`;

async function startRouter(shell: string) {
  const stack = new AsyncDisposableStack();
  const world = stack.use(await AgentWorld.start());
  world.reportSeconds = 3600; // the way back waits for no report
  // Most OpenWrt devices have no stdbuf: their agent sees in another way that it is connected.
  const path =
    shell === 'sh' ? process.env['PATH'] : await makePathWithout(join(world.folder, 'bin'), ['stdbuf', 'cksum', 'timeout', 'od']);
  const router = stack.use(new OpenWrtRouter(world.folder, join(world.folder, 'canopy'), path));
  await once(world.runAgent(['join', '--url', world.url, '--code', 'K7QM-2V9D'], shell, router.env), 'exit');
  await router.reach(world.mqttPort);
  const agent = router.start(shell);
  await world.hello();
  return { world, router, agent, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const isResult = (id: string) => (message: Heard) =>
  message.topic === 'up/result' && message.json['id'] === id && message.json['state'] !== 'running';

describe.each(SHELLS)('settings of an OpenWrt router under %s', { timeout: 120_000 }, (shell) => {
  test('that cut it off from the server go back by themselves, and what it answers is that they did', async () => {
    await using place = await startRouter(shell);
    const { world, router } = place;
    const former = router.settings();
    const after = world.heard.length;
    await world.send(commandText('c1', 'configure', change('wan', UNREACHABLE), { timeout: 120 }));
    await eventually('it has the wrong address', () => router.addressOf('wan') === UNREACHABLE);
    await eventually('it has its former address', () => router.addressOf('wan') === router.addresses[0]);
    expect(router.settings()).toBe(former);
    expect((await world.result('c1', after)).json).toMatchObject({ state: 'failed', message: GOES_BACK });
    const kept = world.heard.slice(after);
    const hello = kept.findIndex(({ topic }) => topic === 'up/hello');
    expect(hello).toBeGreaterThan(-1);
    expect(kept.findIndex(isResult('c1'))).toBeGreaterThan(hello);
    expect(kept.filter(({ json }) => json['state'] === 'ok')).toEqual([]);
    expect(router.isWaiting()).toBe(false);
    expect(await world.command('c2', 'confirm', 'required=1\n')).toMatchObject({ state: 'failed' });
  });

  test('that leave it connected are answered in a session that it opened after them, and confirmed there', async () => {
    await using place = await startRouter(shell);
    const { world, router } = place;
    const after = world.heard.length;
    await world.send(commandText('c1', 'configure', change('wan', router.addresses[1]), { timeout: 120 }));
    expect((await world.result('c1', after)).json).toMatchObject({ state: 'ok', message: 'Settings changed' });
    const kept = world.heard.slice(after);
    const [goodbye, hello, result] = [
      kept.findIndex(({ json }) => json['online'] === false),
      kept.findIndex(({ topic }) => topic === 'up/hello'),
      kept.findIndex(isResult('c1')),
    ];
    expect([goodbye >= 0, hello > goodbye, result > hello]).toEqual([true, true, true]);
    expect(router.isWaiting()).toBe(true);
    expect(await world.command('c2', 'confirm', 'required=1\n')).toMatchObject({ state: 'ok', message: 'Confirmed' });
    expect([router.isWaiting(), router.addressOf('wan')]).toEqual([false, router.addresses[1]]);
  });

  test('that netifd does not take are undone at once, in its own words', async () => {
    await using place = await startRouter(shell);
    const { world, router } = place;
    const former = router.settings();
    const after = world.heard.length;
    await world.send(commandText('c1', 'configure', change('lan', '299.1.1.1'), { timeout: 120 }));
    await eventually('netifd has dropped the address', () => router.addressOf('br-lan') === undefined);
    await eventually('it has its former address', () => router.addressOf('br-lan') === '192.168.1.1');
    expect((await world.result('c1', after)).json).toMatchObject({
      state: 'failed',
      message: 'The former settings are in force: lan: INVALID_ADDRESS',
    });
    expect([router.settings(), router.isWaiting()]).toEqual([former, false]);
  });

  test('that are not confirmed when its power fails go back after the next start', async () => {
    await using place = await startRouter(shell);
    const { world, router, agent } = place;
    const former = router.settings();
    const after = world.heard.length;
    await world.send(commandText('c1', 'configure', change('wan', UNREACHABLE), { timeout: 120 }));
    await eventually('it has the wrong address', () => router.addressOf('wan') === UNREACHABLE);
    const ended = once(agent, 'exit');
    killGroup(agent);
    await ended;
    router.boot();
    router.start(shell);
    await eventually('it has its former address', () => router.addressOf('wan') === router.addresses[0]);
    expect(router.settings()).toBe(former);
    expect((await world.result('c1', after)).json).toMatchObject({ state: 'failed' });
    expect(router.isWaiting()).toBe(false);
  });
});
