import { dirname, join } from 'node:path';

/** A module of the console, by its path from the root of the project. */
export interface TextModule {
  path: string;
  code: string;
}

/** Where a page begins, with the files of texts that are there by then. What it loads later has them too, up to the next entry. */
export interface TextEntry {
  path: string;
  start: readonly string[];
}

interface Imports {
  /** Modules that are there whenever this one is. */
  fixed: string[];
  /** Modules that are loaded later, with the files of texts that are loaded beside them. */
  later: { path: string; texts: string[] }[];
  /** Files of texts whose keys the code writes. */
  texts: Set<string>;
}

const STATIC = /^(?:import|export)\s(?!type\b)[^;]*?from\s+'(\.[^']+)'|^import\s+'(\.[^']+)'/gm;
// withTexts(['jobs', 'errors'], () => import('./JobDialog.tsx'))  or a bare import('./JobDialog.tsx')
const LATER = /(?:withTexts\(\s*\[([^\]]*)\],\s*(?:async\s*)?\(\)\s*=>[^;]{0,80}?)?\bimport\('(\.[^']+)'\)/g;
const OWN = /\bloadTexts\(([^)]*)\)/g;
// 'jobs.title'  `jobs.state.${state}`
const KEY = /(?<!\b(?:id|source): )(['"`])([a-zA-Z_]\w*(?:\.[\w-]+)+\.?|[a-zA-Z_]\w*\.(?=\$))(\$\{|\1)/g;

const quoted = (list: string): string[] => [...list.matchAll(/'([\w-]+)'/g)].map((match) => match[1] ?? '');

function importsOf({ path, code }: TextModule, filesOf: (literal: string, isWhole: boolean) => readonly string[]): Imports {
  const at = (name: string): string => join(dirname(path), name);
  const own = new Set([...code.matchAll(OWN)].flatMap((match) => quoted(match[1] ?? '')));
  const used = [...code.matchAll(KEY)].flatMap((match) => filesOf(match[2] ?? '', match[3] !== '${'));
  return {
    fixed: [...code.matchAll(STATIC)].map((match) => at(match[1] ?? match[2] ?? '')),
    later: [...code.matchAll(LATER)].map((match) => ({ path: at(match[2] ?? ''), texts: [...quoted(match[1] ?? ''), ...own] })),
    texts: new Set(used.filter((file) => !own.has(file))),
  };
}

/** Which files of texts have a key, or the keys that begin with it. */
function finderOf(keys: ReadonlyMap<string, string>): (literal: string, isWhole: boolean) => readonly string[] {
  const all = [...keys];
  return (literal, isWhole) => {
    const isMeant = (key: string): boolean =>
      isWhole && !literal.endsWith('.')
        ? key === literal || key.replace(/_(zero|one|two|few|many|other)$/, '') === literal
        : key.startsWith(literal);
    return [...new Set(all.filter(([key]) => isMeant(key)).map(([, file]) => file))];
  };
}

/**
 * Code that may be drawn before its texts are there. Every module that is loaded later must have the texts that its code writes, and those of
 * all that comes with it, in the start, beside it (`withTexts`), or in the code that loads it. `keys`: the file of each English key.
 */
export function findLateTexts(
  modules: readonly TextModule[],
  {
    entries,
    keys,
    excused,
  }: { entries: readonly TextEntry[]; keys: ReadonlyMap<string, string>; excused: ReadonlyMap<string, readonly string[]> },
): string[] {
  const find = finderOf(keys);
  const all = new Map(modules.map((module) => [module.path, importsOf(module, find)]));
  for (const [path, files] of excused) for (const file of files) all.get(path)?.texts.delete(file);
  const comesWith = (path: string, found = new Set<string>()): Set<string> => {
    if (found.has(path) || !all.has(path)) return found;
    found.add(path);
    for (const next of all.get(path)?.fixed ?? []) comesWith(next, found);
    return found;
  };
  const textsOf = new Map<string, Map<string, string>>();
  const textsWith = (path: string): Map<string, string> => {
    const known = textsOf.get(path);
    if (known) return known;
    const texts = new Map(
      [...comesWith(path)].flatMap((module) => [...(all.get(module)?.texts ?? [])].map((file) => [file, module] as const)),
    );
    textsOf.set(path, texts);
    return texts;
  };
  const problems: string[] = [];
  const check = (path: string, there: ReadonlySet<string>, from: string): void => {
    for (const [file, module] of textsWith(path))
      if (!there.has(file)) problems.push(`${from} loads ${path} without its texts "${file}" (used in ${module})`);
  };
  for (const { path: entry, start } of entries) {
    check(entry, new Set(start), 'the start');
    const isOther = (path: string): boolean => path !== entry && entries.some((other) => other.path === path);
    const reached = comesWith(entry);
    for (const path of reached)
      for (const one of all.get(path)?.later ?? []) {
        if (isOther(one.path)) continue;
        check(one.path, new Set([...start, ...one.texts, ...textsWith(path).keys()]), path);
        comesWith(one.path, reached);
      }
  }
  return [...new Set(problems)];
}
