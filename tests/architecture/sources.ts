import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Source {
  /** From the project's root, with `/`. */
  path: string;
  text: string;
}

/** The project's own TypeScript below these folders or files; generated files are left out. */
export function sourcesBelow(...places: string[]): Source[] {
  return places.flatMap((place) => {
    if (/\.tsx?$/.test(place)) return [readSource(place)];
    return readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
      .map((name) => `${place}/${name.split(sep).join('/')}`)
      .filter((path) => /\.tsx?$/.test(path) && !path.includes('/_generated/') && !path.includes('node_modules'))
      .map(readSource);
  });
}

function readSource(path: string): Source {
  return { path, text: readFileSync(join(root, path), 'utf8') };
}

/** The files of the project that a file imports, from the root: types unless `withTypes` is false, `import()` unless `withLazy` is. Packages are left out. */
export function importsOf({ path, text }: Source, { withTypes = true, withLazy = true } = {}): string[] {
  const found = [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'";]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)|(?:^|\n)import\s+'(\.[^']+)'/g,
    ),
  ];
  return found
    .filter((match) => (withTypes || match[1] === undefined) && (withLazy || match[3] === undefined))
    .map((match) => match[2] ?? match[3] ?? match[4] ?? '')
    .map((target) =>
      relative(root, join(root, dirname(path), target))
        .split(sep)
        .join('/'),
    );
}

/** The text without comments, so that words in them count for nothing. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`])\/\/[^\n]*/g, '$1');
}
