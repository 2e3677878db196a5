import { layOutTree, type TreeItem } from '../../src/ui/tree/lay-out-tree.ts';
import { planChanges } from '../../server/features/device-api/changes.ts';
import type { ConfigDocument, DeviceSettings } from '../../schemas/kit/devices/configuration.ts';
import { median } from './measure.ts';
import { ms, type Benchmark, type Line } from '../report.ts';

const DEVICES = 1000;
const SECTIONS = 40;
const OPTIONS = 12;
const NODES = 500;
const HOSTS_OF_A_PORT = 24;
const ROUNDS = 7;

const names = Array.from({ length: OPTIONS }, (_, index) => `option${index}`);
const document: ConfigDocument = {
  title: { en: 'Sample' },
  sections: [
    {
      id: 'sample/things',
      title: { en: 'Things' },
      config: 'sample',
      type: 'thing',
      schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string', maxLength: 100 }])) },
      labels: {},
      secrets: [],
    },
  ],
};
const settingsOf = (device: number): DeviceSettings => ({
  sample: Array.from({ length: SECTIONS }, (_, index) => ({
    id: `s${index}`,
    type: 'thing',
    options: Object.fromEntries(names.map((name, at) => [name, String((device + index + at) % 3)])),
  })),
});

function timeOf(work: () => void): number {
  return median(
    Array.from({ length: ROUNDS }, () => {
      const start = performance.now();
      work();
      return performance.now() - start;
    }),
  );
}

async function run(report: (line: Line) => void): Promise<void> {
  const fleet = Array.from({ length: DEVICES }, (_, index) => settingsOf(index));
  const wanted = Object.fromEntries(names.map((name) => [name, '1']));
  const calls = Array.from({ length: SECTIONS }, (_, index) => ({
    call: { path: `/sample/things/config/s${index}`, method: 'put' as const, request_data: { data: wanted } },
    source: `configuration.${index}`,
  }));
  let differences = 0;
  const compared = timeOf(() => {
    differences = fleet.reduce((sum, settings) => sum + planChanges(document, settings, calls).differences.length, 0);
  });
  const on = `${DEVICES} devices, ${SECTIONS} sections of ${OPTIONS} options each, ${differences} differences`;
  report({ what: 'settings of a fleet compared with what they should be', on, ours: ms(compared), goal: '≤ 2 s' });
  const items = Array.from({ length: NODES }, (_, index): TreeItem => {
    return { id: `n${index}`, parent: index === 0 ? null : `n${Math.floor((index - 1) / HOSTS_OF_A_PORT)}` };
  });
  const laidOut = timeOf(() => void layOutTree(items));
  report({ what: 'a network map laid out', on: `${NODES} nodes`, ours: ms(laidOut), goal: '≤ 1 s' });
}

export const benchmark: Benchmark = { name: 'configuration', title: 'Configuration and network maps', run };
