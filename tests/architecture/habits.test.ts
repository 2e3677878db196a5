import { describe, expect, test } from 'vitest';
import english from '../../src/locales/en/permissions.json' with { type: 'json' };
import permissionsFile from '../../schemas/permissions.json' with { type: 'json' };
import { resources } from '../../resources.config.ts';
import type { ResourceEntry } from '../../schemas/kit/resources/resource-types.ts';
import { loadContract } from '../../schemas/kit/codegen/load.ts';
import { sourcesBelow, withoutComments } from './sources.ts';

const isTest = (path: string): boolean => /\.test\.tsx?$/.test(path);
const product = sourcesBelow('server', 'src', 'schemas', 'resources', 'agent').filter((source) => !isTest(source.path));
const server = product.filter((source) => source.path.startsWith('server/'));
const tests = sourcesBelow('server', 'src', 'schemas', 'agent', 'tests').filter((source) => isTest(source.path));

const LONGEST = 300;

describe('files', () => {
  test('none of the product is longer than 300 lines', () => {
    const long = product.map((source) => [source.path, source.text.split('\n').length] as const).filter(([, lines]) => lines > LONGEST + 1);
    expect(long).toEqual([]);
  });

  test('the server writes to its log, never to the console', () => {
    expect(server.filter((source) => /\bconsole\.\w+\(/.test(withoutComments(source.text))).map((source) => source.path)).toEqual([]);
  });

  test('no list is in the order of the characters of a name [CC1]', () => {
    const byCharacters = /\{ by: (?:sql\.ref|ref|column)\('(?:\w+\.)?(?:name|username|user_name|title|label|email|device_name)'\)/;
    expect(server.filter((source) => byCharacters.test(source.text)).map((source) => source.path)).toEqual([]);
  });

  test('no text becomes HTML, code or a document in the console [IN1]', () => {
    const sinks =
      /\b(?:dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|srcdoc|srcDoc|createContextualFragment|setHTMLUnsafe)\b|\bdocument\.write|\beval\(|\bnew Function\(/;
    const pages = product.filter((source) => source.path.startsWith('src/'));
    expect(pages.length).toBeGreaterThan(300);
    expect(pages.filter((source) => sinks.test(withoutComments(source.text))).map((source) => source.path)).toEqual([]);
  });

  test('no test is skipped, and none runs alone', () => {
    const marks = /\b(?:test|it|describe)(?:\.\w+)*\.(?:skip|only|todo)\b|\bx(?:it|describe)\(/;
    const marked = tests
      .filter((source) => marks.test(withoutComments(source.text).replace(/'[^'\n]*'/g, '')))
      .map((source) => source.path);
    expect(marked).toEqual([]);
  });

  test('the ids that a test checks are at the end of its title', () => {
    const atFront = /\b(?:test|describe)(?:\.each\([^\n]*\))?\(\s*['`][A-Z]{1,4}\d+[ :]/;
    expect(tests.filter((source) => atFront.test(source.text)).map((source) => source.path)).toEqual([]);
  });

  test('nothing is left to do in comments', () => {
    expect(
      [...product, ...tests]
        .filter((source) => /\b(?:TODO|FIXME|XXX)\b(?![^\n]*includes)/.test(source.text) && !source.path.includes('architecture'))
        .map((source) => source.path),
    ).toEqual([]);
  });
});

describe('permissions', () => {
  const declared = permissionsFile.permissions.map((permission) => permission.name);
  const texts = product.filter((source) => !source.path.startsWith('schemas/')).map((source) => source.text);
  const contract = loadContract();
  const inContract = [
    ...Object.values(contract.forms).flatMap((form) => [
      form.permission,
      ...Object.values(form.fields ?? {}).map((rule) => rule.permission),
    ]),
    ...Object.values(contract.events.channels).map((channel) => channel.permission),
  ];

  test('every one that is used is declared', () => {
    const pattern = /permission: \{? ?(?:list: )?'([a-z_]+)'|\b(?:can|requirePermission)\(\s*\w+,\s*'([a-z_]+)'/g;
    const used = texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? ''));
    expect(used.length).toBeGreaterThan(20);
    expect(
      [...new Set([...used, ...inContract])].filter(
        (name) => name !== undefined && name !== 'public' && name !== 'signed-in' && !declared.includes(name),
      ),
    ).toEqual([]);
  });

  test('every one that is declared is asked for somewhere', () => {
    const all = texts.join('\n');
    expect(declared.filter((name) => !inContract.includes(name) && !all.includes(`'${name}'`))).toEqual([]);
  });

  test('programs read the words that the console has in English', () => {
    const words: Record<string, string> = english;
    const differing = permissionsFile.permissions.filter(
      ({ name, title, description }) => words[`permissions.${name}`] !== title || words[`permissions.${name}.description`] !== description,
    );
    expect(differing.map(({ name }) => name)).toEqual([]);
  });

  test('resources of the console ask for declared ones', () => {
    expect(resources.flatMap(({ permission }: ResourceEntry) => permission.list ?? []).filter((name) => !declared.includes(name))).toEqual(
      [],
    );
  });
});
