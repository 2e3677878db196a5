import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { getLibFiles, ts } from '@ts-morph/common';

/** The folder of this project, with `/` at its end. */
export const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

const LIBRARY_FOLDER = '/libraries';

/** A compiler host that has TypeScript's own libraries in memory: the native compiler of this project keeps them elsewhere on each platform. */
function createHost(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const libraries = new Map(getLibFiles().map(({ fileName, text }) => [`${LIBRARY_FOLDER}/${fileName}`, text]));
  const { fileExists, readFile, getSourceFile } = host;
  return {
    ...host,
    getDefaultLibLocation: () => LIBRARY_FOLDER,
    getDefaultLibFileName: (wanted) => `${LIBRARY_FOLDER}/${ts.getDefaultLibFileName(wanted)}`,
    fileExists: (name) => libraries.has(name) || fileExists(name),
    readFile: (name) => libraries.get(name) ?? readFile(name),
    getSourceFile(name, target, onError) {
      const text = libraries.get(name);
      return text === undefined ? getSourceFile(name, target, onError) : ts.createSourceFile(name, text, target, true);
    },
  };
}

/** The program of the server, for its types. Throws Error without a tsconfig.json. */
export function readServer(): ts.Program {
  const file = `${projectFolder}tsconfig.json`;
  if (!existsSync(file)) throw new Error(`${file} is missing`);
  const { config } = ts.parseConfigFileTextToJson(file, readFileSync(file, 'utf8'));
  const { options } = ts.convertCompilerOptionsFromJson({ ...config.compilerOptions, types: ['node'] }, projectFolder);
  return ts.createProgram([`${projectFolder}server/app.ts`], options, createHost(options));
}

/** `server/features/tags/index.ts:12` */
export function locationOf(node: ts.Node): string {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return `${file.fileName.slice(projectFolder.length)}:${line + 1}`;
}
