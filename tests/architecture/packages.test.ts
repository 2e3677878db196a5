import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import lockFile from '../../package-lock.json' with { type: 'json' };
import { root } from './sources.ts';

interface Locked {
  license?: string;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
}

const packages = Object.entries(lockFile.packages as Record<string, Locked>).filter(([path]) => path !== '');

/** Licences that let an Apache-2.0 product carry the package along. */
const CARRIED = ['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'OFL-1.1'];
/** Beside these, of what only builds and tests. */
const TOOLS = [...CARRIED, 'MPL-2.0', '(MIT AND Zlib)'];
/** Packages that name no licence but bring its text. */
const TOLD_BY_FILE = new Set(['node_modules/png-js', 'node_modules/xmlhttprequest-ssl']);

function licenceOf([path, { license }]: (typeof packages)[number]): string {
  if (license !== undefined) return license;
  const isMit =
    TOLD_BY_FILE.has(path) &&
    /MIT License|Permission is hereby granted, free of\s+charge/i.test(readFileSync(join(root, path, 'LICENSE'), 'utf8'));
  return isMit ? 'MIT' : 'none';
}

test('OP5 every package has a licence that the product may carry, and a tool one that it may use', () => {
  const others = packages.filter((entry) => !(entry[1].dev ? TOOLS : CARRIED).includes(licenceOf(entry)));
  expect(others.map(([path]) => path)).toEqual([]);
});

test('OP5 every package is locked to its content and to no address', () => {
  expect(packages.length).toBeGreaterThan(500);
  expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
});

test('OP5 no package runs a script when it is installed but the one that brings Node', () => {
  expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual(['node_modules/node']);
});
