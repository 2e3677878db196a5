import { expect, test } from 'vitest';
import { cleanHtml } from '../../server/features/announcements/service.ts';
import { HOUR } from '../../server/kernel/clock.ts';
import { as } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

const PATH = '/system/announcements';
const basics = { type: 'info', audience: 'everybody', summary: 'Welcome' };

test('reaches the people of its company and below, in its period, of its audience', async () => {
  await using world = await makeWorld();
  const { top, middle, bottom, foreign } = await makeTree(world);
  const system = await as(world, 'super_admin', { company: foreign });
  const admin = await as(world, 'admin', { company: middle });
  const guest = await as(world, 'read_only', { company: bottom });
  const above = await as(world, 'admin', { company: top });
  const period = { from: '2026-11-02 10:00:00', to: '2026-11-02 12:00:00' };
  await system.post(PATH, { ...basics, summary: 'All' });
  await system.post(PATH, { ...basics, summary: 'Middle', company_id: middle.id });
  await system.post(PATH, { ...basics, summary: 'Administrators', audience: 'administrators' });
  await system.post(PATH, { ...basics, summary: 'Later', period });
  const seen = async (who: typeof admin) => (await who.get('/announcements')).data.map((one: { summary: string }) => one.summary);
  expect(await seen(admin)).toEqual(['Administrators', 'Middle', 'All']);
  expect(await seen(guest)).toEqual(['Middle', 'All']);
  expect(await seen(above)).toEqual(['Administrators', 'All']);
  await world.clock.jump(1 * HOUR);
  const again = await as(world, 'read_only', { company: bottom });
  expect(await seen(again)).toEqual(['Later', 'Middle', 'All']);
  await world.clock.jump(2 * HOUR);
  expect(await seen(await as(world, 'read_only', { company: bottom }))).toEqual(['Middle', 'All']);
});

test('is dismissed by each person, and comes back when its text is another', async () => {
  await using world = await makeWorld();
  const system = await as(world, 'super_admin');
  const [one, other] = [await as(world, 'admin'), await as(world, 'admin')];
  const { data } = await system.post(PATH, basics);
  expect((await one.put('/announcements', { id: [data.id, 987_654_321] })).status).toBe(200);
  const isDismissed = async (who: typeof one) => (await who.get('/announcements')).data[0].dismissed_at !== null;
  expect([await isDismissed(one), await isDismissed(other)]).toEqual([true, false]);
  expect((await system.put(`${PATH}/${data.id}`, { ...basics, summary: 'Changed' })).status).toBe(200);
  expect(await isDismissed(one)).toBe(false);
  expect((await system.delete(`${PATH}/${data.id}`, {})).status).toBe(200);
  expect((await one.get('/announcements')).data).toEqual([]);
  expect((await system.get('/history', { entity_id: data.id, limit: 10 })).data.map((row: { action: string }) => row.action)).toEqual([
    'announcements.remove',
    'announcements.edit',
    'announcements.new',
  ]);
});

test('is written by system administrators only', async () => {
  await using world = await makeWorld();
  const admin = await as(world, 'admin');
  for (const answer of [await admin.get(PATH), await admin.post(PATH, basics), await admin.delete(`${PATH}/1`, {})]) {
    expect(answer).toMatchObject({ status: 403, codes: ['FORBIDDEN'] });
  }
});

test('is kept without anything that could run or that looks like another page [IN1]', async () => {
  await using world = await makeWorld();
  const system = await as(world, 'super_admin');
  const { data } = await system.post(PATH, {
    ...basics,
    summary:
      '<b onmouseover=x()>Hi</b><script>x()</script><iframe src="//e.example"></iframe><a href="javascript:x()">a</a><form><input></form>',
  });
  expect((await system.get(`${PATH}/${data.id}`)).data.summary).toBe('<b>Hi</b><a>a</a>');
  expect(await system.post(PATH, { ...basics, summary: '<script>x()</script>' })).toMatchObject({
    status: 400,
    errors: [{ source: 'summary' }],
  });
});

test('links lead to http, https, ftp, mailto and tel only [IN1]', async () => {
  for (const address of ['http://a.example', 'https://a.example', 'ftp://a.example', 'mailto:a@a.example', 'tel:+4712345678'])
    expect(await cleanHtml(`<a href="${address}">a</a>`), address).toBe(`<a href="${address}">a</a>`);
  for (const address of [
    'javascript:x()',
    'JaVaScRiPt:x()',
    'java\tscript:x()',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    '//a.example',
  ])
    expect(await cleanHtml(`<a href="${address}">a</a>`), address).toBe('<a>a</a>');
});
