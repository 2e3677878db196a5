import { join } from 'node:path';
import type { Plugin } from 'vite';
import { compileValidator } from './compile-validator.ts';
import { findFormFiles, formIdOf, readFormFile, schemasFolder } from './load.ts';

const LIST = 'virtual:canopy-forms';
const ONE = 'virtual:canopy-form/';
const RESOLVED = '\0';

/**
 * Serves `virtual:canopy-forms`: `forms[id]()` imports one form with its compiled validators. Each form is a chunk of its own, compiled when it is
 * built or first asked for; in development a saved form file is compiled again and the page reloads.
 */
export function contractForms(folder: string = join(schemasFolder, 'forms')): Plugin {
  const pathOf = (id: string): string => join(folder, `${id}.form.json`);
  return {
    name: 'canopy-forms',
    resolveId(id) {
      return id === LIST || id.startsWith(ONE) ? RESOLVED + id : undefined;
    },
    load(resolved) {
      if (!resolved.startsWith(RESOLVED)) return undefined;
      const id = resolved.slice(RESOLVED.length);
      if (id === LIST) {
        const ids = findFormFiles(folder).map((path) => formIdOf(path, folder));
        const lines = ids.map((form) => `  ${JSON.stringify(form)}: () => import(${JSON.stringify(ONE + form)}),`);
        return `export const forms = {\n${lines.join('\n')}\n};\n`;
      }
      if (!id.startsWith(ONE)) return undefined;
      const path = pathOf(id.slice(ONE.length));
      this.addWatchFile(path);
      const { json, code } = compileValidator(readFormFile(path));
      return `${code}export const form = ${json};\n`;
    },
    configureServer(server) {
      server.watcher.add(folder);
      const refresh = (path: string): void => {
        if (!path.startsWith(folder) || !path.endsWith('.form.json')) return;
        for (const id of [LIST, ONE + formIdOf(path, folder)]) {
          const module = server.moduleGraph.getModuleById(RESOLVED + id);
          if (module) server.moduleGraph.invalidateModule(module);
        }
        server.hot.send({ type: 'full-reload' });
      };
      server.watcher.on('change', refresh).on('add', refresh).on('unlink', refresh);
    },
  };
}
