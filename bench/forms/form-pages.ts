import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contractForms } from '../../schemas/kit/vite-plugin.ts';
import { servePages, type PagesServer } from '../pages-server.ts';
import { bigForm, SIZES } from './big-form.ts';

/** The pages that are measured beside each other; `?size=` says how many fields the form has. */
export const PAGES = ['ours', 'stock', 'antd'] as const;
export type PageName = (typeof PAGES)[number];

/** Serves the pages with forms of all sizes. */
export async function serveFormPages(): Promise<PagesServer<PageName>> {
  const forms = mkdtempSync(join(tmpdir(), 'canopy-bench-forms-'));
  mkdirSync(join(forms, 'bench'));
  for (const size of SIZES) writeFileSync(join(forms, 'bench', `size-${size}.form.json`), JSON.stringify(bigForm(size)));
  try {
    return await servePages({ folder: fileURLToPath(new URL('pages', import.meta.url)), pages: PAGES, plugins: [contractForms(forms)] });
  } finally {
    rmSync(forms, { recursive: true, force: true });
  }
}
