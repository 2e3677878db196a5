import { cleanup, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { compileFormBody } from '../../../schemas/kit/form/compile-body.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseOption } from '../../ui/test-kit.ts';
import { plainDigits } from '../../../schemas/kit/form/decimals.ts';
import { closeEverything, makeForm, openTestForm, startTestServer } from './test-kit.tsx';
import type { JsonSchema, JsonValue } from '../../../schemas/kit/form/types.ts';
import type { TestServer } from './test-kit.tsx';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer(() => ({ body: { success: true, data: null } }));
});
afterAll(() => server.close());

const ROUNDS = 40;

/** A schema with a value of it, right or wrong, and how a person enters the value where it is drawn. */
interface Entry {
  schema: JsonSchema;
  value: JsonValue | undefined;
  enter: (user: UserEvent, area: HTMLElement) => Promise<void>;
}

const nothing = async (): Promise<void> => undefined;
const texts = fc.stringMatching(/^[a-zæø][a-zæø 0-9.,;"-]{0,4}[a-zæø0-9]$/);
const box = (area: HTMLElement, name: string): HTMLElement => within(area).getByRole('textbox', { name });

/** Values that are typed into one box. */
function typed(schema: JsonSchema, values: fc.Arbitrary<string | number>): (title: string) => fc.Arbitrary<Entry> {
  return (title) =>
    values.map((value) => ({
      schema: { ...schema, title },
      value,
      enter: (user, area) => user.type(box(area, title), typeof value === 'number' ? plainDigits(value) : value),
    }));
}

const cents = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }).map((count) => count / 100);
const scalars = [
  typed({ type: 'string' }, texts),
  typed({ type: 'string', minLength: 3, pattern: '^[a-z]' }, texts),
  typed({ type: 'integer' }, fc.maxSafeInteger()),
  typed({ type: 'integer', exclusiveMinimum: 0, maximum: 99 }, fc.integer({ min: -5, max: 105 })),
  typed({ type: 'number', multipleOf: 0.01 }, cents),
  typed(
    { type: 'number' },
    fc.tuple(fc.integer(), fc.integer({ min: 0, max: 12 })).map(([digits, places]) => Number(`${digits}e-${places}`) + 0),
  ),
  typed({ type: ['integer', 'null'] }, fc.integer()),
  typed({ type: ['string', 'null'], maxLength: 40 }, texts),
];

const yesOrNo = (title: string): fc.Arbitrary<Entry> =>
  fc.boolean().map((value) => ({
    schema: { type: 'boolean', title },
    value,
    enter: async (user, area) => {
      const tick = within(area).getByRole('checkbox', { name: title });
      await user.click(tick);
      if (!value) await user.click(tick);
    },
  }));

const LABELS = new Map<JsonValue, string | RegExp>([
  [null, /^(\(nothing\)|None)$/],
  ['', '(empty text)'],
]);
const choices: JsonValue[] = ['auto', 7, true, null, '', 'off'];
const oneOfFew = (title: string): fc.Arbitrary<Entry> =>
  fc.constantFrom(...choices).map((value) => ({
    schema: { enum: choices, title },
    value,
    enter: (user, area) => chooseOption(user, within(area).getByRole('combobox', { name: title }), LABELS.get(value) ?? String(value)),
  }));

const scalar = (title: string): fc.Arbitrary<Entry> => fc.oneof(...scalars.map((make) => make(title)), yesOrNo(title));

const list = (title: string): fc.Arbitrary<Entry> =>
  fc
    .tuple(fc.constantFrom(...scalars.slice(0, 6)), fc.integer({ min: 0, max: 2 }))
    .chain(([make, minItems]) => fc.array(make(`${title} item`), { minLength: 1, maxLength: 3 }).map((items) => ({ items, minItems })))
    .map(({ items, minItems }) => ({
      schema: { type: 'array', title, minItems, items: items[0]?.schema ?? {} },
      value: items.map(({ value }) => value ?? null),
      enter: async (user, area) => {
        const group = within(area).getByRole('group', { name: title });
        for (const [index, { value }] of items.entries()) {
          if (within(group).queryAllByRole('textbox').length <= index) await user.click(within(group).getByRole('button', { name: 'Add' }));
          const control = within(group).getAllByRole('textbox')[index] ?? group;
          await user.type(control, typeof value === 'number' ? plainDigits(value) : String(value));
        }
      },
    }));

/** An object whose members are entered or left alone; `isOneOf` keeps it closed. */
function group(title: string, depth: number, fixed: Record<string, JsonSchema> = {}): fc.Arbitrary<Entry> {
  const members = fc.array(fc.tuple(fc.nat(), fc.boolean(), fc.boolean()), { minLength: 1, maxLength: 3 });
  return members
    .chain((kinds) =>
      fc.tuple(
        ...kinds.map(([kind, isRequired, isEntered], index) =>
          anyEntry(`${title}-${index}`, depth - 1, kind).map((entry) => ({
            name: `m${index}`,
            entry,
            isRequired,
            isEntered: isEntered || isRequired,
          })),
        ),
      ),
    )
    .map((parts) => {
      const consts = Object.entries(fixed).map(([name, schema]) => [name, schema.const ?? null]);
      const entered = parts.filter(({ isEntered }) => isEntered);
      // A group with nothing in it is there where it is required.
      const held = entered.flatMap(({ name, entry: { value }, isRequired }) =>
        value === undefined && !isRequired ? [] : [[name, value === undefined ? {} : value]],
      );
      return {
        schema: {
          type: 'object',
          title,
          properties: { ...fixed, ...Object.fromEntries(parts.map(({ name, entry }) => [name, entry.schema])) },
          required: [...Object.keys(fixed), ...parts.flatMap(({ name, isRequired }) => (isRequired ? [name] : []))],
          additionalProperties: false,
        },
        value: held.length + consts.length === 0 ? undefined : Object.fromEntries([...consts, ...held]),
        enter: async (user, area) => {
          const named = within(area).queryByRole('group', { name: title }) ?? area;
          for (const { entry } of entered) await entry.enter(user, named);
        },
      } satisfies Entry;
    });
}

/** One of two closed objects that are told apart by a constant, or null. */
function choice(title: string, depth: number): fc.Arbitrary<Entry> {
  const kind = (name: string): Record<string, JsonSchema> => ({ kind: { const: name, default: name, title: `${title} kind ${name}` } });
  return fc
    .tuple(group(`${title} one`, depth, kind('one')), group(`${title} two`, depth, kind('two')), fc.constantFrom(0, 1, 2))
    .map(([one, two, index]) => ({
      schema: { title, oneOf: [one.schema, two.schema, { type: 'null', title: `${title} none` }] },
      value: [one.value, two.value, null][index] ?? null,
      enter: async (user, area) => {
        const names = [`${title} one`, `${title} two`, `${title} none`];
        // Another one first: what is drawn from the start is only sent where it was chosen.
        for (const name of [names[index === 1 ? 0 : 1], names[index]])
          await chooseOption(user, within(area).getByRole('combobox', { name: title }), String(name));
        await [one, two, { enter: nothing }][index]?.enter(user, area);
      },
    }));
}

function anyEntry(title: string, depth: number, kind: number): fc.Arbitrary<Entry> {
  const makers =
    depth > 0
      ? [scalar, scalar, scalar, oneOfFew, list, (name: string) => group(name, depth), (name: string) => choice(name, depth)]
      : [scalar, oneOfFew];
  return (makers[kind % makers.length] ?? scalar)(title);
}

const whole = group('All', 3);

test('whatever is entered is sent as it is exactly where Ajv takes it, else a field says why [CD12]', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(whole, async ({ schema, value = {}, enter }) => {
      server.calls.length = 0;
      const { title: _title, ...root } = schema;
      const { user } = await openTestForm(makeForm({ schema: root }));
      await enter(user, screen.getByRole('dialog'));
      await user.click(screen.getByRole('button', { name: 'Send' }));
      const isRight = compileFormBody(root)(value).length === 0;
      if (isRight) {
        await waitFor(() => expect(server.calls.length).toBe(1));
        expect(server.calls[0]?.body).toEqual(value);
      } else {
        await waitFor(() => expect(document.querySelector('form [aria-invalid], form fieldset[aria-describedby]')).not.toBeNull());
        expect(server.calls).toEqual([]);
      }
      closeEverything();
      cleanup();
    }),
    { seed: 32, numRuns: ROUNDS, endOnFailure: true },
  );
});
