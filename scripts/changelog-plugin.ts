import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { readReleases } from './read-releases.ts';

const NAME = 'virtual:canopy-changelog';
const FILE = fileURLToPath(new URL('../CHANGELOG.md', import.meta.url));

/** Serves `virtual:canopy-changelog`: `releases`, what CHANGELOG.md says, as data. */
export function changelog(): Plugin {
  return {
    name: 'canopy-changelog',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      this.addWatchFile(FILE);
      return `export const releases = ${JSON.stringify(readReleases(readFileSync(FILE, 'utf8')))};\n`;
    },
  };
}
