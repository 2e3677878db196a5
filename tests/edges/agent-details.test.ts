import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDetails } from '../../server/features/device-channel/wire-details.ts';
import { killGroup, SHELLS } from './agent-machine.ts';
import { AgentWorld } from './agent-world.ts';

describe.each(SHELLS)('what the agent reports of its parts, under %s', (shell) => {
  test('comes after hello, at once with refresh and when it changed, the place alone where only that did; an output is switched by io', async () => {
    await using world = await AgentWorld.start();
    const pins = join(world.folder, 'pins');
    await writeFile(pins, 'din1 in digital 0\nrelay0 out relay 0\nacl0 in analog 12.5 mA\nbad;name in digital 1\n');
    const io = `f() { [ $# = 2 ] && sed -i "s/^$1 \\(.*\\) [01]$/$1 \\1 $2/" ${pins} || cat ${pins}; }; f`;
    await writeFile(join(world.folder, 'io'), `#!/bin/sh\n${io} "$@"\n`, { mode: 0o755 });
    await writeFile(join(world.folder, 'position'), '60.392990 5.324150 12 3 9 -\n');
    await world.startAgent(shell, {
      CANOPY_IO_COMMAND: join(world.folder, 'io'),
      CANOPY_POSITION_COMMAND: `cat ${join(world.folder, 'position')}`,
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
    expect(await world.command('p1', 'settings', 'report_seconds=5\n')).toMatchObject({ state: 'ok' });
    let after = world.heard.length;
    await writeFile(join(world.folder, 'position'), '60.397000 5.324150 12 3 9 40\n');
    await world.hear('its place, with or without the rest', isDetails, after);
    after = world.heard.length;
    await writeFile(join(world.folder, 'position'), '60.401000 5.324150 12 3 9 40\n');
    const moved = await world.hear('its place alone', (m) => isDetails(m) && m.json['only'] !== undefined, after);
    expect([Object.keys(moved.json), moved.json['only']]).toEqual([['position', 'only'], ['gps']]);
    expect(readDetails(moved.json).position).toMatchObject({ latitude: 60.401, speed: 40 });
    after = world.heard.length;
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

  test('a part with a period of its own comes that often and alone, and the others as before, also after a restart', async () => {
    await using world = await AgentWorld.start();
    const pins = join(world.folder, 'pins');
    await writeFile(pins, 'din1 in digital 0\n');
    await writeFile(join(world.folder, 'io'), `#!/bin/sh\ncat ${pins}\n`, { mode: 0o755 });
    const env = {
      CANOPY_IO_COMMAND: join(world.folder, 'io'),
      CANOPY_POSITION_COMMAND: 'echo 60.392990 5.324150 12 3 9 -',
    };
    const agent = await world.startAgent(shell, env);
    const of =
      (...only: string[]) =>
      (m: { topic: string; json: Record<string, unknown> }) =>
        m.topic === 'up/details' && JSON.stringify(m.json['only']) === JSON.stringify(only);
    const body = 'report_seconds=5\ngps_seconds=5\nio_seconds=9999\nwireless_seconds=1\nevil_seconds=7\n';
    expect(await world.command('p1', 'settings', body)).toMatchObject({ state: 'ok' });
    const isHello = (m: { topic: string; json: Record<string, unknown> }) =>
      m.topic === 'up/hello' && JSON.stringify(m.json['periods']) === '{"io":9999,"gps":5}';
    await world.hear('a hello with the periods', isHello);
    await world.hear('the position alone', of('gps'));
    await writeFile(pins, 'din1 in digital 1\n');
    const after = world.heard.length;
    const { json } = await world.hear('the position alone again', of('gps'), after);
    expect(Object.keys(json)).toEqual(['position', 'only']);
    killGroup(agent);
    const before = world.heard.length;
    await world.restartAgent(shell, env);
    await world.hear('the same hello', isHello, before);
    const all = await world.hear('everything after it', ({ topic }) => topic === 'up/details', before);
    expect(all.json['only']).toBeUndefined();
    expect(readDetails(all.json).pins?.[0]).toMatchObject({ state: 1 });
  });

  test('of two modems both are in the status and in the details', async () => {
    await using world = await AgentWorld.start();
    const tools = join(world.folder, 'tools');
    await mkdir(tools);
    const answers = 'case $which$1 in 1-q) echo -70 ;; 2-q) echo RSSI: -98; echo RSRP: -120 ;; 1-o) echo Telenor NO ;; 2-o) echo Telia N ;; ?-t) echo LTE ;; ?-g) echo registered, home ;; 1--opernum) echo 24201 ;; 2--cellid) echo 1A2B ;; ?-m) echo EG06 ;; 2-z) echo inserted ;; esac';
    await writeFile(join(tools, 'gsmctl'), `#!/bin/sh\nwhich=1\n[ "$1" = -O ] && { [ "$2" = 2-1 ] && which=2; shift 2; }\n${answers}\n`, { mode: 0o755 });
    await writeFile(join(tools, 'ubus'), `#!/bin/sh\n[ "$2$3" = gsmdget_modems ] && printf '{\\n\\t"modems": [\\n\\t\\t{\\n\\t\\t\\t"id": "3-1"\\n\\t\\t},\\n\\t\\t{\\n\\t\\t\\t"id": "2-1"\\n\\t\\t}\\n\\t]\\n}\\n'\n`, { mode: 0o755 });
    await world.startAgent(shell, { PATH: `${tools}:${process.env['PATH']}` });
    const { json } = await world.hear('a status', ({ topic, json: status }) => topic === 'up/status' && status['uptime'] !== undefined);
    expect(json).toMatchObject({ signal: -70, operator: 'Telenor NO', operator_number: '24201', signal_2: -98, rsrp_2: -120, operator_2: 'Telia N', connection_type_2: 'LTE', network_state_2: 'Home', cell_id_2: '1A2B' });
    const details = readDetails((await world.hear('details', ({ topic }) => topic === 'up/details')).json);
    expect(details.modems).toMatchObject([
      { name: '1', signal: -70, model: 'EG06', sim_state: null },
      { name: '2', signal: -98, operator: 'Telia N', cell_id: '1A2B', sim_state: 'inserted' },
    ]);
  }); // prettier-ignore

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
