import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { MAX_FILE_BYTES } from '../../../schemas/kit/lint/lint-source.ts';
import { readTextFile } from '../../kernel/read-text-file.ts';
import type { Finding } from './inspect.ts';

// `set-apn`
const NAME = /^[a-z][a-z0-9-]{0,63}$/;
const ENDING = '.form.json';

/** What is in the folder of added forms: texts by id, and what cannot be read as a form at all, by its path in the folder. */
export interface FolderContent {
  texts: Map<string, string>;
  /** Ids of files that are there and cannot be read, too large ones for example, with why. */
  refused: Map<string, Finding>;
  odd: Map<string, Finding>;
}

const finding = (code: string, message: string): Finding => ({ line: 1, column: 1, code, message });

/** Whether a text can be the id of an added form: two names that are safe in an address, a file system and a shell. */
export function isFormIdShape(id: string): boolean {
  const parts = id.split('/');
  return parts.length === 2 && parts.every((part) => NAME.test(part));
}

async function readText(path: string): Promise<string | Finding> {
  const answer = await readTextFile(path, MAX_FILE_BYTES);
  return 'text' in answer ? answer.text : finding(answer.code, answer.message);
}

async function readRoom(dir: string, room: string, content: FolderContent): Promise<void> {
  for (const entry of await readdir(join(dir, room), { withFileTypes: true })) {
    const path = `${room}/${entry.name}`;
    // What editors and our own writing leave beside a file for a moment, and the cases that its test reads.
    if (entry.name.startsWith('.') || !entry.name.endsWith('.json') || entry.name.endsWith('.golden.json')) continue;
    if (entry.isSymbolicLink()) content.odd.set(path, finding('link', 'A link is not followed: put the file itself here.'));
    else if (!entry.isFile() || !entry.name.endsWith(ENDING) || !NAME.test(entry.name.slice(0, -ENDING.length)))
      content.odd.set(path, finding('odd-name', 'A form file is named <room>/<name>.form.json, in small letters, digits and hyphens.'));
    else {
      const id = path.slice(0, -ENDING.length);
      const text = await readText(join(dir, path)).catch(() => finding('unreadable', 'The file cannot be read.'));
      if (typeof text === 'string') content.texts.set(id, text);
      else content.refused.set(id, text);
    }
  }
}

/** Reads the folder. Links, odd names and files that are too large are reported and never opened or followed. Throws when the folder itself cannot be read. */
export async function readFolder(dir: string): Promise<FolderContent> {
  const content: FolderContent = { texts: new Map(), refused: new Map(), odd: new Map() };
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue;
    if (entry.isSymbolicLink()) content.odd.set(entry.name, finding('link', 'A link is not followed: make a folder here.'));
    else if (entry.isDirectory() && NAME.test(entry.name)) await readRoom(dir, entry.name, content);
    else if (entry.isDirectory()) content.odd.set(entry.name, finding('odd-name', 'A room is named in small letters, digits and hyphens.'));
    else if (entry.name.endsWith('.json'))
      content.odd.set(entry.name, finding('odd-name', 'A form file belongs in the folder of its room.'));
  }
  return content;
}

/** Puts a form's text into the folder at once or not at all: a reader finds the former text or this one. Throws for a room that is a link. */
export async function writeFormFile(dir: string, id: string, text: string): Promise<void> {
  const [room = '', name = ''] = id.split('/');
  const folder = join(dir, room);
  await mkdir(folder, { recursive: true });
  if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is no folder`);
  const draft = join(folder, `.${name}.${randomUUID()}.tmp`);
  try {
    await writeFile(draft, text, { flag: 'wx' });
    await rename(draft, join(folder, name + ENDING));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Takes a form's file out of the folder. */
export async function removeFormFile(dir: string, id: string): Promise<void> {
  await rm(join(dir, `${id}${ENDING}`), { force: true });
}
