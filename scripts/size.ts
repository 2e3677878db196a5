import { execFileSync } from 'node:child_process';

/*
 * Lines and files of the product at two commits: `node scripts/size.ts <before> <after>`. Counted are TypeScript, CSS, SQL and shell of the console, the
 * server, the kit, the resources and the agent; tests and what serves them, generated files, texts and JSON are not.
 */

const PRODUCT = ['src', 'server', 'schemas', 'resources', 'resources.config.ts', 'agent'];
const COUNTED = /\.(?:tsx?|css|sql|mjs)$|^agent\/[\w-]+$/;
const LEFT_OUT = /\.test\.tsx?$|\.d\.ts$|\/test-(?:kit|api|server|setup)\b|test-setup|\/_generated\/|\/locales\//;
/** Parts of `domain`, `engine` and `ui` that came with rooms. */
const CAME_WITH_ROOMS =
  /^(?:server\/domain\/(?:maintenance-windows|on-call|places|plans|remote|signatures|webhooks)|server\/edges\/(?:vpn|tunnel|ssh|images)|server\/vpn-helper|src\/engine\/(?:remote|rooms|json|readings)|src\/ui\/(?:map|tree|charts|code|docs))\//;
const SMALL = 30;

type Sizes = ReadonlyMap<string, number>;

function readSizes(commit: string): Sizes {
  const output = execFileSync('git', ['grep', '-c', '', commit, '--', ...PRODUCT], { encoding: 'utf8', maxBuffer: 1e9 });
  const sizes = new Map<string, number>();
  for (const line of output.trim().split('\n')) {
    const [, path = '', count] = /^[^:]+:(.+):(\d+)$/.exec(line) ?? [];
    if (COUNTED.test(path) && !LEFT_OUT.test(path)) sizes.set(path, Number(count));
  }
  return sizes;
}

const roomOf = (path: string): string | undefined => /^(?:server|src)\/features\/[^/]+/.exec(path)?.[0];

function describe(sizes: Sizes, isMeant: (path: string) => boolean): string {
  const lines = [...sizes].filter(([path]) => isMeant(path)).map(([, count]) => count);
  const [sum, small] = [lines.reduce((total, count) => total + count, 0), lines.filter((count) => count < SMALL).length];
  const median = lines.toSorted((a, b) => a - b)[Math.floor(lines.length / 2)] ?? 0;
  return `${sum.toLocaleString('en')} in ${lines.length.toLocaleString('en')} files · ${small} (${Math.round((100 * small) / Math.max(1, lines.length))} %) · ${median}`;
}

const [before = 'HEAD~100', after = 'HEAD'] = process.argv.slice(2);
const [former, present] = [readSizes(before), readSizes(after)];
const formerRooms = new Set([...former.keys()].map(roomOf));
const isShared = (path: string): boolean => roomOf(path) === undefined && !CAME_WITH_ROOMS.test(path);
const isFormerRoom = (path: string): boolean => formerRooms.has(roomOf(path)) && roomOf(path) !== undefined;

const AREAS: [string, (path: string) => boolean][] = [
  ['everything', () => true],
  ['what no room owns: framework, engine, components, kit', isShared],
  ['of it the console', (path) => isShared(path) && path.startsWith('src/')],
  ['of it the server, without SQL', (path) => isShared(path) && path.startsWith('server/') && !path.endsWith('.sql')],
  ['SQL of the database', (path) => path.endsWith('.sql')],
  ['of it the kit', (path) => path.startsWith('schemas/')],
  ['rooms that were there before', isFormerRoom],
  ['rooms since', (path) => !isShared(path) && !isFormerRoom(path)],
];

console.log(`| Lines in files · files under ${SMALL} lines · median | ${before} | ${after} |\n| --- | --- | --- |`);
for (const [name, isMeant] of AREAS) console.log(`| ${name} | ${describe(former, isMeant)} | ${describe(present, isMeant)} |`);
