import type { Page } from 'playwright';
import { startFleet } from '../../agent/fleet/fleet.ts';
import { freePort } from '../../tests/helpers/free-port.ts';
import { until } from '../../tests/helpers/until.ts';
import { ms, type Benchmark, type Line } from '../report.ts';
import { median } from '../server/measure.ts';
import { makeConsoleWorld } from './console-world.ts';

const KEYS = 150;
/** A picture as soon as there is something to show: the screen's own rate would be most of what is measured. */
const FREE_FRAMES = ['--disable-frame-rate-limit', '--disable-gpu-vsync'];

/** Keeps, for each key, the milliseconds from its event until one more of its letters is in the terminal. */
async function watchKeys(page: Page): Promise<void> {
  await page.evaluate(() => {
    const rows = document.querySelector('.xterm-rows');
    const times: number[] = [];
    Object.assign(globalThis, { keyTimes: times });
    addEventListener(
      'keydown',
      ({ key }) => {
        const start = performance.now();
        const count = (): number => rows?.textContent.split(key).length ?? 0;
        const before = count();
        const observer = new MutationObserver(() => {
          if (count() === before) return;
          observer.disconnect();
          times.push(performance.now() - start);
        });
        if (rows) observer.observe(rows, { childList: true, subtree: true, characterData: true });
      },
      true,
    );
  });
}

const keyTimes = (page: Page): Promise<number[]> => page.evaluate(() => (globalThis as unknown as { keyTimes: number[] }).keyTimes);

async function run(report: (line: Line) => void): Promise<void> {
  const env = { TUNNEL_PORT: String(await freePort()), REMOTE_PORT: String(await freePort()), TUNNEL_PUBLIC_HOST: '127.0.0.1' };
  await using world = await makeConsoleWorld({ env, flags: FREE_FRAMES });
  const { api } = world;
  await using _fleet = await startFleet({ url: world.url, code: await world.makeCode(1), devices: 1, moods: 'good', seed: 'bench' });
  const device_id = await until(
    'the device to be online',
    async () => (await api.call<{ id: number }[]>('GET', '/devices?status=online'))[0]?.id,
  );
  const entry = { device_id, name: 'Shell', destination_ip: '127.0.0.1', destination_port: 23, protocol: 'telnet' };
  const { id } = await api.call<{ id: number[] }>('POST', '/devices/remote-access', { data: [entry] });
  await api.call('POST', '/storage', { key: 'prompt.remote-cost', value: 'What a session costs' });
  const context = await world.coldContext();
  const page = await context.newPage();
  await page.goto(`${world.url}/rms-connect/telnet?entry=${id[0]}`);
  await page.locator('.xterm-rows').getByText('# ').first().waitFor();
  await page.locator('.xterm-screen').click();
  await watchKeys(page);
  for (let count = 0; count < KEYS; count += 1) {
    await page.keyboard.press('q');
    await page.waitForFunction((wanted) => (globalThis as unknown as { keyTimes: number[] }).keyTimes.length === wanted, count + 1);
  }
  const times = (await keyTimes(page)).toSorted((left, right) => left - right);
  report({
    what: 'from a key to its echo in the terminal of the page',
    on: `${times.length} keys to a simulated device through its tunnel, everything on the same cores`,
    ours: `p50 ${ms(median(times))}, p95 ${ms(times[Math.floor(times.length * 0.95)] ?? 0)}`,
    goal: 'p50 4 ms, p95 12 ms',
  });
  await context.close();
}

export const benchmark: Benchmark = { name: 'terminal', title: 'Typing into a terminal in the browser', run };
