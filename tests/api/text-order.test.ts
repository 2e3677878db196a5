import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { foldText, sortKey } from '../../schemas/kit/text/text-order.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeTag } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

const IN_ORDER = [
  'alpha',
  'AP-1',
  'ap-2',
  'ap-10',
  'Depot, north',
  'İzmir',
  'straße 4',
  'Zeta',
  'Ærø',
  'Ærø 2',
  'Østfold',
  'Ålesund',
  'Ålesund nord',
  'ｷｬﾉﾋﾟｰ',
];
const SHUFFLED = IN_ORDER.toSorted((a, b) => (a < b ? 1 : -1));

interface Named {
  name: string;
}

const namesOf = (rows: Named[]): string[] => rows.map(({ name }) => name);

describe('lists of names', () => {
  test('are in natural order, page by page, up and down, and in exports [CC1]', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const admin = await as(world, 'admin', { company });
    for (const name of SHUFFLED) {
      await makeDevice(world, { company, name });
      await makeTag(world, { company, name });
    }
    for (const path of ['/devices', '/tags']) {
      const pages = [0, 5, 10].map((offset) => admin.get(path, { sort: 'name', limit: 5, offset }));
      expect((await Promise.all(pages)).flatMap(({ data }) => namesOf(data))).toEqual(IN_ORDER);
      const { data } = await admin.get(path, { sort: '-name', limit: 100 });
      expect(namesOf(data)).toEqual(IN_ORDER.toReversed());
      const file = await admin.get(`${path}/export/csv`, { sort: 'name', fields: 'name', format: 'json' });
      expect(namesOf(JSON.parse(file.text))).toEqual(IN_ORDER);
    }
  });

  test('are searched without regard to case, width, accents and composition [CC1]', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const admin = await as(world, 'admin', { company });
    for (const name of SHUFFLED) {
      await makeDevice(world, { company, name });
      await makeTag(world, { company, name });
    }
    const searches = [
      ['a\u030alesund', 'Ålesund', 'Ålesund nord'],
      ['ÅLESUND', 'Ålesund', 'Ålesund nord'],
      ['izmir', 'İzmir'],
      ['STRASSE', 'straße 4'],
      ['キャノピー', 'ｷｬﾉﾋﾟｰ'],
      ['depot, n', 'Depot, north'],
    ] as const;
    for (const path of ['/devices', '/tags'])
      for (const [q, ...expected] of searches) {
        const { data } = await admin.get(path, { q, sort: 'name' });
        expect([path, q, namesOf(data)]).toEqual([path, q, expected]);
      }
    const top = await as(world, 'admin', { company: await makeCompany(world, { name: 'Ærlig Straße' }) });
    expect(namesOf((await top.get('/companies', { q: 'STRASSE' })).data)).toEqual(['Ærlig Straße']);
  });

  test('a name that is changed moves to its new place [CC1]', async () => {
    await using world = await makeWorld();
    const company = await makeCompany(world);
    const admin = await as(world, 'admin', { company });
    const device = await makeDevice(world, { company, name: 'ap-10' });
    await makeDevice(world, { company, name: 'ap-9' });
    await admin.put(`/devices/${device.id}`, { name: 'ap-2' });
    expect(namesOf((await admin.get('/devices', { sort: 'name' })).data)).toEqual(['ap-2', 'ap-9']);
    expect(namesOf((await admin.get('/devices', { sort: 'name', q: 'ap-2' })).data)).toEqual(['ap-2']);
  });
});

test('the database folds and orders texts as the console does [CC1]', async () => {
  await using world = await makeWorld();
  const { db } = world.ctx;
  const letters = fc.constantFrom(...'aAzåÅäÆæøØÖßſıİïéñÐþŁđœﬁｷﾞﾟァヷガがーґєіїйЁЙςΣά\u0345\u0301\u030a\u0306\u0308 ,-.09１٣一𝒜');
  // Latin, Greek, Cyrillic, kana, ideographs and full width: what newer versions of Unicode added elsewhere the two may not both know.
  const known = fc
    .oneof(
      ...[
        [0x20, 0x52f],
        [0x1e00, 0x1fff],
        [0x3041, 0x30ff],
        [0x4e00, 0x9fef],
        [0xff01, 0xffdc],
      ].map(([min, max]) => fc.integer({ min, max })),
    )
    .map((code) => String.fromCodePoint(code));
  const texts = fc.sample(
    fc.oneof(
      fc.string({ unit: letters, maxLength: 24 }),
      fc.string({ unit: known, maxLength: 12 }),
      fc.string({ unit: 'grapheme-ascii', maxLength: 400 }),
    ),
    { numRuns: 3000, seed: 32 },
  );
  const { rows } = await sql<{
    text: string;
    folded: string;
    key: string;
  }>`select value ->> 0 as text, fold_text(value ->> 0) as folded, sort_key(value ->> 0) as key
    from ${world.ctx.database.tools.jsonRows(texts.map((sample) => [sample]))}`.execute(db);
  expect(rows).toHaveLength(texts.length);
  const differing = rows.filter((row) => row.folded !== foldText(row.text) || row.key !== sortKey(row.text));
  expect(differing).toEqual([]);
});
