import { describe, expect, test } from 'vitest';
import { exampleOptions } from './lint-example.ts';
import { formatProblem, lintFiles } from './lint.ts';

/** A right form with a group, sections, messages and a device job, one member a line. */
const FORM = {
  $schema: '../../meta/form.meta.json',
  id: 'radio/apn',
  title: { en: 'Set the APN' },
  surface: 'page',
  permission: 'create_tags',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['kind'],
    properties: {
      kind: { type: 'string', enum: ['public', 'private'] },
      sim: {
        type: 'object',
        additionalProperties: false,
        required: ['apn'],
        properties: { apn: { type: 'string', maxLength: 100 }, pin: { type: 'string', maxLength: 8 } },
      },
    },
  },
  fields: { sim: { depends: { kind: ['private'] } }, 'sim.pin': { depends: { 'sim.apn': ['quay'] }, permission: 'create_tags' } },
  ui: {
    kind: { 'ui:label': { en: 'Kind' } },
    sim: { 'ui:label': { en: 'SIM' }, 'ui:widget': 'group' },
    'sim.apn': { 'ui:label': { en: 'APN' } },
    'sim.pin': { 'ui:label': { en: 'PIN' } },
  },
  order: ['kind', 'note', 'sim.pin', 'sim.apn'],
  sections: [{ title: { en: 'Access' }, fields: ['sim', 'note'] }],
  alerts: { note: { type: 'warning', text: { en: 'The link drops.' }, depends: { 'sim.apn': ['x'] }, permission: 'create_tags' } },
  place: { devices: ['row', 'bulk'], menu: 'management' },
  submit: { job: { steps: [['uci', 'set', 'apn={sim.apn}', '{device.mac}', '{{x}']] }, success: { then: 'job' } },
  examples: [{ kind: 'private', sim: { apn: 'quay', pin: '1234' } }],
};

type Change = (form: typeof FORM & Record<string, unknown>) => void;

function lint(change: Change): string[] {
  const form = structuredClone(FORM) as typeof FORM & Record<string, unknown>;
  change(form);
  const options = { ...exampleOptions, known: { ...exampleOptions.known, webhooks: new Set(['billing']) } };
  return lintFiles([{ path: 'forms/radio/apn.form.json', text: JSON.stringify(form) }], options).map((problem) =>
    formatProblem(problem).replace(/^\S+ /, ''),
  );
}

const job = (...step: string[]): Change => {
  return (form) => (form.submit.job.steps = [step]);
};
const submit = (value: unknown): Change => {
  return (form) => Object.assign(form, { submit: value });
};

describe('the linter on groups, sections, messages and places', () => {
  test('finds nothing in a right form', () => expect(lint(() => undefined)).toEqual([]));

  test('names a capability that no device has', () => {
    const found = lint((form) => {
      Object.assign(form.schema.properties, { device_id: { type: 'array', maxItems: 9, items: { type: 'integer' } } });
      Object.assign(form.ui, {
        device_id: { 'ui:label': { en: 'Devices' }, 'ui:widget': 'device-select', 'ui:options': { supports: 'wfi' } },
      });
    });
    expect(found).toEqual([expect.stringContaining('No capability named "wfi". Did you mean "wifi"?')]);
  });

  test.each<[string, Change, string]>([
    [
      'a path to nothing',
      (form) => Object.assign(form.fields, { 'sim.apm': { required: true } }),
      'unknown-field No field named "sim.apm". Did you mean "sim.apn"?',
    ],
    ['an order of nothing', (form) => form.order.push('sim.puk'), 'unknown-field No field named "sim.puk". Did you mean "sim.pin"?'],
    [
      'a section of nothing',
      (form) => form.sections[0]?.fields.push('notes'),
      'unknown-field No field named "notes". Did you mean "note"?',
    ],
    [
      'a field in two sections',
      (form) => form.sections.push({ title: { en: 'More' }, fields: ['sim'] }),
      'repeated-place "sim" is already in section 1.',
    ],
    [
      'a message named like a field',
      (form) => Object.assign(form.alerts, { kind: form.alerts.note }),
      'repeated-name "kind" is a field; a message needs a name of its own.',
    ],
    [
      'a message that depends on nothing',
      (form) => Object.assign(form.alerts.note, { depends: { 'sim.apm': ['x'] } }),
      'unknown-field No field named "sim.apm". Did you mean "sim.apn"?',
    ],
    [
      'a message for nobody',
      (form) => Object.assign(form.alerts.note, { permission: 'create_tag' }),
      'unknown-permission No permission named "create_tag". Did you mean "create_tags"?',
    ],
    [
      'a dependency on a group',
      (form) => Object.assign(form.fields, { kind: { depends: { sim: ['x'] } } }),
      'unreachable-depends "sim" is a group, which holds no value to depend on.',
    ],
    [
      'a member that contradicts its group',
      (form) => Object.assign(form.fields, { 'sim.pin': { depends: { kind: ['public'] } } }),
      'unreachable-depends The field "sim.pin" can never be shown: "kind" would have to hold two values at once.',
    ],
    [
      'a group drawn as a text',
      (form) => Object.assign(form.ui.sim, { 'ui:widget': 'text' }),
      'widget-type The widget "text" cannot hold a value of type object.',
    ],
    [
      'an untranslated label of a member',
      (form) => Object.assign(form.ui, { 'sim.pin': {} }),
      'missing-text No English text for the label "fields.pin". Did you mean "fields.kind"?',
    ],
    [
      'markup in a section',
      (form) => Object.assign(form.sections[0] ?? {}, { description: { en: '<b>x</b>' } }),
      'markup Texts are plain: no HTML.',
    ],
    ['an argument of no field', job('uci', '{sim.apm}'), 'unknown-field No field named "sim.apm". Did you mean "sim.apn"?'],
    ['an argument of a whole group', job('uci', '{sim}'), 'bad-placeholder "sim" holds several values; name one of them, such as {sim.…}.'],
    [
      'a variable that devices lack',
      job('uci', '{device.serail}'),
      'unknown-variable Devices have no "device.serail". Did you mean "device.serial"?',
    ],
    ['an open brace', job('uci', 'a{b'), 'bad-placeholder This brace is never closed; write {{ for a brace.'],
    [
      'a program that people choose',
      job('{sim.apn}', 'x'),
      'placeholder-in-program The program is fixed: what people enter goes into its arguments.',
    ],
    [
      'a script that people write',
      job('busybox', 'sh', '-ec', 'echo {sim.apn}', 'sh', '{sim.pin}'),
      'placeholder-in-program What people enter must never be part of a script: pass it as a further argument and read it there as "$1".',
    ],
    [
      'a webhook without an address',
      submit({ webhook: { to: 'biling' }, payload: 'devices', success: {} }),
      'unknown-webhook No webhook named "biling". Did you mean "billing"?',
    ],
    [
      'a menu entry that needs a record',
      submit({ method: 'PUT', path: '/x/{id}', payload: 'devices', success: {} }),
      'unreachable-place /x/{id} needs a record, and the menu gives none.',
    ],
    [
      'a bulk action without devices',
      submit({ webhook: { to: 'billing' }, success: {} }),
      'unreachable-place A form for several devices needs `"payload": "devices"` or a job.',
    ],
    [
      'a file that would be sent as text',
      (form) => Object.assign(form.ui['sim.apn'], { 'ui:widget': 'file' }),
      'wrong-encoding A form with a file is sent with `"encoding": "multipart"`.',
    ],
    [
      'a file that no command can hold',
      (form) => Object.assign(form.ui['sim.apn'], { 'ui:widget': 'file', 'ui:options': { maxBytes: 16_385 } }),
      'file-too-large The command of a job takes files of at most 16384 bytes: write `"maxBytes": 16384` or less.',
    ],
    [
      'a replacement of nothing',
      (form) => Object.assign(form, { replaces: true }),
      'unknown-form No form "radio/apn" to take the place of.',
    ],
    [
      'an example that breaks a rule of a member',
      (form) => Object.assign(form, { examples: [{ kind: 'private', sim: { pin: '1' } }] }),
      'bad-example The example is refused at "sim.apn": Fill in this field.',
    ],
  ])('says so of %s', (_what, change, problem) => expect(lint(change)).toContain(problem));

  test('groups stand three deep, not four; names of the prototype are no names at any depth', () => {
    const nest = (depth: number, name: string): Change => {
      return (form) => {
        let schema: object = { type: 'string', maxLength: 5 };
        for (let level = 0; level < depth; level += 1)
          schema = { type: 'object', additionalProperties: false, properties: { [level === 0 ? name : 'g']: schema } };
        Object.assign(form.schema.properties, { g: schema });
      };
    };
    const codes = (change: Change): string[] => lint(change).map((problem) => problem.split(' ')[0] ?? '');
    expect(codes(nest(3, 'apn'))).not.toContain('too-deep');
    expect(codes(nest(4, 'apn'))).toContain('too-deep');
    for (const name of ['constructor', 'prototype', '__proto__'])
      expect(
        codes((form) => Object.assign(form.schema.properties.sim, { properties: JSON.parse(`{"${name}":{"type":"boolean"}}`) })),
      ).toContain('bad-name');
  });

  test('a form of the same id takes the place of another only when it says so', () => {
    const file = (path: string, extra: object) => ({ path, text: JSON.stringify({ ...FORM, ...extra }) });
    const both = (extra: object): string[] =>
      lintFiles([file('forms/radio/apn.form.json', {}), file('added/radio/apn.form.json', extra)], exampleOptions).map(formatProblem);
    const alone = (extra: object): string[] =>
      lintFiles([file('added/radio/apn.form.json', extra)], {
        ...exampleOptions,
        known: { ...exampleOptions.known, forms: new Set(['radio/apn']) },
      }).map(({ code }) => code);
    expect([alone({}), alone({ replaces: true })]).toEqual([['repeated-id'], []]);
    expect(both({ replaces: true })).toEqual([]);
    expect(both({})).toEqual([
      'added/radio/apn.form.json:1:45 repeated-id "radio/apn" is forms/radio/apn.form.json already; `"replaces": true` takes its place.',
    ]);
  });
});
