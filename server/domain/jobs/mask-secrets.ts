import type { JsonValue } from '../../../schemas/kit/form/types.ts';

const SECRET_NAME = /pass|secret|token|credential|api[-_]?key/i;
// `--password hunter2`, `PASS=hunter2`, `"token": "abc"`, `uci set network.wan.password='x y'`
const SECRET_IN_TEXT =
  /((?:[\w.-]*)(?:passw(?:or)?d|passphrase|pass|secret|token|api[-_]?key|psk)["']?\s*[=: ]\s*)("[^"]*"|'[^']*'|[^\s;|&"']+)/gi;
// `curl -u user:hunter2`, `https://user:hunter2@host`
const SECRET_IN_URL = /(\b\w+:\/\/[^\s:/@]+:)[^\s@/]+@/g;
const MASK = '***';

function maskText(text: string): string {
  return text.replace(SECRET_IN_TEXT, `$1${MASK}`).replace(SECRET_IN_URL, `$1${MASK}@`);
}

/** A job's input as people and the audit may see it: members named like secrets, and secrets written into commands, become `***`. */
export function maskSecrets(value: JsonValue): JsonValue {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map(maskSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, SECRET_NAME.test(key) ? MASK : maskSecrets(member)]));
}

/** The masked input of a job's row. */
export function maskedInput(input: string): Record<string, JsonValue> {
  const masked = maskSecrets(JSON.parse(input));
  return typeof masked === 'object' && masked !== null && !Array.isArray(masked) ? masked : {};
}
