import { beforeAll, describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { meets } from '../../server/features/automations/compare.ts';
import { switchOffUnreadable } from '../../server/features/automations/switch-off-unreadable.ts';
import { HOSTILE_PATTERNS, hostilePattern, hostileText } from '../../schemas/kit/patterns/hostile-patterns.ts';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice } from '../helpers/factories.ts';
import { makeReportingWorld } from '../helpers/reporting.ts';
import type { World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let admin: Caller;
let say: Awaited<ReturnType<typeof makeReportingWorld>>['say'];

beforeAll(async () => {
  ({ world, say } = await makeReportingWorld());
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  return () => world[Symbol.asyncDispose]();
});

const named = (...values: string[]) => ({
  name: 'Names',
  cooldown_duration: 0,
  conditions_body: [
    {
      type: 'if',
      expression: values.map((value) => ({ parameter: 'hostname', operator: 'matches', value, joins_with: '||' })),
      actions: [{ name: 'RaiseAlert', options: { severity: 'warning' } }],
    },
  ],
});

describe('the expression of a rule', () => {
  test('that kept a server busy is saved, tried on the name that did it, and everybody else is answered [HN1]', async () => {
    const device = await makeDevice(world, { company, status: 1 });
    for (const pattern of HOSTILE_PATTERNS) expect((await admin.post('/automations', named(pattern))).status, pattern).toBe(201);
    for (const letter of ['ж', 'Ā', 'a', ' ']) await say(device, 'hello', { hostname: `${letter.repeat(60)}!` });
    expect((await world.app.fastify.inject({ url: '/health' })).statusCode).toBe(200);
    const { data } = await admin.get('/devices', { id: String(device.id) });
    expect(data).toHaveLength(1);
  });

  test.each([
    ['(', 'pattern'],
    ['(?<!a)b', 'pattern_look_around'],
    ['(a)\\1', 'pattern_reference'],
    ['(?i:a)', 'pattern_flags'],
    ['\\p{ID_Start}', 'pattern_property'],
    ['(a{1000}){1000}', 'pattern_size'],
  ])('%s is refused at its field, in words [HN1]', async (pattern, key) => {
    const { status, errors } = await admin.post('/automations', named('ok', pattern));
    expect(status).toBe(400);
    expect(errors).toMatchObject([
      { code: 'INVALID_FIELD', source: 'conditions_body.0.expression.1.value', params: { key: `forms.automations.fault.${key}` } },
    ]);
  });

  test('is refused where those of one rule are too large together [HN1]', async () => {
    const { errors } = await admin.post('/automations', named('a{900}', 'b{900}', 'c{900}'));
    expect(errors).toMatchObject([{ source: 'conditions_body', params: { key: 'forms.automations.fault.patterns' } }]);
  });

  test('that an older version kept and that cannot be used turns its rule off, which the history says, and it cannot be turned on [HN1]', async () => {
    const { data: rule } = await admin.post('/automations', named('^ok$'));
    const { rule: text } = await world.ctx.db.selectFrom('automations').select('rule').where('id', '=', rule.id).executeTakeFirstOrThrow();
    await world.ctx.db
      .updateTable('automations')
      .set({ rule: text.replace('^ok$', '^(?=ok)') })
      .where('id', '=', rule.id)
      .execute();
    const device = await makeDevice(world, { company, status: 1 });
    await say(device, 'hello', { hostname: 'ok' });
    await switchOffUnreadable(world.ctx);
    expect((await admin.get(`/automations/${rule.id}`)).data).toMatchObject({ enabled: false });
    expect(world.log()).toContain('its expression cannot be used');
    const audit = await world.ctx.db
      .selectFrom('audit')
      .select('after')
      .where('action', '=', 'automations.disable')
      .where('entity_id', '=', rule.id)
      .executeTakeFirstOrThrow();
    expect(String(audit.after)).toContain('An expression cannot look ahead or behind');
    const { errors } = await admin.put('/automations/activate', { enable: true, automations: [rule.id] });
    expect(errors).toMatchObject([{ source: 'automations.0', params: { key: 'forms.automations.fault.pattern_look_around' } }]);
  });
});

test('10,000 made expressions are compared with texts without delay [HN1]', { timeout: 300_000 }, () => {
  fc.assert(
    fc.property(hostilePattern, hostileText, (value, text) => {
      expect([true, false]).toContain(meets(text, { parameter: 'hostname', operator: 'matches', value }));
    }),
    { numRuns: 10_000 },
  );
});
