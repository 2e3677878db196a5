import { describe, expect, test } from 'vitest';
import { formatProblem, lintFiles } from './lint.ts';
import type { LintOptions } from './lint.ts';
import { loadMeta } from './load.ts';

const PATH = 'forms/tags/new.form.json';
// Line and column of each part are what the tests below name.
const FORM = `{
  "$schema": "../../meta/form.meta.json",
  "id": "tags/new",
  "title": "forms.tags.new.title",
  "surface": "dialog",
  "help": "tags",
  "permission": "create_tags",
  "schema": {
    "type": "object",
    "additionalProperties": false,
    "required": ["name", "kind"],
    "properties": {
      "name": { "type": "string", "maxLength": 100, "format": "name" },
      "kind": { "type": "string", "enum": ["plain", "coloured"], "default": "plain" },
      "color": { "type": "string", "format": "color", "pattern": "^#[0-9a-f]+$" },
      "company_id": { "type": "integer", "minimum": 1 }
    }
  },
  "fields": { "color": { "depends": { "kind": ["coloured"] }, "required": true, "permission": "create_tags" } },
  "ui": {
    "name": { "ui:widget": "text", "ui:autofocus": true },
    "kind": { "ui:widget": "radio", "ui:options": { "labels": { "plain": "fields.name", "coloured": { "en": "Coloured" } } } },
    "company_id": { "ui:widget": "lookup", "ui:options": { "lookup": "companies", "params": { "kind": "{kind}" } } }
  },
  "order": ["kind", "name"],
  "submit": {
    "method": "POST",
    "path": "/tags",
    "success": { "then": "close", "reload": ["tags"] },
    "errors": { "fields": { "company": "company_id" } }
  },
  "examples": [{ "name": "ferry", "kind": "plain" }]
}
`;
const options: LintOptions = {
  meta: loadMeta(),
  texts: new Set(['forms.tags.new.title', 'fields.name', 'fields.kind', 'fields.color', 'fields.company_id', 'validation.minItems_other']),
  resources: new Set(['tags']),
  known: { permissions: new Set(['create_tags']), lookups: new Set(['companies']), help: new Set(['tags']) },
};

const lint = (text: string, path = PATH): string[] => lintFiles([{ path, text }], options).map(formatProblem);
const broken = (from: string, to: string): string[] => {
  if (!FORM.includes(from)) throw new Error(`The example has no ${from}.`);
  return lint(FORM.replace(from, to)).map((line) => line.replace(`${PATH}:`, ''));
};

describe('the linter on forms', () => {
  test('finds nothing in a right one', () => expect(lint(FORM)).toEqual([]));

  test.each<[string, string, string, string[]]>([
    [
      'an unknown key',
      '"surface"',
      '"sufrace"',
      ['1:1 missing-key The key "surface" is missing.', '5:3 unknown-key The key "sufrace" is not known here. Did you mean "surface"?'],
    ],
    [
      'an unknown widget',
      '"ui:widget": "lookup"',
      '"ui:widget": "lookp"',
      [
        '23:34 wrong-value "lookp" is not one of "text", "number", "checkbox", "select", "radio", "lookup", "multi-select", "textarea", "password", "color", "hidden". Did you mean "lookup"?',
      ],
    ],
    [
      'an unknown lookup',
      '"lookup": "companies"',
      '"lookup": "company"',
      ['23:70 unknown-lookup No lookup named "company". Did you mean "companies"?'],
    ],
    [
      'an unknown permission',
      '"permission": "create_tags",\n',
      '"permission": "create_tag",\n',
      ['7:17 unknown-permission No permission named "create_tag". Did you mean "create_tags"?'],
    ],
    [
      'an unknown permission of a field',
      '"required": true, "permission": "create_tags"',
      '"required": true, "permission": "x"',
      ['19:95 unknown-permission No permission named "x".'],
    ],
    ['an unknown help key', '"help": "tags"', '"help": "tag"', ['6:11 unknown-help No help named "tag". Did you mean "tags"?']],
    [
      'an unknown format',
      '"format": "name"',
      '"format": "names"',
      [
        '13:63 wrong-value "names" is not one of "name", "line", "email", "ipv4", "hostname", "color", "mac", "timestamp". Did you mean "name"?',
      ],
    ],
    [
      'an unknown field in ui',
      '"ui": {\n    "name"',
      '"ui": {\n    "nmae"',
      ['21:5 unknown-field No field named "nmae". Did you mean "name"?'],
    ],
    [
      'an unknown field in fields',
      '"fields": { "color"',
      '"fields": { "colour"',
      ['19:15 unknown-field No field named "colour". Did you mean "color"?'],
    ],
    [
      'an unknown field in order',
      '["kind", "name"],\n  "submit"',
      '["knid", "name"],\n  "submit"',
      ['25:13 unknown-field No field named "knid". Did you mean "kind"?'],
    ],
    [
      'an unknown field in errors',
      '"company": "company_id"',
      '"company": "company"',
      ['30:40 unknown-field No field named "company". Did you mean "company_id"?'],
    ],
    ['an unknown field in a lookup parameter', '"{kind}"', '"{kin}"', ['23:103 unknown-field No field named "kin". Did you mean "kind"?']],
    [
      'an unknown resource',
      '"reload": ["tags"]',
      '"reload": ["tag"]',
      ['29:46 unknown-resource No resource named "tag". Did you mean "tags"?'],
    ],
    [
      'a required field that is none',
      '"required": ["name", "kind"]',
      '"required": ["name", "kinds"]',
      ['11:26 unknown-field "kinds" is required but is no property. Did you mean "kind"?'],
    ],
    [
      'a refused example',
      '"kind": "plain" }',
      '"kind": "red" }',
      ['32:43 bad-example The example is refused at "kind": Choose one of the values offered.'],
    ],
    [
      'an example with a hidden field',
      '"kind": "plain" }',
      '"kind": "plain", "color": "#0958d9" }',
      ['32:61 bad-example The example is refused at "color": This field does not apply here. Leave it out.'],
    ],
    [
      'an unreachable value',
      '{ "kind": ["coloured"] }',
      '{ "kind": ["colored"] }',
      ['19:48 unreachable-depends "kind" can never be "colored": its schema refuses it.'],
    ],
    [
      'a field that depends on itself',
      '{ "kind": ["coloured"] }',
      '{ "color": ["#000000"] }',
      ['19:37 unreachable-depends The field "color" can never be shown: it depends on itself: color → color.'],
    ],
    [
      'a missing text',
      '"title": "forms.tags.new.title"',
      '"title": "forms.tag.new.title"',
      ['4:12 missing-text No English text for the key "forms.tag.new.title". Did you mean "forms.tags.new.title"?'],
    ],
    [
      'a missing label',
      '"company_id": { "type"',
      '"owner_id": { "type"',
      [
        '16:7 missing-text No English text for the label "fields.owner_id".',
        '23:5 unknown-field No field named "company_id".',
        '30:40 unknown-field No field named "company_id".',
      ],
    ],
    ['markup', '"en": "Coloured"', '"en": "<b>Coloured</b>"', ['22:109 markup Texts are plain: no HTML.']],
    [
      'a label of no value',
      '"plain": "fields.name"',
      '"plan": "fields.name"',
      ['22:65 unknown-value "plan" is no value of the field. Did you mean "plain"?'],
    ],
    [
      'an id that is not the path',
      '"id": "tags/new"',
      '"id": "tags/add"',
      ['3:9 wrong-id The id must be "tags/new", like the path of the file.'],
    ],
    [
      'a text without a bound',
      '"maxLength": 100, ',
      '',
      ['13:15 unbounded A text needs a `maxLength`: the server keeps no text without a bound.'],
    ],
    [
      'a list without a bound',
      '{ "type": "integer", "minimum": 1 }',
      '{ "type": "array" }',
      ['16:21 unbounded A list needs `items` and `maxItems`.', '23:19 widget-type A list is chosen with `"multiple": true`.'],
    ],
    [
      'an open object',
      '"additionalProperties": false,',
      '',
      ['8:13 open-object Say `"additionalProperties": false`, or what other members must be: unknown members are refused.'],
    ],
    [
      'a reference',
      '"schema": {\n',
      '"schema": { "$ref": "https://example.com/x.json",\n',
      ['8:15 reference "$ref" is not supported: write the rule here, so that the file stands on its own.'],
    ],
    [
      'a risky pattern',
      '"^#[0-9a-f]+$"',
      '"^(#[0-9a-f]+)+$"',
      [
        '15:66 risky-pattern A hostile text could keep this regular expression busy for very long: the repetition + repeats a group that repeats something itself.',
      ],
    ],
    [
      'no pattern at all',
      '"^#[0-9a-f]+$"',
      '"^(#"',
      [
        '15:66 bad-pattern This is no regular expression: Invalid regular expression: /^(#/u: Unterminated group.',
        '8:13 bad-schema The schema cannot be compiled: Invalid regular expression: /^(#/u: Unterminated group.',
      ].toReversed(),
    ],
    [
      'a wrong default',
      '"default": "plain"',
      '"default": "red"',
      ["14:77 bad-default The default breaks the field's own rule: Choose one of the values offered."],
    ],
    [
      'bounds that exclude each other',
      '"maxLength": 100',
      '"minLength": 101, "maxLength": 100',
      [
        '13:48 impossible minLength is greater than maxLength: nothing fits.',
        '32:26 bad-example The example is refused at "name": Use 101 to 100 characters.',
      ],
    ],
    [
      'a widget for another type',
      '"ui:widget": "text"',
      '"ui:widget": "number"',
      ['21:28 widget-type The widget "number" cannot hold a value of type string.'],
    ],
    ['a lookup without its name', '"lookup": "companies", ', '', ['23:19 missing-lookup The widget "lookup" needs `ui:options.lookup`.']],
    [
      'a name from the prototype',
      '"company_id": { "type"',
      '"constructor": { "type"',
      ['16:7 bad-name "constructor" is not a name that can stand here: ^(?!constructor$|prototype$)[a-z][a-z0-9_-]{0,63}$.'],
    ],
    [
      'a host name',
      '"path": "/tags"',
      '"path": "https://example.com/tags"',
      ['28:13 wrong-value "https://example.com/tags" does not match ^/[a-z0-9{}/_-]+$.'],
    ],
    ['a key twice', '"help": "tags",', '"help": "tags",\n  "help": "tags",', ['7:3 repeated-key The key "help" stands here twice.']],
    ['a missing comma', '"surface": "dialog",', '"surface": "dialog"', ['6:3 bad-json This is not valid JSON: comma expected.']],
    ['a comment', '"help"', '// x\n"help"', ['6:3 bad-json This is not valid JSON: invalid comment token.']],
  ])('says where: %s', (_, from, to, problems) => expect(broken(from, to)).toEqual(problems));

  test('a file that is no JSON at all, or empty, does not stop the others', () => {
    const problems = lintFiles(
      [
        { path: 'forms/a/b.form.json', text: '' },
        { path: PATH, text: FORM.replace('"tags/new"', '"x/y"') },
        { path: 'forms/a/c.form.json', text: '\u0000{{{' },
      ],
      options,
    );
    expect(problems.map(({ path, code }) => `${path} ${code}`)).toEqual(
      expect.arrayContaining(['forms/a/b.form.json bad-json', 'forms/a/c.form.json bad-json', `${PATH} wrong-id`]),
    );
  });

  test('two forms cannot be one route', () => {
    const other = FORM.replace('"tags/new"', '"tags/other"');
    const problems = lintFiles(
      [
        { path: PATH, text: FORM },
        { path: 'forms/tags/other.form.json', text: other },
      ],
      options,
    );
    expect(problems.map(formatProblem)).toEqual([
      `forms/tags/other.form.json:28:13 repeated-route POST /tags belongs to ${PATH} already; a route has one form.`,
    ]);
  });

  test('texts are checked only against texts that were given', () => {
    const problems = lintFiles([{ path: PATH, text: FORM.replace('forms.tags.new.title', 'nothing.here') }], {
      ...options,
      texts: undefined,
    });
    expect(problems).toEqual([]);
  });
});

describe('the limits of a form file', () => {
  const fields = (count: number): string => {
    const properties = Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { type: 'boolean' }]));
    return JSON.stringify({
      ...JSON.parse(FORM),
      schema: { type: 'object', additionalProperties: false, properties },
      fields: {},
      ui: {},
      order: [],
      examples: [{}],
      submit: { method: 'POST', path: '/x', success: {} },
    });
  };
  const codes = (text: string): string[] => [
    ...new Set(lintFiles([{ path: PATH, text }], { ...options, texts: undefined }).map(({ code }) => code)),
  ];

  test('300 fields pass, 301 do not', () => {
    expect(codes(fields(300))).toEqual([]);
    expect(codes(fields(301))).toEqual(['too-many-fields']);
  });

  test('256 KB pass, more do not', () => {
    const pad = (bytes: number): string => FORM + ' '.repeat(bytes - FORM.length);
    expect(codes(pad(256 * 1024))).toEqual([]);
    expect(codes(pad(256 * 1024 + 1))).toEqual(['too-large']);
  });

  test('twelve levels pass, more do not, and a million brackets are no danger', () => {
    const nested = (levels: number): string => FORM.replace('"default": "plain"', `"default": ${'['.repeat(levels)}${']'.repeat(levels)}`);
    // The file, `schema`, `properties` and the field are four levels.
    expect(codes(nested(8))).not.toContain('too-deep');
    expect(codes(nested(9))).toContain('too-deep');
    expect(codes('['.repeat(200_000))).toEqual(['too-deep']);
  });
});

describe('the linter on the other files', () => {
  const read = (path: string, value: unknown): string[] =>
    lintFiles([{ path, text: JSON.stringify(value) }], { ...options, texts: undefined }).map(({ code, message }) => `${code} ${message}`);

  test('an entity is named like its file', () => {
    const entity = { $schema: 'x', id: 'job_targets', title: 'x', schema: { type: 'object', properties: { id: { type: 'integer' } } } };
    expect(read('entities/job-target.json', entity)).toEqual([
      'wrong-id The id must be "job_target", like the name of the file with low lines.',
    ]);
  });

  test('an event goes to a channel that exists and carries an entity that exists', () => {
    const channels = { 'companies.{company_id}.devices': { permission: 'create_tag', description: 'x' } };
    const events = { DeviceChanged: { channel: 'companies.{company_id}.device', description: 'x', payload: { entity: 'devise' } } };
    const entity = { $schema: 'x', id: 'device', title: 'x', schema: { type: 'object', properties: {} } };
    const files = [
      { path: 'events.json', text: JSON.stringify({ $schema: 'x', channels, events }) },
      { path: 'entities/device.json', text: JSON.stringify(entity) },
    ];
    expect(lintFiles(files, { ...options, texts: undefined }).map(({ message }) => message)).toEqual([
      'No permission named "create_tag". Did you mean "create_tags"?',
      'No channel named "companies.{company_id}.device". Did you mean "companies.{company_id}.devices"?',
      'No entity named "devise". Did you mean "device"?',
    ]);
  });

  test('permissions stand once and name roles that exist', () => {
    const permission = { name: 'view_tags', category: 'Tags', title: 'x', description: 'x', roles: ['admin'] };
    const role = { id: 2, key: 'admin', title: 'x', description: 'x', scope: 'tree', can_invite: [] };
    const file = (permissions: object[]): object => ({ $schema: 'x', roles: [role], permissions });
    expect(read('permissions.json', file([permission, permission]))).toEqual(['repeated The permission "view_tags" stands here twice.']);
    expect(read('permissions.json', file([{ ...permission, roles: ['admn'] }]))[0]).toMatch(/Did you mean "admin"\?$/);
  });

  test('an error code is upper case with a status of an error', () => {
    const entry = { status: 200, audience: 'user', message: 'x' };
    expect(read('errors.json', { $schema: 'x', errors: { notFound: entry } }).map((line) => line.split(' ')[0])).toEqual([
      'bad-name',
      'wrong-value',
    ]);
  });
});
