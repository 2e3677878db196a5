import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDetails } from '../../server/features/device-channel/wire-details.ts';
import { SHELLS } from './agent-machine.ts';
import { AgentWorld } from './agent-world.ts';

describe.each(SHELLS)('what the agent tells of its parts, under %s', (shell) => {
  test('comes after hello, at once with refresh and when it changed; an output is switched by io', async () => {
    await using world = await AgentWorld.start();
    const pins = join(world.folder, 'pins');
    await writeFile(pins, 'din1 in digital 0\nrelay0 out relay 0\nacl0 in analog 12.5 mA\nbad;name in digital 1\n');
    const io = `f() { [ $# = 2 ] && sed -i "s/^$1 \\(.*\\) [01]$/$1 \\1 $2/" ${pins} || cat ${pins}; }; f`;
    await writeFile(join(world.folder, 'io'), `#!/bin/sh\n${io} "$@"\n`, { mode: 0o755 });
    await world.startAgent(shell, {
      CANOPY_IO_COMMAND: join(world.folder, 'io'),
      CANOPY_POSITION_COMMAND: 'echo 60.392990 5.324150 12 3 9 -',
    });
    const isDetails = (m: { topic: string }) => m.topic === 'up/details';
    const first = readDetails((await world.hear('details', isDetails)).json);
    expect(first.position).toMatchObject({ latitude: 60.39299, longitude: 5.32415, satellites: 9, speed: null });
    expect(first.pins).toEqual([
      { name: 'din1', direction: 'in', kind: 'digital', state: 0, unit: null },
      { name: 'relay0', direction: 'out', kind: 'relay', state: 0, unit: null },
      { name: 'acl0', direction: 'in', kind: 'analog', state: 12.5, unit: 'mA' },
    ]);
    expect(first.interfaces?.length).toBeGreaterThan(0);
    let after = world.heard.length;
    expect(await world.command('r1', 'refresh')).toMatchObject({ state: 'ok' });
    await world.hear('details after refresh', isDetails, after);
    after = world.heard.length;
    expect(await world.command('i1', 'io', 'pin=relay0\nstate=1\n')).toMatchObject({ state: 'ok', message: 'relay0 is on' });
    const switched = readDetails((await world.hear('details after io', isDetails, after)).json);
    expect(switched.pins?.[1]).toMatchObject({ name: 'relay0', state: 1 });
    expect(await readFile(pins, 'utf8')).toContain('relay0 out relay 1');
    expect(await world.command('i2', 'io', 'pin=din1\nstate=1\n')).toMatchObject({ state: 'failed', message: 'There is no output din1' });
    expect(await world.command('i3', 'io', 'pin=relay0;reboot\nstate=1\n')).toMatchObject({ state: 'failed' });
  });

  test('switches pins that are exported in sysfs', async () => {
    await using world = await AgentWorld.start();
    const pin = join(world.folder, 'gpio/gpio17');
    await mkdir(pin, { recursive: true });
    await writeFile(join(pin, 'direction'), 'out\n');
    await writeFile(join(pin, 'value'), '0\n');
    await world.startAgent(shell, { CANOPY_GPIO: join(world.folder, 'gpio') });
    expect(await world.command('g1', 'io', 'pin=gpio17\nstate=1\n')).toMatchObject({ state: 'ok' });
    expect(await readFile(join(pin, 'value'), 'utf8')).toBe('1\n');
  });
});
