import { kindsOf } from '../../../schemas/kit/devices/entry-lists.ts';
import { HIDDEN, type ConfigDocument, type DeviceSection, type DeviceSettings } from '../../../schemas/kit/devices/configuration.ts';

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const VALUE = /'((?:[^']|'\\'')*)'/g;
const MOST_CHARACTERS = 4096;

function valuesOf(text: string): string[] {
  const clean = (value: string): string => value.replaceAll(String.raw`'\''`, "'").replace(/\p{Cc}/gu, '');
  return [...text.matchAll(VALUE)].map(([, value = '']) => clean(value).slice(0, MOST_CHARACTERS));
}

/** The values that the document knows, without secrets, of what a device answered to `read`; undefined when it is no such answer. */
export function readSettings(document: ConfigDocument, output: string): DeviceSettings | undefined {
  const settings: DeviceSettings = {};
  const kinds = Map.groupBy(kindsOf(document), ({ config }) => config);
  const found = new Map<string, DeviceSection>();
  for (const line of output.split('\n')) {
    const at = line.indexOf('=');
    const [config = '', id = '', key, ...rest] = line.slice(0, Math.max(at, 0)).split('.');
    if (!NAME.test(config) || !NAME.test(id) || rest.length > 0) continue;
    const text = line.slice(at + 1);
    if (key === undefined) {
      if (!NAME.test(text) || !kinds.get(config)?.some(({ fits }) => fits(text))) continue;
      const section: DeviceSection = { id, type: text, options: {} };
      found.set(`${config}.${id}`, section);
      (settings[config] ??= []).push(section);
      continue;
    }
    const section = found.get(`${config}.${id}`);
    const known = section && kinds.get(config)?.find(({ fits, properties }) => fits(section.type) && Object.hasOwn(properties, key));
    if (!known) continue;
    const values = valuesOf(text);
    if (known.secrets.includes(key)) section.options[key] = HIDDEN;
    else section.options[key] = values.length > 1 || known.properties[key]?.type === 'array' ? values : (values[0] ?? '');
  }
  return found.size > 0 ? settings : undefined;
}

/** The body of the command `read` for everything that the document knows. */
export function readBody(document: ConfigDocument): string {
  const kinds = kindsOf(document);
  const configs = new Set(kinds.map(({ config }) => config));
  const hidden = new Set(kinds.flatMap(({ secrets }) => secrets));
  return [...[...configs].map((name) => `config=${name}\n`), ...[...hidden].map((name) => `hide=${name}\n`)].join('');
}
