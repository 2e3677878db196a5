import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newLanguageFile, readLanguageFile } from '../../schemas/kit/codegen/language-file.ts';
import { readShippedTexts } from '../../schemas/kit/codegen/load-texts.ts';
import { SECOND } from '../../server/kernel/clock.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const english = new Map([
  ['a.title', 'Title'],
  ['a.hello', 'Hello {name}, see <terms>terms</terms>'],
  ['a.rows_one', '{count} row'],
  ['a.rows_other', '{count} rows'],
]);

describe('what a language file may bring [I4]', () => {
  test('texts of known keys, flat or nested, with the plural forms of the language; empty ones are missing', () => {
    const file = {
      a: { title: 'Tytuł' },
      'a.rows_one': '{count} wiersz',
      'a.rows_few': '{count} wiersze',
      'a.rows_many': '',
      'a.rows_other': '{count} wiersza',
    };
    const { texts, findings, percent } = readLanguageFile(JSON.stringify(file), 'pl', english);
    expect(texts).toEqual({
      'a.title': 'Tytuł',
      'a.rows_one': '{count} wiersz',
      'a.rows_few': '{count} wiersze',
      'a.rows_other': '{count} wiersza',
    });
    expect([findings, percent]).toEqual([[], 33]);
  });

  test.each([
    ['a placeholder of its own', { 'a.title': 'T {secret}' }, 'a.title'],
    ['markup', { 'a.title': '<img src=x onerror=alert(1)>' }, 'a.title'],
    ['markup that never ends', { 'a.hello': '<script src="//x' }, 'a.hello'],
    ['another text', { 'a.title': '$t(a.hello)' }, 'a.title'],
    ['no string', { 'a.title': 7 }, 'a.title'],
    ['a list', { 'a.title': ['x'] }, 'a.title.0'],
    ['an unknown key', { 'b.title': 'x' }, 'b.title'],
    ['a plural form that the language does not have', { 'a.rows_few': '{count} Zeilen' }, 'a.rows_few'],
    ['a text that is too long', { 'a.title': 'x'.repeat(2001) }, 'a.title'],
  ])('%s is left out and named', (_, file, key) => {
    const { texts, findings } = readLanguageFile(JSON.stringify(file), 'de', english);
    expect([texts, findings.map((finding) => finding.key)]).toEqual([{}, [key]]);
  });

  test('names that every object has are names like others, and what is no object of texts is refused as a whole', () => {
    const { texts, findings } = readLanguageFile('{"__proto__":{"a.title":"x"},"constructor":"y","a":{"__proto__":"z"}}', 'de', english);
    expect([texts, findings.length, Object.hasOwn(Object.prototype, 'a.title')]).toEqual([{}, 3, false]);
    expect(['[1]', '"x"', 'null', '{"a'].map((json) => readLanguageFile(json, 'de', english).findings[0]?.key)).toEqual(['', '', '', '']);
  });

  test('a new file has every key with the plural forms of its language, and a file of all texts is complete', () => {
    expect(Object.keys(JSON.parse(newLanguageFile('uk', english)) as object)).toEqual([
      'a.title',
      'a.hello',
      'a.rows_one',
      'a.rows_few',
      'a.rows_many',
      'a.rows_other',
    ]);
    const shipped = readShippedTexts('uk') ?? new Map<string, string>();
    const all = readShippedTexts('en') ?? new Map<string, string>();
    expect(readLanguageFile(newLanguageFile('uk', all, shipped), 'uk', all)).toMatchObject({ findings: [], percent: 100 });
  });
});

const put = (world: World, name: string, texts: unknown): void =>
  writeFileSync(join(world.ctx.config.localesDir, name), typeof texts === 'string' ? texts : JSON.stringify(texts));

async function listed(world: World): Promise<{ code: string; name: string; percent: number; hash: string }[]> {
  const { data } = (await world.app.fastify.inject('/api/languages')).json<{
    data: { code: string; name: string; percent: number; hash: string }[];
  }>();
  return data;
}

describe('the folder of languages [I4]', () => {
  test('a file adds a language for everybody, also before anybody is signed in, and is gone with its file', async () => {
    await using world = await makeWorld();
    expect(await listed(world)).toEqual([]);
    put(world, 'de.json', { 'common.close': 'Schließen', 'common.nothing': 'x' });
    await world.clock.advance(10 * SECOND);
    const [german] = await listed(world);
    expect(german).toMatchObject({ code: 'de', name: 'Deutsch', percent: 0 });
    const texts = await world.app.fastify.inject(`/api/languages/de/${german?.hash}`);
    expect([texts.json(), texts.headers['cache-control']]).toEqual([
      { 'common.close': 'Schließen' },
      'public, max-age=31536000, immutable',
    ]);
    expect((await world.app.fastify.inject('/api/languages/de/0000')).statusCode).toBe(404);
    rmSync(join(world.ctx.config.localesDir, 'de.json'));
    await world.clock.advance(10 * SECOND);
    expect(await listed(world)).toEqual([]);
  });

  test('links, folders, odd names, large files and what is no JSON add nothing, and the good ones beside them stay', async () => {
    await using world = await makeWorld();
    const good = { 'common.close': 'Cerrar' };
    put(world, 'es.json', good);
    put(world, 'fr.json', '{"common.close":');
    put(world, 'it.json', JSON.stringify(good) + ' '.repeat(1024 * 1024));
    put(world, '../outside.json', good);
    put(world, 'constructor.json', good);
    put(world, 'xx-not-a-language.json', good);
    symlinkSync(join(world.ctx.config.localesDir, '../outside.json'), join(world.ctx.config.localesDir, 'pt.json'));
    mkdirSync(join(world.ctx.config.localesDir, 'sv.json'));
    await world.clock.advance(10 * SECOND);
    expect((await listed(world)).map(({ code }) => code)).toEqual(['es']);
  });

  test('who chose an added language gets mails in English, whatever else the browser wishes', async () => {
    const { languageOfCall } = await import('../../server/kernel/language.ts');
    const of = (cookie: string) => languageOfCall({ cookie, 'accept-language': 'nb-NO,nb;q=0.9' });
    expect([of('canopy_language=de'), of('canopy_language=uk'), of(''), of('canopy_language=<script>')]).toEqual(['en', 'uk', 'nb', 'nb']);
  });
});
