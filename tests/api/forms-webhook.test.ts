import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { MINUTE, SECOND } from '../../server/kernel/clock.ts';
import { as, asUser, type Caller } from '../helpers/as.ts';
import { makeRole } from '../helpers/factories.ts';
import { apnForm, textOf, webhookTo, WEBHOOK_SECRET, worldWithForm } from '../helpers/forms.ts';
import { startReceiver } from '../helpers/receiver.ts';

const ticketForm = apnForm({
  id: 'ops/ticket',
  permission: 'view_devices',
  submit: { webhook: { to: 'tickets', path: '/new' }, success: { message: { en: 'Handed over' } } },
});
const TICKET = '/forms/ops/ticket';

async function deliveriesOf(admin: Pick<Caller, 'get'>) {
  return (await admin.get(`${TICKET}/deliveries`)).data;
}

describe('a form that calls a webhook', () => {
  test('that the setting does not name can be saved, and is warned of at its place [G3]', async () => {
    const { world, admin } = await worldWithForm(ticketForm, webhookTo('http://127.0.0.1:9/', true));
    await using _end = world;
    const check = async (to: string) => {
      const text = textOf(ticketForm).replace('"to": "tickets"', `"to": "${to}"`);
      return { text, ...(await admin.post('/forms/check', { id: ticketForm.id, text })).data };
    };
    expect(await check('tickets')).toMatchObject({ findings: [], warnings: [] });
    const { text, findings, warnings, hash } = await check('ticket');
    const line = text.slice(0, text.indexOf('"to": "ticket"')).split('\n').length;
    expect([findings, warnings]).toEqual([
      [],
      [expect.objectContaining({ code: 'unset-webhook', line, message: expect.stringContaining('tickets') })],
    ]);
    expect(hash).not.toBeNull();
  });

  test('refuses what was sent for a field that it only shows, and sends nothing [CD9]', async () => {
    await using receiver = await startReceiver([200]);
    const assetForm = apnForm({
      id: 'ops/ticket',
      permission: 'view_devices',
      schema: { type: 'object', properties: { asset: { type: 'string', readOnly: true, default: 'A-1' }, note: { type: 'string' } } },
      fields: {},
      ui: {},
      submit: ticketForm.submit,
      examples: [{}],
    });
    const { world, admin } = await worldWithForm(assetForm, webhookTo(receiver.url, true));
    await using _end = world;
    const refused = await admin.post(`${TICKET}/run`, { asset: 'A-77', note: 'x' });
    expect([refused.status, refused.errors]).toEqual([
      400,
      [expect.objectContaining({ source: 'asset', message: 'This value cannot be changed here. Leave it out.' })],
    ]);
    expect(receiver.taken).toEqual([]);
    expect((await admin.post(`${TICKET}/run`, { asset: 'A-1', note: 'x' })).status).toBe(200);
  });

  test('sends a signed request, reports the status alone, and keeps passwords sealed', async () => {
    await using receiver = await startReceiver([200]);
    const { world, admin } = await worldWithForm(ticketForm, webhookTo(receiver.url, true));
    await using _end = world;
    const body = { apn: 'iot', auth: 'pap', password: 'hunter2' };
    const preview = (await admin.post(`${TICKET}/run`, { ...body, dry_run: true })).data;
    expect(preview.request).toMatchObject({ method: 'POST', url: `${receiver.url}/new`, body: { data: { apn: 'iot', password: '***' } } });
    expect(preview.request.headers['x-canopy-signature']).toBe('sha256=***');
    expect(receiver.taken).toEqual([]);

    const sent = await admin.post(`${TICKET}/run`, body);
    expect([sent.status, sent.data]).toEqual([200, { delivery_id: 1, state: 'delivered', status: 200 }]);
    const [call] = receiver.taken;
    const timestamp = String(call?.headers['x-canopy-timestamp']);
    const expected = createHmac('sha256', WEBHOOK_SECRET).update(`${timestamp}.${call?.body}`).digest('hex');
    expect([call?.path, call?.headers['x-canopy-signature']]).toEqual(['/in/new', `sha256=${expected}`]);
    expect(JSON.parse(call?.body ?? '')).toMatchObject({ form: 'ops/ticket', version: 1, user: { id: admin.user.id }, data: body });
    expect(await deliveriesOf(admin)).toMatchObject([{ state: 'delivered', attempts: [{ status: 200, reason: null }] }]);
    const kept = [
      await world.ctx.db.selectFrom('webhook_deliveries').selectAll().execute(),
      await world.ctx.db.selectFrom('audit').selectAll().execute(),
      world.log(),
    ];
    expect(JSON.stringify(kept)).not.toContain('hunter2');
    expect(sent.text + JSON.stringify(kept)).not.toContain('inner network');
  });

  test('is tried again with growing pauses until it is taken; a redirect is not followed', async () => {
    await using receiver = await startReceiver([503, 302, 200]);
    const { world, admin } = await worldWithForm(ticketForm, webhookTo(receiver.url, true));
    await using _end = world;
    const sent = await admin.post(`${TICKET}/run`, { apn: 'iot' });
    expect([sent.status, sent.data]).toEqual([202, { delivery_id: 1, state: 'waiting', status: 503 }]);
    await world.clock.advance(5 * SECOND);
    expect(receiver.taken).toHaveLength(1);
    await world.clock.advance(10 * SECOND);
    expect(receiver.taken).toHaveLength(2);
    await world.clock.advance(2 * MINUTE);
    expect(receiver.taken).toHaveLength(3);
    const [delivery] = await deliveriesOf(admin);
    expect(delivery).toMatchObject({ state: 'delivered', next_at: null });
    expect(delivery.attempts.map(({ status }: { status: number }) => status)).toEqual([503, 302, 200]);
    expect(new Set(receiver.taken.map(({ headers }) => headers['x-canopy-delivery']))).toEqual(new Set(['1']));
  });

  test('does not reach this machine unless the setting says so, and a name that is not set is reported [IN8]', async () => {
    await using receiver = await startReceiver([]);
    const { world, admin } = await worldWithForm(ticketForm, webhookTo(receiver.url, false));
    await using _end = world;
    expect((await admin.post(`${TICKET}/run`, { apn: 'iot' })).data).toMatchObject({ state: 'waiting', status: null });
    expect(await deliveriesOf(admin)).toMatchObject([{ attempts: [{ status: null, reason: 'closed-address' }] }]);
    expect(receiver.taken).toEqual([]);
    await admin.put('/forms/ops/lost', {
      text: textOf({ ...ticketForm, id: 'ops/lost', submit: { webhook: { to: 'nobody' }, success: {} } }),
    });
    expect((await admin.post('/forms/ops/lost/run', { apn: 'iot' })).codes).toEqual(['WEBHOOK_NOT_SET']);
  });

  test('is tried again at once by an administrator, who is in the history; never one that was taken', async () => {
    await using receiver = await startReceiver([503, 500, 200]);
    const { world, admin } = await worldWithForm(ticketForm, webhookTo(receiver.url, true));
    await using _end = world;
    await admin.post(`${TICKET}/run`, { apn: 'iot' });
    const again = (id: number, caller: Caller = admin, form = TICKET) => caller.post(`${form}/deliveries/${id}/retry`, {});
    // The next try of its own is due within seconds.
    expect((await again(1)).data).toEqual({ state: 'waiting', status: null });
    await world.clock.advance(10 * SECOND);
    expect(receiver.taken).toHaveLength(2);
    expect((await again(1)).data).toEqual({ state: 'delivered', status: 200 });
    expect((await again(1)).codes).toEqual(['DELIVERY_TAKEN']);
    expect((await again(2)).codes).toEqual(['NOT_FOUND']);
    expect((await again(1, admin, '/forms/ops/other')).codes).toEqual(['NOT_FOUND']);
    const holder = await as(world, await makeRole(world, { permissions: ['view_devices'] }));
    expect((await again(1, holder)).codes).toEqual(['FORBIDDEN']);
    const audit = await world.ctx.db.selectFrom('audit').select(['action', 'actor_id']).where('action', '=', 'forms.retry').execute();
    expect(audit).toEqual([{ action: 'forms.retry', actor_id: admin.user.id }]);
  });

  test('what fails for hours has failed, says so, and can be tried once more', async () => {
    const { world, admin } = await worldWithForm(ticketForm, webhookTo('http://127.0.0.1:9/', false));
    await using _end = world;
    await admin.post(`${TICKET}/run`, { apn: 'iot' });
    for (let turn = 0; turn < 8; turn += 1) await world.clock.jump(7 * 60 * MINUTE);
    const [delivery] = await deliveriesOf(await asUser(world, admin.user));
    expect([delivery.state, delivery.attempts.length]).toEqual(['failed', 6]);
    expect((await (await asUser(world, admin.user)).post(`${TICKET}/deliveries/1/retry`, {})).data).toEqual({
      state: 'failed',
      status: null,
    });
  });
});
