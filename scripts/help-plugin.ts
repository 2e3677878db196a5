import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { readGuides, type GuideFile } from './read-guides.ts';

const NAME = 'virtual:canopy-help';
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The guides that the console shows, in their order. `docs/help` is for users; the others are those of the repository. */
export const GUIDES: readonly GuideFile[] = [
  ...['start', 'devices', 'tags', 'jobs', 'files', 'configuration', 'tasks', 'automations', 'dashboards', 'reports', 'sites'].map(
    (id): GuideFile => ({ id, group: 'fleet', file: `docs/help/${id}.md` }),
  ),
  ...['remote-access', 'vpn-hubs', 'hotspots'].map((id): GuideFile => ({ id, group: 'access', file: `docs/help/${id}.md` })),
  ...[
    'companies',
    'users',
    'resources',
    'history',
    'statistics',
    'notifications',
    'announcements',
    'mail',
    'branding',
    'lists',
    'account',
  ].map((id): GuideFile => ({ id, group: 'administration', file: `docs/help/${id}.md` })),
  { id: 'api', group: 'programs', file: 'docs/help/api.md' },
  { id: 'public-api', group: 'programs', file: 'docs/public-api.md' },
  { id: 'first-form', group: 'programs', file: 'docs/forms/first-form.md' },
  { id: 'form-windows', group: 'programs', file: 'docs/forms/windows.md' },
  { id: 'any-schema', group: 'programs', file: 'docs/forms/any-schema.md' },
  { id: 'form-quality', group: 'programs', file: 'docs/forms/quality.md' },
  { id: 'operations', group: 'installation', file: 'docs/operations.md' },
  { id: 'languages', group: 'installation', file: 'docs/languages.md' },
  { id: 'protocol', group: 'installation', file: 'agent/PROTOCOL.md' },
  { id: 'glossary', group: 'installation', file: 'docs/glossary.md' },
];

/** Serves `virtual:canopy-help`: `guides`, the documentation as data. */
export function help(): Plugin {
  return {
    name: 'canopy-help',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      for (const { file } of GUIDES) this.addWatchFile(ROOT + file);
      return `export const guides = ${JSON.stringify(readGuides(GUIDES, (file) => readFileSync(ROOT + file, 'utf8')))};\n`;
    },
  };
}
