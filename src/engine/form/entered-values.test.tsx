import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseOption } from '../../ui/test-kit.ts';
import { closeEverything, describedBy, openSchema, startTestServer } from './test-kit.tsx';
import type { JsonSchema, JsonValue } from '../../../schemas/kit/form/types.ts';
import type { TestServer } from './test-kit.tsx';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer(() => ({ body: { success: true, data: null } }));
});
afterEach(async () => {
  closeEverything();
  await server.close();
});

const open = (schema: JsonSchema, record?: Record<string, JsonValue>) => openSchema(server, schema, { record });

const box = (name: string): HTMLInputElement => screen.getByRole('textbox', { name });
const choice = (name: string): HTMLElement => screen.getByRole('combobox', { name });

const slot: JsonSchema = {
  type: 'object',
  required: ['at'],
  properties: {
    at: { type: 'string', format: 'time', title: 'At' },
    since: { type: 'string', format: 'date-time', title: 'Valid from' },
  },
};

test('a time of day is sent with its zone, and a loaded one stays in its own [CD1]', async () => {
  const { send, sent } = await open(slot);
  fireEvent.change(screen.getByLabelText(/^At/), { target: { value: '03:15' } });
  await send();
  expect((await sent()) as Record<string, string>).toEqual({ at: expect.stringMatching(/^03:15:00[+-]\d\d:\d\d$/) });
});

test('loaded times that nobody changed are sent as they were [CD1]', async () => {
  const loaded = { at: '03:15:00.5+02:00', since: '2026-03-29T02:30:00+01:00' };
  const { send, sent } = await open(slot, loaded);
  await send();
  expect(await sent()).toEqual(loaded);
});

const uplink: JsonSchema = {
  type: 'object',
  title: 'Uplink',
  required: ['mode'],
  properties: { mode: { enum: ['dhcp', 'static'], default: 'dhcp', title: 'Mode' } },
  if: { properties: { mode: { const: 'static' } }, required: ['mode'] },
  // oxlint-disable-next-line unicorn/no-thenable
  then: { properties: { address: { type: 'string', format: 'ipv4', title: 'Address' } }, required: ['address'] },
};

test('members of a condition that no longer holds are neither checked nor sent, in groups and in lists [CD2]', async () => {
  const { user, send, sent } = await open(
    { type: 'object', properties: { uplink, ports: { type: 'array', title: 'Ports', items: { ...uplink, title: 'Port' } } } },
    { uplink: { mode: 'static', address: 'not one' }, ports: [{ mode: 'static', address: 'nor this' }] },
  );
  for (const mode of screen.getAllByRole('combobox', { name: 'Mode' })) await chooseOption(user, mode, 'dhcp');
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Address' })).toBeNull());
  await send();
  expect(await sent()).toEqual({ uplink: { mode: 'dhcp' }, ports: [{ mode: 'dhcp' }] });
});

test('a condition may forbid a member by a boolean schema [CD2]', async () => {
  const { user, send, sent } = await open(
    {
      type: 'object',
      properties: {
        ports: {
          type: 'array',
          title: 'Ports',
          items: {
            ...uplink,
            properties: { ...uplink.properties, address: true as unknown as JsonSchema },
            else: { properties: { address: false as unknown as JsonSchema } },
          },
        },
      },
    },
    { ports: [{ mode: 'static', address: '192.0.2.1' }] },
  );
  await chooseOption(user, choice('Mode'), 'dhcp');
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Address' })).toBeNull());
  await send();
  expect(await sent()).toEqual({ ports: [{ mode: 'dhcp' }] });
});

const link: JsonSchema = {
  type: 'object',
  properties: {
    link: {
      title: 'Link',
      oneOf: [
        {
          title: 'Cellular',
          type: 'object',
          properties: { kind: { const: 'cell', default: 'cell' }, apn: { type: 'string', title: 'APN', default: 'internet' } },
          required: ['kind', 'apn'],
          additionalProperties: false,
        },
        {
          title: 'Fibre',
          type: 'object',
          properties: { kind: { const: 'fibre', default: 'fibre' }, vlan: { type: 'integer', title: 'VLAN', default: 35 } },
          required: ['kind', 'vlan'],
          additionalProperties: false,
        },
        { title: 'No link', type: 'null' },
      ],
    },
  },
};

test.each([
  ['Cellular', { kind: 'cell', apn: 'internet' }],
  ['Fibre', { kind: 'fibre', vlan: 35 }],
  ['No link', null],
])('the choice %s of several closed schemas is sent with its own members alone [CD3]', async (name, value) => {
  const { user, send, sent } = await open(link);
  const variant = screen.getByRole('combobox');
  await chooseOption(user, variant, 'Fibre');
  await chooseOption(user, screen.getByRole('combobox'), 'Cellular');
  if (name !== 'Cellular') await chooseOption(user, screen.getByRole('combobox'), name);
  await send();
  expect(await sent()).toEqual({ link: value });
});

const band: JsonSchema = {
  type: 'object',
  required: ['band'],
  properties: { band: { title: 'Band', enum: ['2.4', null, 0, false, ''] }, limit: { title: 'Limit', type: ['integer', 'null'] } },
};

test.each([
  ['(nothing)', null],
  ['(empty text)', ''],
  ['0', 0],
  ['false', false],
])('the choice "%s" of an enumeration is shown, chosen and sent [CD5]', async (label, value) => {
  const { user, send, sent } = await open(band);
  await chooseOption(user, choice('Band'), label);
  expect(choice('Band').closest('.ant-select')?.textContent).toContain(label);
  await send();
  expect(await sent()).toEqual({ band: value });
});

test('null and the empty text are shown again and stay as they were loaded [CD5]', async () => {
  const { send, sent } = await open(band, { band: null, limit: null });
  expect(choice('Band').closest('.ant-select')?.textContent).toContain('(nothing)');
  await send();
  expect(await sent()).toEqual({ band: null, limit: null });
});

const figures: JsonSchema = {
  type: 'object',
  properties: {
    iccid: { type: 'integer', title: 'ICCID' },
    price: { type: 'number', multipleOf: 0.01, title: 'Price' },
    tiny: { type: 'number', exclusiveMinimum: 0, title: 'Tiny' },
    ids: { type: 'array', title: 'Ids', items: { type: 'integer', title: 'Id' } },
  },
};

test('a number that would lose digits is refused in words, and others are sent as typed [CD6]', async () => {
  const { user, send, sent } = await open(figures);
  await user.type(box('ICCID'), '89470800123456789012');
  await user.type(box('Price'), '1000000000,06');
  await user.type(box('Tiny'), '0.00000000000004');
  await send();
  expect(describedBy(box('ICCID'))).toBe('This number is too long to be kept with all its digits.');
  await user.clear(box('ICCID'));
  await user.type(box('ICCID'), '9007199254740992');
  await send();
  expect(await sent()).toEqual({ iccid: 9007199254740992, price: 1000000000.06, tiny: 4e-14 });
});

test('numbers are shown with all their digits [CD6]', async () => {
  await open(figures, { tiny: 4e-14, price: 1000000000.06, iccid: 9007199254740992 });
  expect([box('Tiny').value, box('Price').value, box('ICCID').value]).toEqual(['0.00000000000004', '1000000000.06', '9007199254740992']);
});

test('a required list without an item is sent where the schema takes it, at any depth [CD8]', async () => {
  const list: JsonSchema = { type: 'array', title: 'Rules', items: { type: 'string', title: 'Rule' } };
  const { send, sent } = await open({
    type: 'object',
    required: ['rules', 'inner'],
    properties: {
      rules: list,
      inner: { type: 'object', title: 'Inner', required: ['more'], properties: { more: { ...list, title: 'More' } } },
    },
  });
  await send();
  expect(await sent()).toEqual({ rules: [], inner: { more: [] } });
});

test('the fields of the drawn choice say what is wrong, and the summary names them by the words on screen [CD3] [CD8]', async () => {
  const { send } = await open({
    type: 'object',
    oneOf: [
      {
        title: 'Pet',
        type: 'object',
        required: ['animal', 'colour'],
        properties: { animal: { type: 'string' }, colour: { type: 'string', title: 'Colour' } },
      },
    ],
  });
  await send();
  const links = await screen.findAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual(['animal', 'Colour']);
});

test('a schema that holds the whole of itself is drawn as deep as one goes, checked and sent [CD7]', async () => {
  const { user, send, sent } = await open({
    type: 'object',
    properties: { name: { type: 'string', title: 'Name', minLength: 3 }, child: { $ref: '#' } },
  });
  const name = (level: number): HTMLElement => screen.getAllByRole('textbox', { name: 'Name' })[level] ?? document.body;
  const drawn = screen.getAllByRole('textbox', { name: 'Name' }).length;
  await user.click(screen.getByRole('button', { name: 'Show child' }));
  await user.type(name(0), 'one');
  await user.type(name(1), 'two');
  await user.type(name(drawn), 'x');
  await send();
  expect(describedBy(name(drawn))).toBe('Use 3 to 100,000 characters.');
  await user.type(name(drawn), 'yz');
  await send();
  const deepest = { name: 'xyz' };
  expect(await sent()).toEqual({
    name: 'one',
    child: { name: 'two', child: Array.from({ length: drawn - 2 }).reduce<object>((child) => ({ child }), deepest) },
  });
});

test('files have the names that they were sent with, and one that is too large is refused by its bytes, unread [CD10]', async () => {
  const one = 'data:text/plain;name=m%C3%A5ling%3B%20kai%207.txt;base64,QQ==';
  const { user, send, sent } = await open(
    { type: 'object', properties: { one: { type: 'string', format: 'data-url', title: 'One' } } },
    { one },
  );
  const listed = (): (string | null)[] => screen.getAllByRole('listitem').map((item) => item.textContent);
  expect(listed()).toEqual(['måling; kai 7.txt 1 B']);
  const large = new File(['x'], 'backup.bin');
  Object.defineProperty(large, 'size', { value: 80 * 1024 * 1024 });
  await user.upload(screen.getByLabelText(/^One/), large);
  expect(listed()[1]).toBe('backup.bin 80 MBMaximum file size is 732.1 kB');
  await send();
  expect(await sent()).toEqual({ one });
});

test('a list is drawn with the rows that it must have: optional ones that nobody fills are not sent [CD11]', async () => {
  const rows: JsonSchema = { type: 'array', title: 'Names', minItems: 2, items: { type: 'string', title: 'Name' } };
  const { user, send, sent } = await open({
    type: 'object',
    required: ['dns'],
    properties: {
      dns: { ...rows, minItems: 3, title: 'DNS', items: { type: 'string', title: 'Server' }, default: ['1.1.1.1', '9.9.9.9'] },
      names: rows,
    },
  });
  expect(screen.getAllByRole('textbox', { name: 'Name' }).length).toBe(2);
  const [, , third] = screen.getAllByRole('textbox', { name: 'Server' });
  await user.type(third ?? document.body, '8.8.8.8');
  await send();
  expect(await sent()).toEqual({ dns: ['1.1.1.1', '9.9.9.9', '8.8.8.8'] });
});

test('a row that there must be begins with the defaults of its fields, and is not sent from an optional list that nobody fills [CD11]', async () => {
  const row: JsonSchema = {
    type: 'object',
    required: ['name', 'seconds'],
    properties: { name: { type: 'string', title: 'Name' }, seconds: { type: 'integer', title: 'Seconds', default: 60 } },
  };
  const list = (title: string): JsonSchema => ({ type: 'array', title, minItems: 1, items: row });
  const { user, send, sent } = await open({
    type: 'object',
    required: ['tasks'],
    properties: { tasks: list('Tasks'), others: list('Others') },
  });
  const tasks = within(screen.getByRole('group', { name: 'Tasks' }));
  await user.type(tasks.getByRole('textbox', { name: 'Name' }), 'Ping');
  await send();
  expect(await sent()).toEqual({ tasks: [{ name: 'Ping', seconds: 60 }] });
});

test('a choice stays as it was chosen while half a number is closer to another one [CD3]', async () => {
  const kind = (name: string): JsonSchema => ({ const: name, default: name, title: 'Kind' });
  const { user, send, sent } = await open({
    type: 'object',
    properties: {
      link: {
        title: 'Link',
        oneOf: [
          {
            title: 'Named',
            type: 'object',
            required: ['kind', 'at'],
            properties: { kind: kind('named'), at: { type: 'string', title: 'At' } },
          },
          {
            title: 'Counted',
            type: 'object',
            required: ['kind'],
            properties: { kind: kind('counted'), at: { type: 'integer', title: 'At' } },
          },
        ],
      },
    },
  });
  await chooseOption(user, choice('Link'), 'Named');
  await chooseOption(user, choice('Link'), 'Counted');
  await user.type(box('At'), '-15');
  await send();
  expect(await sent()).toEqual({ link: { kind: 'counted', at: -15 } });
});

test('a required group with nothing in it is sent where the schema takes it, and an optional one is not, also within a choice [CD2]', async () => {
  const inner: JsonSchema = { type: 'object', title: 'Inner', properties: { note: { type: 'string', title: 'Note' } } };
  const strict: JsonSchema = { ...inner, title: 'Strict', required: ['note'] };
  const { user, send, sent } = await open({
    type: 'object',
    required: ['inner'],
    properties: {
      inner,
      strict,
      name: { type: 'string', title: 'Name' },
      any: { title: 'Any', anyOf: [{ type: 'object', properties: { a: { type: 'string', title: 'A' }, strict } }] },
    },
  });
  await user.type(box('A'), 'x');
  await send();
  expect(await sent()).toEqual({ inner: {}, any: { a: 'x' } });
});

test('what is wrong with the whole of a form goes by its title in the summary [CD8]', async () => {
  const { user, send } = await open({
    type: 'object',
    minProperties: 3,
    properties: { animal: { type: 'string', minLength: 2 }, size: { const: 1, default: 1 } },
  });
  await user.type(box('animal'), 'a');
  await send();
  const links = await screen.findAllByRole('link');
  expect(links.map(({ textContent }) => textContent).toSorted()).toEqual(['Test form', 'animal']);
});
