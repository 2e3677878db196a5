import { expect, test } from 'vitest';
import { SECOND } from '../../server/kernel/clock.ts';
import { makeDevice } from '../helpers/factories.ts';
import { apnForm, worldWithForm } from '../helpers/forms.ts';

const AT = 'conditions_body.0.actions.0.options';

test('a form that an integrator added is the action of an automation, with parameters of the types that its file says', async () => {
  const form = apnForm({
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['apn', 'mtu'],
      properties: { apn: { type: 'string', minLength: 1, maxLength: 100 }, mtu: { type: 'integer', minimum: 576, maximum: 1500 } },
    },
    fields: {},
    ui: { apn: { 'ui:label': { en: 'APN' } }, mtu: { 'ui:label': { en: 'MTU' } } },
    submit: {
      job: {
        steps: [
          ['uci', 'set', 'network.mob1s1a1.apn={apn}'],
          ['ip', 'link', 'mtu', '{mtu}'],
        ],
        timeout: 30,
      },
      success: { then: 'job' },
    },
    examples: [{ apn: 'iot.example', mtu: 1400 }],
  });
  const { world, company, admin } = await worldWithForm(form);
  await using _end = world;
  const device = await makeDevice(world, { company, status: 1, signal: -104 });
  const add = (form_data: object) =>
    admin.post('/automations', {
      ...{ name: 'Weak signal', applies_to: 'device', device_ids: [device.id] },
      conditions_body: [
        {
          type: 'if',
          expression: [{ parameter: 'signal', operator: '<', value: '-100' }],
          actions: [{ name: 'RunForm', options: { form: 'ops/set-apn', form_data } }],
        },
      ],
    });
  expect((await admin.get('/automations/forms')).data).toContainEqual({ id: 'ops/set-apn', title: { en: 'Set APN' } });
  expect((await add({ apn: 'iot', mtu: 'wide' })).errors[0]?.source).toBe(`${AT}.form_data.mtu`);
  expect((await add({ mtu: 1400 })).errors[0]?.source).toBe(`${AT}.form_data.apn`);

  const { data } = await add({ apn: "iot'; reboot", mtu: 1400 });
  await world.clock.advance(3 * SECOND);
  await world.ctx.jobs.settled();
  expect(world.commands.map(({ deviceKey, command }) => [deviceKey, command.verb])).toEqual([[device.device_key, 'run']]);
  expect(world.commands[0]?.command.body).toContain(`'network.mob1s1a1.apn=iot'\\''; reboot' && 'ip' 'link' 'mtu' '1400'`);
  expect((await admin.get(`/automations/${data.id}/logs`)).data[0]).toMatchObject({
    status: 'done',
    actions: [{ name: 'RunForm', status: 'ok', job_id: expect.any(Number) }],
  });
});
