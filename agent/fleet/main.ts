import { parseArgs } from 'node:util';
import { type FleetCounts, type FleetOptions, startFleet } from './fleet.ts';
import { isMood, isUpdateMood, MOODS, UPDATE_MOODS } from './device-behaviours.ts';

const USAGE = `npm run fleet -- --devices N --url http://127.0.0.1:8080 --code K7QM-2V9D-XR4T
  --seed TEXT           the same seed makes the same devices (default: a new fleet each time)
  --period SECONDS      report this often (default: as often as the server says)
  --moods default|good  a believable mix of troubles, or none (default: default)
  --mood MOOD           one for all: ${MOODS.join(', ')}; for updates ${UPDATE_MOODS.join(', ')}
  --connect-rate N      connections a second (default: 500)
  --state FILE          keep the credentials: the next start with it rejoins instead of enrolling`;

function readOptions(args: string[]): FleetOptions | undefined {
  const { values } = parseArgs({
    args,
    options: {
      devices: { type: 'string' },
      url: { type: 'string' },
      code: { type: 'string' },
      seed: { type: 'string' },
      period: { type: 'string' },
      moods: { type: 'string', default: 'default' },
      mood: { type: 'string' },
      'connect-rate': { type: 'string', default: '500' },
      state: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return undefined;
  const { url, code, seed, state, moods, mood } = values;
  if (url === undefined || code === undefined || values.devices === undefined) throw new Error('--devices, --url and --code are needed.');
  if (!URL.canParse(url)) throw new Error(`--url: "${url}" is no address.`);
  if (moods !== 'default' && moods !== 'good') throw new Error(`--moods: "${moods}" is neither default nor good.`);
  if (mood !== undefined && !isMood(mood) && !isUpdateMood(mood)) throw new Error(`--mood: "${mood}" is none.`);
  return {
    url,
    code,
    seed,
    state,
    moods: mood === undefined ? moods : isMood(mood) ? { [mood]: 1 } : 'good',
    ...(mood !== undefined && !isMood(mood) ? { updateMood: mood } : mood === 'good' ? { updateMood: mood } : {}),
    devices: wholeNumber('--devices', values.devices),
    periodSeconds: values.period === undefined ? undefined : wholeNumber('--period', values.period),
    connectRate: wholeNumber('--connect-rate', values['connect-rate']),
  };
}

function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Error(`${option}: "${text}" is no whole number above 0.`);
  return Number(text);
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) return console.log(USAGE);
  const show = ({ devices, enrolled, online }: FleetCounts) => console.log(`${enrolled} of ${devices} enrolled, ${online} online`);
  console.log(`Joining ${options.devices} simulated devices to ${options.url}`);
  const fleet = await startFleet({ ...options, onProgress: show });
  console.log(`The fleet is up (seed ${fleet.seed}). Stop it with Ctrl-C or: kill ${process.pid}`);
  const timer = setInterval(() => show(fleet.counts()), 60_000);
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  clearInterval(timer);
  await fleet.stop();
  console.log('All simulated devices said goodbye.');
}

main().catch((error: unknown) => {
  console.error(`fleet: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  process.exitCode = 1;
});
