import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
const names: JsonSchema = {
  type: 'object',
  properties: { vlans: { type: 'object', title: 'VLANs', additionalProperties: { type: 'string', maxLength: 20 } } },
};

test('Tab from a name that was changed goes to the value beside it and stays there [CD4]', async () => {
  const { user, send, sent } = await open(names, { vlans: { guest: '20', voice: '2' } });
  await user.clear(box('Name of guest'));
  await user.type(box('Name of guest'), 'visitors');
  await user.tab();
  await waitFor(() => expect(box('visitors').value).toBe('20'));
  expect(document.activeElement).toBe(box('visitors'));
  await user.keyboard('30');
  await send();
  expect(await sent()).toEqual({ vlans: { visitors: '30', voice: '2' } });
});

test.each(['__proto__', 'constructor', 'prototype', 'valueOf', 'toString'])(
  'a member is not renamed to %s, which is said at its name, and it keeps its value [CD4]',
  async (name) => {
    const { user, send, sent } = await open(names, { vlans: { guest: '20' } });
    await user.clear(box('Name of guest'));
    await user.type(box('Name of guest'), name);
    await user.tab();
    expect(describedBy(box('Name of guest'))).toBe(`“${name}” cannot be used as a name.`);
    await send();
    expect(await sent()).toEqual({ vlans: { guest: '20' } });
  },
);

test('a button that is pressed straight after a wrong field stays under the pointer: the field says what is wrong once it is released [CD4]', async () => {
  const { user } = await open({
    type: 'object',
    properties: {
      port: { type: 'integer', title: 'Port', maximum: 9 },
      rules: { type: 'array', title: 'Rules', items: { type: 'string', title: 'Rule' } },
    },
  });
  await user.type(box('Port'), '10');
  const add = screen.getByRole('button', { name: 'Add' });
  await user.pointer({ keys: '[MouseLeft>]', target: add });
  expect(document.activeElement).not.toBe(box('Port'));
  expect(describedBy(box('Port'))).toBe('');
  await user.pointer({ keys: '[/MouseLeft]', target: add });
  await waitFor(() => expect(describedBy(box('Port'))).toMatch(/9 or less/));
  expect(screen.getAllByRole('button', { name: /^Remove/ }).length).toBe(1);
});

test('a member that a pattern makes a yes or no is added, named and sent as no until it is ticked [CD4]', async () => {
  const { user, send, sent } = await open(
    {
      type: 'object',
      properties: {
        interfaces: {
          type: 'object',
          title: 'Interfaces',
          patternProperties: { '^(eth|wlan)[0-9]+$': { type: 'boolean' }, '^label': { type: 'string' } },
          additionalProperties: false,
        },
      },
    },
    { interfaces: { wlan1: true } },
  );
  for (const name of ['eth0', 'label']) {
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await user.clear(box('Name of newKey'));
    await user.type(box('Name of newKey'), name);
    await user.tab();
  }
  await send();
  expect(await sent()).toEqual({ interfaces: { wlan1: true, eth0: false, label: '' } });
});
