import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeTag } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const KEPT = ['name', 'description', 'delay_duration', 'delay_repetitions_count', 'cooldown_duration', 'period', 'period_trigger_limit'];

let world: World;
let ours: Caller;
let theirs: Caller;
let references: Record<'ours' | 'theirs', { tag: number; group: number; user: number }>;

async function makePlace(): Promise<{ caller: Caller; tag: number; group: number; user: number }> {
  const company = await makeCompany(world);
  const caller = await as(world, 'admin', { company });
  const tasks = [{ name: 'Uptime', type: 'command', timeout: 30, data: { command: 'uptime' } }];
  const group = await caller.post('/devices/tasks/groups', { name: 'Look', company_id: company.id, tasks });
  return { caller, tag: (await makeTag(world, { company })).id, group: group.data.id, user: caller.user.id };
}

beforeAll(async () => {
  world = await makeWorld();
  const [one, other] = [await makePlace(), await makePlace()];
  [ours, theirs] = [one.caller, other.caller];
  references = { ours: one, theirs: other };
});
afterAll(() => world[Symbol.asyncDispose]());

const offline = { parameter: 'status', operator: '==', value: 'offline', joins_with: '&&' };

/** A rule of three levels with every kind of reference. */
const ruleWith = ({ tag, group, user }: { tag: number; group: number; user: number }) => [
  {
    type: 'if',
    expression: [
      { parameter: 'signal', operator: '<', value: '-100', joins_with: '||' },
      { parameter: 'tank_level', operator: 'missing', value: '15', joins_with: '&&' },
      { parameter: 'temperature', operator: '>', value: '60', joins_with: '&&', times: 3, of: 5 },
    ],
    actions: [
      { name: 'AddTag', options: { tag_id: tag } },
      { name: 'TaskManagerAction', options: { task_group_id: group } },
    ],
    conditions: [
      {
        type: 'if',
        expression: [offline],
        actions: [{ name: 'SendNotification', options: { receiving_users: [user], message: '%rn: %ex' } }],
        conditions: [
          { type: 'if', expression: [offline], actions: [{ name: 'RaiseAlert', options: { severity: 'info' } }] },
          { type: 'else', expression: [], actions: [{ name: 'RaiseAlert', options: { severity: 'critical' } }] },
        ],
      },
    ],
  },
];

test('a rule goes to another company as JSON: what does not exist there is named at its fields, and nothing else of it is lost', async () => {
  const settings = { name: 'Weak signal', description: 'At sea', delay_duration: 60, delay_repetitions_count: 2 };
  const { data: made, errors } = await ours.post('/automations', {
    ...{ ...settings, cooldown_duration: 0, period: 'week', period_trigger_limit: 5 },
    conditions_body: ruleWith(references.ours),
  });
  expect(errors ?? []).toEqual([]);
  const { data: before } = await ours.get(`/automations/${made.id}`);
  // What the console writes into the file.
  const text = JSON.stringify(Object.fromEntries([...KEPT, 'conditions_body'].map((name) => [name, before[name]])));

  const refused = await theirs.post('/automations', { ...JSON.parse(text), enabled: false });
  expect(refused.status).toBe(404);
  const at = 'conditions_body.0';
  expect(refused.errors.map(({ source }) => source)).toEqual([
    `${at}.actions.0.options.tag_id`,
    `${at}.actions.1.options.task_group_id`,
    `${at}.conditions.0.actions.0.options.receiving_users`,
  ]);
  expect((await theirs.get('/automations')).data).toEqual([]);

  const chosen = { ...JSON.parse(text), enabled: false, conditions_body: ruleWith(references.theirs) };
  const { data: imported } = await theirs.post('/automations', chosen);
  const { data: after } = await theirs.get(`/automations/${imported.id}`);
  const valuesOf = (automation: Record<string, unknown>) => KEPT.map((name) => automation[name]);
  expect(valuesOf(after)).toEqual(valuesOf(before));
  const withOurs = JSON.stringify(after.conditions_body)
    .replace(`"tag_id":${references.theirs.tag}`, `"tag_id":${references.ours.tag}`)
    .replace(`"task_group_id":${references.theirs.group}`, `"task_group_id":${references.ours.group}`)
    .replace(`"receiving_users":[${references.theirs.user}]`, `"receiving_users":[${references.ours.user}]`);
  expect(JSON.parse(withOurs)).toEqual(before.conditions_body);
  expect(after.enabled).toBe(false);
});

test.each([
  ['an operator that there is not', { expression: [{ ...offline, operator: 'louder' }] }, 'expression.0.operator'],
  [
    'a text where a number is compared',
    { expression: [offline, { ...offline, parameter: 'signal', value: 'warm' }] },
    'expression.1.value',
  ],
  ['an action that there is not', { actions: [{ name: 'Explode' }] }, 'actions.0.name'],
  ['a number for a list', { actions: 7 }, 'actions'],
])('an imported rule with %s says where it is', async (_what, broken, source) => {
  const branch = { type: 'if', expression: [offline], actions: [{ name: 'RaiseAlert' }], ...broken };
  const { status, errors } = await theirs.post('/automations', { name: 'Broken', conditions_body: [branch] });
  expect(status).toBe(400);
  expect(errors.map((error) => error.source)).toEqual([`conditions_body.0.${source}`]);
});
