import { describe, expect, test } from 'vitest';
import { EXAMPLE_FORM, EXAMPLE_PATH, exampleOptions } from './lint-example.ts';
import { formatProblem, lintFiles } from './lint.ts';

const lint = (text: string, path = EXAMPLE_PATH): string[] => lintFiles([{ path, text }], exampleOptions).map(formatProblem);
const broken = (from: string, to: string): string[] => {
  if (!EXAMPLE_FORM.includes(from)) throw new Error(`The example has no ${from}.`);
  return lint(EXAMPLE_FORM.replace(from, to)).map((line) => line.replace(`${EXAMPLE_PATH}:`, ''));
};

describe('the linter on forms', () => {
  test('finds nothing in a right one', () => expect(lint(EXAMPLE_FORM)).toEqual([]));

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
        '23:34 wrong-value "lookp" is not one of "text", "number", "checkbox", "select", "radio", "lookup", "multi-select", "textarea", "password", "color", "date", "time-range", "file", "json", "list-input", "table-input", "device-select", "permission-matrix", "rule", "task-values", "map-area", "group", "hidden". Did you mean "lookup"?',
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
        '13:63 wrong-value "names" is not one of "name", "line", "email", "ipv4", "hostname", "color", "mac", "timestamp", "date", "cidr", "imei", "phone", "file-name", "date-time", "time", "duration", "uri", "uri-reference", "ipv6", "uuid", "json-pointer", "data-url", "password". Did you mean "name"?',
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
      [
        '11:26 unknown-field "kinds" is required but is no property. Did you mean "kind"?',
        '32:16 bad-example The example is refused at "kinds": Fill in this field.',
      ],
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
      'conditions that exclude each other',
      '"fields": {',
      '"fields": { "company_id": { "depends": { "kind": ["plain"], "color": ["#000000"] } },',
      ['19:42 unreachable-depends The field "company_id" can never be shown: "kind" would have to hold two values at once.'],
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
      [
        '8:23 reference "https://example.com/x.json" leads out of this file: put the schema under "definitions" here and refer to it as "#/definitions/…".',
      ],
    ],
    [
      'a pattern that looks ahead',
      '"^#[0-9a-f]+$"',
      '"^(?=#)[0-9a-f]+$"',
      ['15:66 bad-pattern An expression cannot look ahead or behind: "(?=". Write what is matched itself.'],
    ],
    [
      'no pattern at all',
      '"^#[0-9a-f]+$"',
      '"^(#"',
      ['15:66 bad-pattern This is no regular expression: Invalid regular expression: /^(#/u: Unterminated group.'],
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
      [
        '16:7 bad-name "constructor" is not a name that can stand here: ^(?!__proto__$|constructor$|prototype$)[^.\\u0000-\\u001f]{1,100}$.',
      ],
    ],
    [
      'a host name',
      '"path": "/tags"',
      '"path": "https://example.com/tags"',
      ['28:13 wrong-value "https://example.com/tags" does not match ^/[a-z0-9{}/_-]+$.'],
    ],
    ['a key twice', '"help": "tags",', '"help": "tags",\n  "help": "tags",', ['7:3 repeated-key The key "help" is listed twice.']],
    ['a missing comma', '"surface": "dialog",', '"surface": "dialog"', ['6:3 bad-json This is not valid JSON: comma expected.']],
    ['a comment', '"help"', '// x\n"help"', ['6:3 bad-json This is not valid JSON: invalid comment token.']],
  ])('says where: %s', (_, from, to, problems) => expect(broken(from, to)).toEqual(problems));

  test('a file that is no JSON at all, or empty, does not stop the others', () => {
    const problems = lintFiles(
      [
        { path: 'forms/a/b.form.json', text: '' },
        { path: EXAMPLE_PATH, text: EXAMPLE_FORM.replace('"tags/new"', '"x/y"') },
        { path: 'forms/a/c.form.json', text: '\u0000{{{' },
      ],
      exampleOptions,
    );
    expect(problems.map(({ path, code }) => `${path} ${code}`)).toEqual(
      expect.arrayContaining(['forms/a/b.form.json bad-json', 'forms/a/c.form.json bad-json', `${EXAMPLE_PATH} wrong-id`]),
    );
  });

  test('two forms cannot be one route', () => {
    const other = EXAMPLE_FORM.replace('"tags/new"', '"tags/other"');
    const problems = lintFiles(
      [
        { path: EXAMPLE_PATH, text: EXAMPLE_FORM },
        { path: 'forms/tags/other.form.json', text: other },
      ],
      exampleOptions,
    );
    expect(problems.map(formatProblem)).toEqual([
      `forms/tags/other.form.json:28:13 repeated-route POST /tags belongs to ${EXAMPLE_PATH} already; a route has one form.`,
    ]);
  });

  test('alternatives are forms that there are, the form itself among them', () => {
    const withAlternatives = (ids: string[]) =>
      EXAMPLE_FORM.replace('"help"', `"alternatives": { ${ids.map((id) => `"${id}": { "en": "One" }`).join(', ')} },\n  "help"`);
    const second = EXAMPLE_FORM.replace('"tags/new"', '"tags/other"').replace('"path": "/tags"', '"path": "/tags/other"');
    const problemsOf = (ids: string[]): string[] =>
      lintFiles(
        [
          { path: EXAMPLE_PATH, text: withAlternatives(ids) },
          { path: 'forms/tags/other.form.json', text: second },
        ],
        exampleOptions,
      ).map(formatProblem);
    expect(problemsOf(['tags/new', 'tags/other'])).toEqual([]);
    expect(problemsOf(['tags/new', 'tags/othr'])).toEqual([
      `${EXAMPLE_PATH}:6:50 unknown-form No form named "tags/othr". Did you mean "tags/other"?`,
    ]);
    expect(problemsOf(['tags/other', 'x/y'])).toEqual([
      `${EXAMPLE_PATH}:6:19 missing-form "tags/new" itself is missing among its alternatives.`,
      `${EXAMPLE_PATH}:6:52 unknown-form No form named "x/y".`,
    ]);
  });

  test('texts are checked only against texts that were given', () => {
    const problems = lintFiles([{ path: EXAMPLE_PATH, text: EXAMPLE_FORM.replace('forms.tags.new.title', 'nothing.here') }], {
      ...exampleOptions,
      texts: undefined,
    });
    expect(problems).toEqual([]);
  });
});
