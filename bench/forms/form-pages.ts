import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { antdStyles } from '../../scripts/antd-styles-plugin.ts';
import { contractForms } from '../../schemas/kit/codegen/vite-plugin.ts';
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
  const folder = fileURLToPath(new URL('pages', import.meta.url));
  try {
    // In builds of their own: antd's styles come with the build of ours only, as they do in the console.
    const ours = await servePages({ folder, pages: ['ours'], plugins: [contractForms(forms), antdStyles()] });
    const others = await servePages({ folder, pages: ['stock', 'antd'], plugins: [contractForms(forms)] });
    return {
      url: (page) => (page === 'ours' ? ours.url(page) : others.url(page)),
      async [Symbol.asyncDispose]() {
        await ours[Symbol.asyncDispose]();
        await others[Symbol.asyncDispose]();
      },
    };
  } finally {
    rmSync(forms, { recursive: true, force: true });
  }
}
