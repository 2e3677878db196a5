import { startFleet } from '../../agent/fleet/fleet.ts';
import { mib, ms, type Benchmark } from '../report.ts';
import { median } from './measure.ts';
import { addEntries, BenchSession, devicesOnline, startRemoteWorld } from './remote-world.ts';

/** One person may have so many sessions at once. */
const SHELLS = 20;
/** In each of three shells: a simulated one takes lines of 200 characters. */
const KEYS = 180;
const PROMPT = '# ';

export const benchmark: Benchmark = {
  name: 'remote',
  title: 'Remote access to simulated devices through their tunnels',
  async run(report) {
    await using world = await startRemoteWorld();
    const fleet = await startFleet({ url: world.server.url, code: world.code, devices: SHELLS, moods: 'good', seed: 'remote' });
    try {
      const devices = await devicesOnline(world, SHELLS);
      const entries = await addEntries(world, devices, { name: 'Shell', destination_port: 23, protocol: 'telnet' });
      const before = await world.server.reset();
      const shells: BenchSession[] = [];
      const prompts: number[] = [];
      for (const entry of entries) {
        const begun = performance.now();
        const shell = await BenchSession.open(world, entry);
        await shell.shown(PROMPT);
        prompts.push(performance.now() - begun);
        shells.push(shell);
      }
      const on = `${shells.length} devices, server and fleet on the same cores`;
      report({
        what: 'from the call for a session to the prompt, with a sleeping tunnel',
        on,
        ours: `${ms(median(prompts))}, at most ${ms(Math.max(...prompts))}`,
        goal: '500 ms',
      });
      const after = await world.server.read();
      report({
        what: 'memory of the server for each open shell and its tunnel',
        on,
        ours: mib((after.rssMiB - before.rssMiB) / shells.length),
        goal: 'stated',
      });
      const times: number[] = [];
      for (const shell of shells.slice(0, 3))
        for (let count = 0; count < KEYS; count += 1) times.push(await shell.typeKey('abcdefghij'[count % 10] ?? 'a'));
      times.sort((left, right) => left - right);
      report({
        what: 'from a key to its echo in the browser’s socket, without painting',
        on: `${times.length} keys through a tunnel`,
        ours: `p50 ${ms(median(times))}, p95 ${ms(times[Math.floor(times.length * 0.95)] ?? 0)}`,
        goal: 'p50 4 ms, p95 12 ms with painting',
      });
      await Promise.all(shells.map((shell) => shell.close()));
    } finally {
      await fleet.stop();
    }
  },
};
