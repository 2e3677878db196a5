import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

const open = (schema: JsonSchema, uiSchema: Record<string, JsonValue> = {}, record?: Record<string, JsonValue>) =>
  openSchema(server, schema, { uiSchema, record });

const box = (name: string): HTMLInputElement => screen.getByRole('textbox', { name });
const button = (name: string): HTMLElement => screen.getByRole('button', { name });

describe('a list of objects', () => {
  const rules: JsonSchema = {
    type: 'object',
    additionalProperties: false,
    properties: {
      rules: {
        type: 'array',
        title: 'Rules',
        maxItems: 9,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['port'],
          properties: {
            port: { type: 'integer', title: 'Port', minimum: 1, maximum: 9 },
            note: { type: 'string', title: 'Note', maxLength: 20 },
          },
        },
      },
    },
  };

  test('takes items, copies, moves and removes them', async () => {
    const { user, send, sent } = await open(rules, { rules: { 'ui:copyable': true } });
    await user.click(button('Add'));
    await user.type(box('Port'), '1');
    await user.type(box('Note'), 'first');
    await user.click(button('Copy item 1'));
    const [, second] = screen.getAllByRole('textbox', { name: 'Port' });
    if (!second) throw new Error('There is no second item.');
    await user.clear(second);
    await user.type(second, '2');
    await user.click(button('Add'));
    await user.type(screen.getAllByRole('textbox', { name: 'Port' })[2] ?? second, '3');
    await user.click(button('Move item 3 up'));
    await user.click(button('Remove item 1'));
    await send();
    expect(await sent()).toEqual({ rules: [{ port: 3 }, { port: 2, note: 'first' }] });
  });

  test('says at the field of the item what is wrong, and no more once it is right', async () => {
    const { user, send, sent } = await open(rules);
    await user.click(button('Add'));
    await send();
    expect(describedBy(box('Port'))).toBe('Fill in this field.');
    expect(document.activeElement).toBe(box('Port'));
    await user.type(box('Port'), '4');
    expect(describedBy(box('Port'))).toBe('');
    await send();
    expect(await sent()).toEqual({ rules: [{ port: 4 }] });
  });

  test('shows what the server refuses of an item there, and an edit elsewhere leaves it', async () => {
    await server.close();
    let isFirst = true;
    server = await startTestServer(() => {
      if (!isFirst) return { body: { success: true, data: null } };
      isFirst = false;
      return { status: 422, body: { success: false, errors: [{ code: 'ODD', message: 'Port is taken', source: 'rules.1.port' }] } };
    });
    const { user, send } = await open(rules, {}, { rules: [{ port: 1 }, { port: 2 }] });
    await send();
    const [first, second] = screen.getAllByRole('textbox', { name: 'Port' });
    if (!first || !second) throw new Error('There are no two items.');
    await waitFor(() => expect(describedBy(second)).toBe('Port is taken'));
    await waitFor(() => expect(document.activeElement).toBe(second));
    await user.type(first, '1');
    expect(describedBy(second)).toBe('Port is taken');
    await user.type(second, '1');
    expect(second.getAttribute('aria-invalid')).toBeNull();
  });
});

test('a member that the schema does not name can be added, renamed, filled and removed', async () => {
  const { user, send, sent } = await open({
    type: 'object',
    properties: { headers: { type: 'object', title: 'Headers', additionalProperties: { type: 'string', maxLength: 20 } } },
  });
  await user.click(button('Add'));
  const name = screen.getByRole('textbox', { name: 'Name of newKey' });
  await user.clear(name);
  await user.type(name, 'X-Site');
  await user.tab();
  await user.clear(box('X-Site'));
  await user.type(box('X-Site'), 'quay');
  await user.click(button('Add'));
  const remove = screen.getAllByRole('button', { name: 'Remove' });
  await user.click(remove.at(-1) ?? remove[0] ?? document.body);
  await send();
  expect(await sent()).toEqual({ headers: { 'X-Site': 'quay' } });
});

test('a member whose name fits a pattern is added beside those that the schema names', async () => {
  const { user, send, sent } = await open({
    type: 'object',
    properties: { first: { type: 'string', title: 'First', maxLength: 9 } },
    patternProperties: { '^[a-z][a-zA-Z]+$': { type: 'string', maxLength: 9 } },
  });
  await user.type(box('First'), 'quay');
  await user.click(button('Add'));
  await user.type(box('newKey'), 'new');
  expect(box('First').value).toBe('quay');
  await send();
  expect(await sent()).toEqual({ first: 'quay', newKey: 'new' });
});

test('one of several schemas is chosen, drawn, filled and sent', async () => {
  const { user, send, sent } = await open({
    type: 'object',
    oneOf: [
      {
        title: 'Fixed',
        type: 'object',
        properties: { address: { type: 'string', title: 'Address', maxLength: 20 } },
        required: ['address'],
      },
      {
        title: 'By DHCP',
        type: 'object',
        properties: { lease: { type: 'integer', title: 'Lease', minimum: 60, maximum: 99 } },
        required: ['lease'],
      },
    ],
  });
  expect(box('Address')).toBeTruthy();
  await chooseOption(user, screen.getByRole('combobox', { name: 'Variant' }), 'By DHCP');
  await user.type(box('Lease'), '70');
  await send();
  expect(await sent()).toEqual({ lease: 70 });
});

test('members come and go with a condition, with their defaults, and what went is not sent', async () => {
  const { user, send, sent } = await open({
    type: 'object',
    properties: { kind: { type: 'string', title: 'Kind', enum: ['none', 'proxy'] } },
    if: { properties: { kind: { const: 'proxy' } }, required: ['kind'] },
    // oxlint-disable-next-line unicorn/no-thenable
    then: { properties: { host: { type: 'string', title: 'Host', maxLength: 30, default: 'proxy.example' } }, required: ['host'] },
  });
  expect(screen.queryByRole('textbox', { name: 'Host' })).toBeNull();
  await chooseOption(user, screen.getByRole('combobox', { name: 'Kind' }), 'proxy');
  await waitFor(() => expect(box('Host').value).toBe('proxy.example'));
  await chooseOption(user, screen.getByRole('combobox', { name: 'Kind' }), 'none');
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Host' })).toBeNull());
  await send();
  expect(await sent()).toEqual({ kind: 'none' });
});

test('a form may be a text, a list or a reference as a whole', async () => {
  const { user, send, sent } = await open({
    definitions: { names: { type: 'array', title: 'Names', items: { type: 'string', maxLength: 9 }, maxItems: 5 } },
    $ref: '#/definitions/names',
  });
  await user.click(within(screen.getByRole('group', { name: 'Names' })).getByRole('button', { name: 'Add' }));
  await user.type(screen.getByRole('textbox'), 'quay');
  await send();
  expect(await sent()).toEqual(['quay']);
});

test('a type that holds itself is drawn as deep as one goes', async () => {
  const { user, send, sent } = await open({
    definitions: {
      node: {
        type: 'object',
        properties: {
          name: { type: 'string', title: 'Name', maxLength: 9 },
          children: { type: 'array', title: 'Children', maxItems: 3, items: { $ref: '#/definitions/node' } },
        },
      },
    },
    type: 'object',
    properties: { tree: { $ref: '#/definitions/node', title: 'Tree' } },
  });
  await user.type(box('Name'), 'root');
  await user.click(button('Add'));
  const [, inner] = screen.getAllByRole('textbox', { name: 'Name' });
  if (!inner) throw new Error('There is no child.');
  await user.type(inner, 'leaf');
  await send();
  expect(await sent()).toEqual({ tree: { name: 'root', children: [{ name: 'leaf' }] } });
});

test('rjsf’s uiSchema is taken as it is: order, widgets, help, names of choices, class names', async () => {
  await open(
    {
      type: 'object',
      properties: {
        note: { type: 'string', title: 'Note', maxLength: 50 },
        level: { type: 'integer', title: 'Level', enum: [1, 2] },
        on: { type: 'boolean', title: 'On' },
        days: { type: 'array', title: 'Days', uniqueItems: true, items: { type: 'string', enum: ['mon', 'tue'] } },
      },
    },
    {
      'ui:order': ['on', '*'],
      note: { 'ui:widget': 'textarea', 'ui:help': 'Only for you', 'ui:options': { rows: 7 } },
      level: { 'ui:widget': 'radio', 'ui:enumNames': ['Low', 'High'], 'ui:classNames': 'my-own' },
      days: { 'ui:widget': 'checkboxes' },
    },
  );
  const note = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
  expect([note.tagName, note.rows, describedBy(note)]).toEqual(['TEXTAREA', 7, 'Only for you']);
  const group = screen.getByRole('radiogroup', { name: 'Level' });
  expect(within(group).getAllByRole('radio').length).toBe(2);
  expect(within(group).getByRole('radio', { name: 'High' })).toBeTruthy();
  expect(group.closest('.my-own')).not.toBeNull();
  expect(within(screen.getByRole('group', { name: 'Days' })).getAllByRole('checkbox').length).toBe(2);
  const on = screen.getByRole('checkbox', { name: 'On' });
  expect(on.compareDocumentPosition(note) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});
