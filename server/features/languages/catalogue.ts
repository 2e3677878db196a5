import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isLanguageCode,
  languageName,
  MAX_LANGUAGE_FILE_BYTES,
  readLanguageFile,
  type LanguageFile,
} from '../../../schemas/kit/codegen/language-file.ts';
import { readShippedTexts } from '../../../schemas/kit/codegen/load-texts.ts';
import type { Context } from '../../context.ts';
import { createSerialQueue } from '../../kernel/serial-queue.ts';
import { readTextFile } from '../../kernel/read-text-file.ts';

/** Languages of one installation; each costs some hundred kilobytes of memory. */
const MAX_LANGUAGES = 60;
const MAX_LOGGED = 20;

/** A language of the folder, as the console reads it. */
export interface AddedLanguage {
  code: string;
  name: string;
  percent: number;
  /** Names these texts in an address. */
  hash: string;
  texts: Readonly<Record<string, string>>;
}

/** The languages that an installation adds or changes, as their files are now. */
export interface LanguageCatalogue {
  all(): readonly AddedLanguage[];
  find(code: string): AddedLanguage | undefined;
  /** Scans the folder again. Throws when it cannot be read. */
  refresh(): Promise<void>;
}

/** Makes the catalogue of the folder `dir`. What cannot be used of a file is logged when the file is new or changed. */
export function createLanguageCatalogue(dir: string, log: Context['log']): LanguageCatalogue {
  const known = new Map<string, AddedLanguage>();
  const read = new Map<string, string>();
  /** A scan that began earlier must not bring back what a later one found gone. */
  const inTurn = createSerialQueue();
  let english: ReadonlyMap<string, string> | undefined;

  function report(file: string, findings: LanguageFile['findings']): void {
    if (findings.length === 0) return;
    const shown = findings.slice(0, MAX_LOGGED).map(({ key, message }) => `"${key}" ${message}`);
    log.warn({ file, count: findings.length, findings: shown }, 'texts of a language file are not used');
  }

  async function take(name: string): Promise<void> {
    const code = name.slice(0, -'.json'.length);
    const answer = await readTextFile(join(dir, name), MAX_LANGUAGE_FILE_BYTES);
    const text = 'text' in answer ? answer.text : '';
    const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
    if (read.get(code) === hash) return;
    read.set(code, hash);
    known.delete(code);
    if (!('text' in answer)) return report(name, [{ key: '', message: answer.message }]);
    english ??= readShippedTexts('en') ?? new Map();
    const { texts, findings, percent } = readLanguageFile(text, code, english);
    report(name, findings);
    if (Object.keys(texts).length > 0) known.set(code, { code, name: languageName(code), percent, hash, texts });
  }

  async function scan(): Promise<void> {
    const entries = await readdir(dir, { withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile() && entry.name.endsWith('.json') && isLanguageCode(entry.name.slice(0, -'.json'.length)))
      .map(({ name }) => name)
      .toSorted()
      .slice(0, MAX_LANGUAGES);
    for (const code of [...known.keys(), ...read.keys()]) {
      if (names.includes(`${code}.json`)) continue;
      known.delete(code);
      read.delete(code);
    }
    for (const name of names)
      await take(name).catch((error: unknown) => log.warn({ file: name, err: error }, 'a language file could not be read'));
  }

  return {
    all: () => [...known.values()].toSorted((a, b) => a.code.localeCompare(b.code)),
    find: (code) => known.get(code),
    refresh: () => inTurn(scan),
  };
}
