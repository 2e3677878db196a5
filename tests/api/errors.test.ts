import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import errorsFile from '../../schemas/errors.json' with { type: 'json' };
import { InvalidFields, NotFound, toAnswer, TooManyRequests } from '../../server/kernel/errors.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const listed = Object.keys(errorsFile.errors).sort();

function serverSources(): string[] {
  return readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(root, 'server', name), 'utf8'));
}

describe('error codes', () => {
  const all = serverSources().join('\n');
  const defined = new Map(
    [...all.matchAll(/export const (\w+) = defineError(?:<[^;]*?>)?\('([A-Z_]+)'\)/g)].map((match) => [match[2] ?? '', match[1] ?? '']),
  );

  test('every code of errors.json is thrown somewhere', () => {
    const unused = listed.filter((code) => {
      const name = defined.get(code);
      return name === undefined ? !all.includes(`'${code}'`) : !all.includes(`new ${name}(`);
    });
    expect(unused).toEqual([]);
  });

  test('every code that is thrown is in errors.json', () => {
    expect([...defined.keys()].filter((code) => !listed.includes(code))).toEqual([]);
  });

  test('every code has a text in all four languages', () => {
    for (const language of ['en', 'nb', 'ja', 'uk']) {
      const texts = JSON.parse(readFileSync(join(root, 'src', 'locales', language, 'errors.json'), 'utf8')) as Record<string, string>;
      expect([language, listed.filter((code) => !texts[`errors.${code}`])]).toEqual([language, []]);
    }
  });

  test('programs are answered in the words that the console has in English', () => {
    const texts = JSON.parse(readFileSync(join(root, 'src', 'locales', 'en', 'errors.json'), 'utf8')) as Record<string, string>;
    const straight = (text = ''): string => text.replaceAll(/[“”]/g, '"');
    const differing = Object.entries(errorsFile.errors).filter(([code, { message }]) => straight(texts[`errors.${code}`]) !== message);
    expect(differing.map(([code]) => code)).toEqual([]);
  });

  test('parameters of a text are filled in', () => {
    expect(new TooManyRequests({ seconds: 7 }).message).toBe('Too many requests. Try again in 7 s.');
  });
});

describe('the door from a thrown thing to an answer', () => {
  test('known errors are answered as they are', () => {
    expect(toAnswer(new NotFound({}), 'r1')).toMatchObject({ status: 404, items: [{ code: 'NOT_FOUND' }], isUnexpected: false });
    const many = new InvalidFields([{ source: 'data.3.name', message: 'Fill in this field.' }]);
    expect(toAnswer(many, 'r1')).toMatchObject({ status: 400, items: [{ code: 'INVALID_FIELD', source: 'data.3.name' }] });
  });

  test('unknown ones show the request number only [OP4]', () => {
    for (const thrown of [new Error('select * from users'), 'text', null, undefined, { code: 'ECONNREFUSED', message: '10.0.0.7' }]) {
      const answer = toAnswer(thrown, 'r1');
      expect(answer).toMatchObject({ status: 500, items: [{ code: 'INTERNAL', params: { request_id: 'r1' } }], isUnexpected: true });
      expect(JSON.stringify(answer)).not.toMatch(/select|10\.0\.0\.7/);
    }
  });

  test('a full disk is reported as such by either database [FT2]', () => {
    for (const thrown of [{ code: 'ENOSPC' }, { code: '53100' }, { code: 'ERR_SQLITE_ERROR', errcode: 13 }])
      expect(toAnswer(thrown, 'r1').status).toBe(507);
  });
});
