import { describe, expect, test } from 'vitest';
import { importsOf, sourcesBelow } from './sources.ts';

interface Rule {
  /** Files that the rule is about. */
  of: RegExp;
  /** What they must not import. */
  not: RegExp;
  /** The rest of "… because". */
  because: string;
  /** Imports of types only are harmless. */
  typesAreFine?: boolean;
}

const SERVER_FEATURE = /^server\/features\/([^/]+)\//;

const rules: Rule[] = [
  { of: /^src\//, not: /^server\//, because: 'the console runs in a browser; what both sides need is in schemas/' },
  { of: /^(server|agent)\//, not: /^src\//, because: 'the server draws nothing; what both sides need is in schemas/' },
  { of: /^schemas\//, not: /^(src|server|agent|scripts)\//, because: 'the contract imports neither side' },
  { of: /^resources(\.config\.ts$|\/)/, not: /^(src|server|agent)\//, because: 'the list of resources is data' },
  {
    of: /^server\/(kernel|edges|db)\//,
    not: /^server\/domain\//,
    because: 'the framework knows nothing of devices, credits or files; what rooms share of those is above it',
    typesAreFine: true,
  },
  {
    of: /^server\/(domain|kernel|edges|db)\//,
    not: /^server\/(features\/|app\.ts|main\.ts)/,
    because: 'rooms register themselves; what is below knows none by name',
  },
  {
    of: /^server\/(domain|kernel)\//,
    not: /^server\/edges\//,
    because: 'the kernel knows the outside world by its interfaces only',
    typesAreFine: true,
  },
  { of: /^server\/db\//, not: /^server\/(domain|kernel|edges)\//, because: 'the schema is below everything' },
  { of: /^server\/features\//, not: /^server\/(app|main|parts)\.ts$/, because: 'a room is registered by the app and never reaches up' },
  {
    of: /^server\/features\//,
    not: /^server\/edges\//,
    because: 'a room talks to devices through ctx, whichever broker there is',
    typesAreFine: true,
  },
  { of: /^src\/kernel\//, not: /^src\/(ui|engine|features|app)\//, because: 'the kernel knows nothing above it' },
  { of: /^src\/ui\//, not: /^src\/(engine|features|app)\//, because: 'plain components take props and give events' },
  {
    of: /^src\/(engine|features|app)\//,
    not: /^src\/ui\/(?!index\.ts$)/,
    because: 'src/ui/index.ts is the one door to the components',
  },
  { of: /^src\/engine\//, not: /^src\/(features|app)\//, because: 'the engine makes screens from data and knows no room' },
  { of: /^src\/features\//, not: /^src\/app\//, because: 'a room never reaches up' },
];

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
const sources = sourcesBelow('server', 'src', 'schemas', 'agent', 'resources', 'resources.config.ts').filter(
  (source) => !isTest(source.path),
);

describe('layers', () => {
  test.each(rules)('$of imports nothing of $not, because $because', (rule) => {
    const broken = sources
      .filter((source) => rule.of.test(source.path))
      .flatMap((source) => importsOf(source, { withTypes: rule.typesAreFine !== true }).map((target) => [source.path, target] as const))
      .filter(([, target]) => rule.not.test(target))
      .map(([path, target]) => `${path} imports ${target}`);
    expect(broken).toEqual([]);
  });

  test.each(['server', 'src'])(
    'a room of %s imports no other room, because rooms meet in the domain and the kernel or not at all',
    (side) => {
      const feature = new RegExp(SERVER_FEATURE.source.replace('server', side));
      const broken = sources.flatMap((source) => {
        const room = feature.exec(source.path)?.[1];
        if (room === undefined) return [];
        return importsOf(source)
          .filter((target) => feature.exec(target) && feature.exec(target)?.[1] !== room)
          .map((target) => `${source.path} imports ${target}`);
      });
      expect(broken).toEqual([]);
    },
  );

  test('pages draw no controls and tables of their own, because those of src/ui are named, reachable and in the theme', () => {
    const drawn = sources
      .filter(({ path }) => /^src\/(engine|features|app)\/.*\.tsx$/.test(path))
      .flatMap(({ path, text }) => (text.match(/<(button|input|select|textarea|table)\b/g) ?? []).map((tag) => `${path}: ${tag}`));
    expect(drawn).toEqual([]);
  });

  test('no files import each other in a circle, types included, but the context and its parts', () => {
    // A kind of job is given the context that has the jobs.
    const MEANT = new Set(['server/context.ts', 'server/domain/jobs/types.ts', 'server/domain/remote/types.ts']);
    const graph = new Map(sources.map((source) => [source.path, importsOf(source, { withLazy: false })]));
    const done = new Set<string>();
    const circles: string[][] = [];
    const walk = (path: string, above: readonly string[]): void => {
      const at = above.indexOf(path);
      if (at >= 0) circles.push(above.slice(at));
      if (at >= 0 || done.has(path)) return;
      for (const target of graph.get(path) ?? []) walk(target, [...above, path]);
      done.add(path);
    };
    for (const path of graph.keys()) walk(path, []);
    expect(circles.filter((circle) => !circle.every((path) => MEANT.has(path)))).toEqual([]);
  });

  test('the walk finds imports of every kind', () => {
    const text = `import type { A } from '../b.ts';\nimport c, {\n  d,\n} from './e.ts';\nexport { f } from './g.ts';\nconst h = await import('./i.ts');\nimport './j.css';\nimport k from 'package';\n`;
    const source = { path: 'server/kernel/x.ts', text };
    expect(importsOf(source)).toEqual([
      'server/b.ts',
      'server/kernel/e.ts',
      'server/kernel/g.ts',
      'server/kernel/i.ts',
      'server/kernel/j.css',
    ]);
    expect(importsOf(source, { withTypes: false })).not.toContain('server/b.ts');
  });
});
