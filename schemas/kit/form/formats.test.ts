import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { allFormats } from './all-formats.ts';
import { formats } from './formats.ts';
import type { FormatName } from './formats.ts';
import { normalizeText } from './normalize-text.ts';
import { loadMeta } from '../codegen/load.ts';

const examples: Record<FormatName, { good: string[]; bad: string[] }> = {
  name: {
    good: ['Bergen ferry quay 04', 'Åsane', '東京', 'a', 'Kraft (112) #7 & co.'],
    bad: [
      'a/b',
      'a\\b',
      'a:b',
      'a*b',
      'a?b',
      'a"b',
      'a<b',
      'a>b',
      'a|b',
      "a'b",
      'a`b',
      ' a',
      'a ',
      '   ',
      'a\nb',
      'a\u0000b',
      'exe\u202Egpj',
    ],
  },
  line: { good: ["O'Brien", 'a/b', 'Їжак'], bad: [' a', 'a\t', 'a\nb', 'a\u2066b'] },
  email: {
    good: ['kari@fjordline.example', 'a.b+c@x-y.example.com', "o'brien@example.com"],
    bad: ['kari', 'kari@', '@example.com', 'a@b', 'a b@example.com', 'a..b@example.com', 'a@-b.com', 'a@b.com\n'],
  },
  ipv4: { good: ['0.0.0.0', '192.168.1.1', '255.255.255.255'], bad: ['256.1.1.1', '1.1.1', '1.1.1.1.1', '01.1.1.1', '1.1.1.1 '] },
  hostname: {
    good: [
      'quay-04.fjordline.no',
      'a.museum',
      `${'a'.repeat(63)}.com`,
      'gw.fleet.network',
      'vpn.internal',
      'a.company',
      'xn--troms-zua.xn--p1ai',
    ],
    bad: [
      'localhost',
      '-a.com',
      'a-.com',
      'a..com',
      'a.c',
      'a.com-',
      '10.0.0.1',
      'a.1',
      'tromsø.no',
      `${'a'.repeat(64)}.com`,
      `a.${'b'.repeat(64)}`,
    ],
  },
  color: { good: ['#0958d9', '#ABCDEF'], bad: ['0958d9', '#fff', '#0958dg', 'red', '#0958d9ff'] },
  mac: {
    good: ['00:1E:42:AB:CD:EF', '00:1e:42:ab:cd:ef'],
    bad: ['00-1E-42-AB-CD-EF', '001E42ABCDEF', '00:1E:42:AB:CD', '00:1E:42:AB:CD:EG'],
  },
  date: {
    good: ['2026-11-21', '2024-02-29', '2000-02-29', '2026-12-31'],
    bad: ['2026-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-1-1', '21.11.2026', ''],
  },
  cidr: {
    good: ['10.0.0.0/8', '192.168.1.1/32', '0.0.0.0/0'],
    bad: ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/', '10.0.0.256/8', '10.0.0.0/08'],
  },
  imei: { good: ['356938035643809'], bad: ['35693803564380', '35-693803-564380-9', '3569380356438091'] },
  phone: { good: ['+4791234567', '11223'], bad: ['91 23 45 67', '+', '1234', '+1234567890123456', '++4791234567'] },
  'file-name': {
    good: ['rutx50-config.json', '東京.csv', '.profile', 'a'.repeat(255)],
    bad: ['a/b', 'a\\b', 'a:b', '..', '.', '', ' a', 'a\u0000', 'exe\u202Egpj', 'a'.repeat(256)],
  },
  timestamp: { good: ['2026-11-21 03:15:00'], bad: ['2026-11-21T03:15:00Z', '2026-13-01 00:00:00', '2026-11-21 24:00:00', '2026-11-21'] },
};

describe.each(Object.entries(formats))('the format %s', (name, format) => {
  const { good, bad } = examples[name as FormatName];

  test.each(good)('takes %j', (text) => expect(format.test(text)).toBe(true));
  test.each(bad)('refuses %j', (text) => expect(format.test(text)).toBe(false));

  test('is fast on hostile texts', () => {
    const hostile = [
      'a'.repeat(50_000),
      ' '.repeat(50_000),
      `${'a.'.repeat(25_000)}!`,
      `a@${'a-'.repeat(25_000)}`,
      `${'1.'.repeat(25_000)}`,
    ];
    const before = process.cpuUsage();
    for (const text of hostile) format.test(text);
    // A pattern that tries again from every place needs minutes for these.
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });
});

test('the meta-schema of forms offers exactly these formats, and those of JSON Schema that forms take', () => {
  const { definitions } = loadMeta().form as { definitions: { jsonSchema: { properties: { format: { enum: string[] } } } } };
  const offered = definitions.jsonSchema.properties.format.enum;
  expect(offered.slice(0, Object.keys(formats).length)).toEqual(Object.keys(formats));
  expect(offered.toSorted()).toEqual(Object.keys(allFormats).toSorted());
});

test.each<[string, string[]]>([
  ['time', ['12:30:00Z', '23:59:60Z', '12:30:00+01:00', '12:30:00.25z', '24:00:00Z', '12:60:00Z', '12:30:60Z', '12:30', '12:30:00', 'x']],
  ['date-time', ['2026-02-28T12:30:00Z', '2024-02-29t00:00:00+05:30', '2026-02-29T12:30:00Z', '2026-02-28', '2026-02-28T12:30:00', '']],
  [
    'uri',
    ['https://example.com', 'mailto:a@b', 'urn:x:y', 'http://[::1]:80/a?b#c', 'example.com', '/a', 'http:', 'a b:c', 'http://a b', ''],
  ],
  ['date', ['2026-02-28', '2024-02-29', '2026-02-29', '2100-02-29', '2026-13-01', '26-01-01']],
  ['ipv4', ['192.168.1.1', '256.1.1.1', '1.1.1', '01.1.1.1']],
])('the format %s is judged as ajv-formats does', (format, texts) => {
  const ajv = new Ajv();
  addFormats.default(ajv);
  const theirs = ajv.compile({ type: 'string', format });
  const ours = allFormats[format];
  expect(texts.map((text) => ours instanceof RegExp && ours.test(text))).toEqual(texts.map((text) => theirs(text)));
});

test.each(Object.entries(allFormats))('a hostile text costs the format %s no time', (_name, rule) => {
  if (rule === true) return;
  const before = process.cpuUsage();
  for (const sign of ['a', '0', '.', ':', '-', '/', 'a:', '%41', '::', 'a.'])
    rule.test(`${sign === '/' ? 'http://' : ''}${sign.repeat(50_000)}\u0001`);
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
});

test('hosts below any top level are taken, and those in other letters become IDNA [CK2]', () => {
  for (const host of ['gw.fleet.network', 'vpn.internal', 'a.company', 'xn--troms-zua.example']) {
    expect(formats.hostname.test(host)).toBe(true);
    expect(normalizeText('hostname', host)).toBe(host);
  }
  for (const [typed, host] of [
    ['Tromsø.example', 'xn--troms-zua.example'],
    ['київ.укр', 'xn--b1alf1j.xn--j1amh'],
    ['ドメイン。example', 'xn--eckwd4c7c.example'],
  ] as const)
    expect([normalizeText('hostname', typed), formats.hostname.test(normalizeText('hostname', typed))]).toEqual([host, true]);
  for (const text of ['tromsø.no/path', 'a b.no', 'kari@tromsø.no']) expect(normalizeText('hostname', text)).toBe(text);
});
