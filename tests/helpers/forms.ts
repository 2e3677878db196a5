import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WrittenForm } from '../../schemas/kit/form/complete-form.ts';
import { expect } from 'vitest';
import { as } from './as.ts';
import { makeCompany } from './factories.ts';
import { makeWorld, type World, type WorldOptions } from './world.ts';

/** A form that sets the APN of the chosen routers; the parts given take the place of its own. */
export function apnForm(parts: Partial<WrittenForm> = {}): WrittenForm {
  return {
    $schema: '/schemas/form-v1.json',
    id: 'ops/set-apn',
    title: { en: 'Set APN' },
    surface: 'dialog',
    permission: 'execute_device_actions',
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['apn'],
      properties: {
        apn: { type: 'string', minLength: 1, maxLength: 100 },
        auth: { type: 'string', enum: ['none', 'pap'] },
        password: { type: 'string', minLength: 1, maxLength: 64 },
        mtu: { type: 'integer', minimum: 576, maximum: 1500 },
      },
    },
    fields: { password: { depends: { auth: ['pap'] }, required: true }, mtu: { permission: 'update_devices' } },
    ui: {
      apn: { 'ui:label': { en: 'APN' } },
      auth: { 'ui:widget': 'select', 'ui:label': { en: 'Authentication' } },
      password: { 'ui:widget': 'password', 'ui:label': { en: 'Password' } },
      mtu: { 'ui:label': { en: 'MTU' } },
    },
    submit: {
      job: {
        steps: [
          ['uci', 'set', 'network.mob1s1a1.apn={apn}'],
          ['uci', 'set', 'network.mob1s1a1.password={password}'],
          ['logger', '{device.name}'],
        ],
        timeout: 30,
      },
      success: { then: 'job' },
    },
    place: { devices: parts.submit && !parts.submit.job ? ['row'] : ['row', 'bulk'] },
    examples: [{ apn: 'iot.example' }],
    ...parts,
  };
}

export const textOf = (form: object): string => `${JSON.stringify(form, null, 2)}\n`;

/** Puts a file into the world's folder of added forms, as an editor would. */
export function putFile(world: World, id: string, text: string): void {
  const path = join(world.ctx.config.formsDir, `${id}.form.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A server with this form saved by its system administrator. */
export async function worldWithForm(form: WrittenForm = apnForm(), options: WorldOptions = {}) {
  const world = await makeWorld(options);
  const company = await makeCompany(world, { name: 'Fjordline' });
  const admin = await as(world, 'super_admin', { company });
  const saved = await admin.put(`/forms/${form.id}`, { text: textOf(form) });
  expect(saved.errors).toEqual([]);
  return { world, company, admin };
}

export const WEBHOOK_SECRET = 'a secret of twenty characters';

/** The setting of a webhook named `tickets`. */
export const webhookTo = (url: string, allowPrivate: boolean): WorldOptions => ({
  config: { webhooks: new Map([['tickets', { url, secret: WEBHOOK_SECRET, allowPrivate }]]) },
});
