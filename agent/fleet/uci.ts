import { gzipSync } from 'node:zlib';
import { ok, type Result } from './protocol.ts';

const MAX_OUTPUT_BYTES = 64 * 1024;

/** A section of a file in `/etc/config`; an option has one value, a list several. */
interface Section {
  name: string;
  type: string;
  options: Map<string, { isList: boolean; values: string[] }>;
}

const NAME = /^[A-Za-z0-9_-]+$/;

function readFile(text: string): Section[] {
  const sections: Section[] = [];
  for (const line of text.split('\n')) {
    const [, word, name = '', value] = /^\s*(config|option|list)\s+'?([\w-]+)'?(?:\s+'(.*)')?$/.exec(line) ?? [];
    if (word === undefined) continue;
    if (word === 'config') sections.push({ type: name, name: value ?? `cfg${sections.length}`, options: new Map() });
    else {
      const options = sections.at(-1)?.options;
      const known = options?.get(name);
      if (known && word === 'list') known.values.push(value ?? '');
      else options?.set(name, { isList: word === 'list', values: [value ?? ''] });
    }
  }
  return sections;
}

function writeFile(sections: readonly Section[]): string {
  return sections
    .map(({ name, type, options }) => {
      const lines = [...options].flatMap(([key, { isList, values }]) =>
        values.map((value) => `\t${isList ? 'list' : 'option'} ${key} '${value}'\n`),
      );
      return `config ${type} '${name}'\n${lines.join('')}`;
    })
    .join('\n');
}

const quote = (value: string): string => `'${value.replaceAll("'", String.raw`'\''`)}'`;
const valuesOf = (body: string, key: string): string[] =>
  body.split('\n').flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1)] : []));

/** What the verb `read` gives. */
export function readSettings(files: ReadonlyMap<string, string>, body: string): Result {
  const hidden = new Set(valuesOf(body, 'hide'));
  const lines = valuesOf(body, 'config').flatMap((config) =>
    readFile(files.get(`etc/config/${config}`) ?? '').flatMap(({ name, type, options }) => [
      `${config}.${name}=${type}`,
      ...[...options].map(([key, { values }]) => `${config}.${name}.${key}=${hidden.has(key) ? "'***'" : values.map(quote).join(' ')}`),
    ]),
  );
  const output = `${lines.join('\n')}\n`;
  const isLong = Buffer.byteLength(output) > MAX_OUTPUT_BYTES;
  return { ...ok('Settings read'), ...(isLong ? { output: '', packed: gzipSync(output).toString('base64') } : { output }) };
}

/** Does what the verb `configure` asks for; answers what could not be changed. */
export function changeSettings(files: Map<string, string>, body: string): string | undefined {
  for (const line of valuesOf(body, 'do')) {
    const [, operation = '', path = '', value = ''] = /^(\w+) ([^=]*)=?(.*)$/.exec(line) ?? [];
    const [config = '', name = '', key] = path.split('.');
    if (![config, name, key ?? 'x'].every((part) => NAME.test(part))) return path;
    const sections = readFile(files.get(`etc/config/${config}`) ?? '');
    if (!change(sections, { operation, name, key, value })) return path;
    files.set(`etc/config/${config}`, writeFile(sections));
  }
  return undefined;
}

function change(
  sections: Section[],
  { operation, name, key, value }: { operation: string; name: string; key: string | undefined; value: string },
): boolean {
  const index = sections.findIndex((one) => one.name === name);
  const section = sections[index];
  if (key === undefined) {
    if (operation === 'set' && !section) sections.push({ name, type: value, options: new Map() });
    else if (operation === 'set' && section) section.type = value;
    else if (operation === 'delete' && section) sections.splice(index, 1);
    else if (operation === 'reorder' && section) sections.splice(Number(value), 0, ...sections.splice(index, 1));
    else return operation === 'delete';
    return true;
  }
  if (!section) return operation === 'delete';
  if (operation === 'set') section.options.set(key, { isList: false, values: [value] });
  else if (operation === 'delete') section.options.delete(key);
  else if (operation === 'add_list') {
    section.options.set(key, { isList: true, values: [...(section.options.get(key)?.values ?? []), value] });
  } else return false;
  return true;
}
