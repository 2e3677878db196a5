import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import lockFile from '../../package-lock.json' with { type: 'json' };
import packageFile from '../../package.json' with { type: 'json' };
import { root } from './sources.ts';

interface Locked {
  license?: string;
  integrity?: string;
  resolved?: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  optional?: boolean;
}

const packages = Object.entries(lockFile.packages as Record<string, Locked>).filter(([path]) => path !== '');

/** Licences that let an Apache-2.0 product carry the package along. */
const CARRIED = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'OFL-1.1',
  'MIT OR Apache-2.0',
  'Unlicense',
];
/** Copyleft by file: carried as it was published. */
const UNCHANGED = new Set(['node_modules/@novnc/novnc']);
/** Shared libraries under the LGPL, beside the product and not in it: each can be replaced by another build. */
const isSharedLibrary = ([path, { license }]: (typeof packages)[number]): boolean =>
  path.startsWith('node_modules/@img/sharp-') && /\bLGPL-3\.0-or-later\b/.test(license ?? '');
/** Beside these, of what only builds and tests. */
const TOOLS = new Set([...CARRIED, 'MPL-2.0', '(MIT AND Zlib)', 'Python-2.0', 'PSF-2.0']);
/** Packages that name no licence but bring its text. */
const NAMED_BY_FILE = new Set(['png-js', 'xmlhttprequest-ssl', 'ssh2', 'cpu-features', 'buildcheck'].map((name) => `node_modules/${name}`));
/** Npm goes on without an optional package that it could not install: then nothing of it is carried, and there is no text to read. */
const isLeftOut = ([path, { optional }]: (typeof packages)[number]): boolean =>
  optional === true && NAMED_BY_FILE.has(path) && !existsSync(join(root, path));
/** Their scripts compile parts that ssh2 does without. */
const WORK_WITHOUT_SCRIPT = new Set(['node_modules/cpu-features', 'node_modules/ssh2']);

function licenceOf([path, { license }]: (typeof packages)[number]): string {
  if (license !== undefined) return license;
  const isMit =
    NAMED_BY_FILE.has(path) &&
    /MIT License|Permission is hereby granted, free of\s+charge/i.test(readFileSync(join(root, path, 'LICENSE'), 'utf8'));
  return isMit ? 'MIT' : 'none';
}

test('every package has a licence that the product may carry, and a tool one that it may use [OP5]', () => {
  const isCarried = (entry: (typeof packages)[number]): boolean =>
    CARRIED.includes(licenceOf(entry)) || isSharedLibrary(entry) || (UNCHANGED.has(entry[0]) && licenceOf(entry) === 'MPL-2.0');
  const others = packages.filter((entry) => !isLeftOut(entry) && !(entry[1].dev && TOOLS.has(licenceOf(entry))) && !isCarried(entry));
  expect(others.map(([path]) => path)).toEqual([]);
});

test('every package is locked to its content and to no address [OP5]', () => {
  expect(packages.length).toBeGreaterThan(500);
  expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
});

test('no package runs a script when it is installed but the one that brings Node [OP5]', () => {
  expect(packageFile.allowScripts).toEqual({ node: true });
  const withScript = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path);
  expect(withScript.filter((path) => !WORK_WITHOUT_SCRIPT.has(path))).toEqual(['node_modules/node']);
});
