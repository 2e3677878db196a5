export type LanguageTexts = Map<string, { text: string; file: string }>;
export interface Source {
  path: string;
  code: string;
}

const PLURAL = /_(zero|one|two|few|many|other)$/;

/** Keys that a language lacks or has too many of. A plural key (`found_one`, `found_other`) must have the categories of its own language. */
export function findMissingTexts(all: ReadonlyMap<string, LanguageTexts>): string[] {
  const problems: string[] = [];
  const plain = new Map<string, string>();
  const plurals = new Map<string, string>();
  for (const texts of all.values()) {
    for (const [key, { file }] of texts) {
      const name = file.slice(file.lastIndexOf('/') + 1);
      if (isPlural(key, texts)) plurals.set(key.replace(PLURAL, ''), name);
      else plain.set(key, name);
    }
  }
  for (const [language, texts] of all) {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const wanted = new Map(plain);
    for (const [key, name] of plurals) for (const category of categories) wanted.set(`${key}_${category}`, name);
    for (const [key, name] of wanted) if (!texts.has(key)) problems.push(`src/locales/${language}/${name}: "${key}" is missing`);
    for (const [key, { file }] of texts) if (!wanted.has(key)) problems.push(`${file}: "${key}" is not a plural form of this language`);
  }
  return problems;
}

// `status_other` alone is a word that ends so; with its sister forms it is a plural.
function isPlural(key: string, texts: LanguageTexts): boolean {
  if (!PLURAL.test(key)) return false;
  return key.endsWith('_other')
    ? /\{count\}/.test(texts.get(key)?.text ?? '') || texts.has(key.replace(PLURAL, '_one'))
    : texts.has(key.replace(PLURAL, '_other'));
}

/** Texts whose placeholders differ from the English ones, or that use two braces. */
export function findWrongPlaceholders(all: ReadonlyMap<string, LanguageTexts>): string[] {
  const english = all.get('en') ?? new Map();
  const problems: string[] = [];
  for (const [, texts] of all) {
    for (const [key, { text, file }] of texts) {
      if (text.includes('{{')) problems.push(`${file}: "${key}" has two braces; one is enough`);
      const model = english.get(key) ?? english.get(key.replace(PLURAL, '_other'));
      if (model && placeholders(model.text) !== placeholders(text) && !PLURAL.test(key)) {
        problems.push(`${file}: "${key}" has other placeholders than the English text (${placeholders(model.text) || 'none'})`);
      }
    }
  }
  return problems;
}

function placeholders(text: string): string {
  // {name}
  return [...new Set(text.match(/\{\w+\}/g) ?? [])].toSorted().join(' ');
}

/** Words that are between the tags of a component, or in an attribute that people read. */
export function findLiteralTexts({ path, code }: Source): string[] {
  const problems: string[] = [];
  const lines = code.split('\n');
  for (const [index, line] of lines.entries()) {
    if (/^\s*(\*|\/\/|\/\*)/.test(line)) continue;
    // >Some words<   or a line of words alone between tags
    const between = />([^<>{}=;()]*\p{L}{2,}[^<>{}=;()]*)<\//u.exec(line)?.[1];
    // label="Some words"
    const attribute = /\s(?:aria-label|title|label|placeholder|alt)="([^"]*\p{L}{2,}[^"]*)"/u.exec(line)?.[1];
    const found = between ?? attribute;
    if (found) problems.push(`${path}:${index + 1}: "${found.trim()}" is written in the code; give it a key`);
  }
  return problems;
}

/** Keys asked for by a literal `t('…')` or `translate('…')` that no text has. */
export function findUnknownKeys({ path, code }: Source, english: LanguageTexts): string[] {
  const problems: string[] = [];
  const known = new Set([...english.keys()].flatMap((key) => [key, key.replace(PLURAL, '')]));
  for (const [index, line] of code.split('\n').entries()) {
    // t('shell.open'  translate("shell.open"
    for (const match of line.matchAll(/\b(?:t|translate|hasText)\(\s*['"]([\w.-]+)['"]/g)) {
      const key = match[1];
      if (key?.includes('.') && !known.has(key)) problems.push(`${path}:${index + 1}: there is no text "${key}"`);
    }
  }
  return problems;
}
