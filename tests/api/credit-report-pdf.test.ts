import { expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { paid } from '../helpers/credits.ts';
import { makeCompany, makeTree } from '../helpers/factories.ts';
import { readPdf } from '../helpers/pdf-text.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const HOSTILE = 'Fjord <script>alert(1)</script> \u202E(Tj) \\) 😀';

async function getPdf(world: World, headers: Record<string, string>, query: Record<string, string>, url = '/api/credits/report') {
  const answer = await world.app.fastify.inject({ method: 'GET', url, query, headers });
  return {
    ...answer,
    lines: answer.statusCode === 200 ? readPdf(answer.rawPayload).text.replaceAll('\n', '') : '',
    headers: answer.headers,
  };
}

/** Extensions of devices, which nothing that a call does makes so many of. */
async function addLog(world: World, companyId: number, rows: number): Promise<void> {
  const { db } = world.ctx;
  const account = await db.selectFrom('credit_accounts').select('id').where('company_id', '=', companyId).executeTakeFirstOrThrow();
  const transfers = await db
    .insertInto('credit_transfers')
    .values(
      Array.from({ length: rows }, (_, index) => ({
        ...{
          kind: 'renew' as const,
          credit_type_id: 2,
          user_id: null,
          user_name: `東京 ${index}`,
          from_company_id: companyId,
          to_company_id: null,
        },
        ...{ device_id: null, device_serial: `110643${index}`, device_mac: '00:1e:42:00:00:01', price_cents: null, pro_form_nr: null },
        ...{ code_id: null, idempotency_key: null, created_at: world.clock.now() },
      })),
    )
    .returning('id')
    .execute();
  await db
    .insertInto('credit_entries')
    .values(transfers.map(({ id }) => ({ transfer_id: id, account_id: account.id, amount: 0, company_id: companyId, balance_after: 0 })))
    .execute();
}

test('the usage report comes as PDF in the language of the reader, with names in any script', async () => {
  await using world = await makeWorld();
  const { top } = await makeTree(world);
  const names = ['株式会社北海道ネットワーク', 'ТОВ «Київські мережі»', 'Åsæter Łódź', HOSTILE];
  const root = await as(world, 'super_admin', { company: top });
  await root.post('/credits', paid(top.id, 20));
  for (const name of names) {
    const company = await makeCompany(world, { name, parent: top });
    await root.post('/credits/move', { credit_type_name: 'credit', source: top.id, target: company.id, amount: 2 });
  }
  const admin = await as(world, 'admin', { company: top });
  const inNorwegian = await getPdf(
    world,
    { ...admin.headers, 'accept-language': 'nb-NO' },
    { start_date: '2026-11-01', end_date: '2026-11-30' },
  );
  expect(inNorwegian.headers['content-type']).toBe('application/pdf');
  expect(inNorwegian.headers['content-disposition']).toBe('attachment; filename="credits-2026-11-02.pdf"');
  expect(inNorwegian.lines).toContain('Bruksrapport: Top');
  expect(inNorwegian.lines).toContain('1. nov. 2026 – 30. nov. 2026');
  for (const name of names.slice(0, 3)) expect(inNorwegian.lines).toContain(name);
  expect(inNorwegian.lines, 'characters that turn the text around are gone, what cannot be drawn is seen').toContain(
    'Fjord <script>alert(1)</script> (Tj) \\) \uFFFD',
  );
  expect((await getPdf(world, { ...admin.headers, 'accept-language': 'ja' }, {})).lines).toContain('利用レポート');
  expect((await getPdf(world, { ...admin.headers, 'accept-language': 'uk' }, {})).lines).toContain('Звіт про використання');
});

test('one pool of credits has its own report, as PDF and JSON, for those who see its company', async () => {
  await using world = await makeWorld();
  const { top, middle, sibling } = await makeTree(world);
  const root = await as(world, 'super_admin', { company: top });
  await root.post('/credits', { ...paid(top.id, 20), expire_at: '2026-12-24' });
  await root.post('/credits', { credit_type_id: 1, credit_count: 7, company_id: top.id });
  await root.post('/credits/move', { credit_type_name: 'credit', source: top.id, target: middle.id, amount: 5 });
  const pools = (await root.get('/credits', { company_id: top.id })).data as { id: number; credit_type: string }[];
  const [pool, free] = [pools.find((one) => one.credit_type === 'paid'), pools.find((one) => one.credit_type === 'free')];
  const admin = await as(world, 'admin', { company: top });
  expect((await admin.get(`/credits/${pool?.id}/report/json`)).data).toMatchObject({
    company_name: 'Top',
    pool: { id: pool?.id, credit_type: null, credit_count: 20, credit_left: 15, expire_at: '2026-12-24 23:59:59' },
    totals: { child_company_credits: 5 },
    child_pools: [{ company_name: 'Middle', count: 5 }],
  });
  expect((await admin.get(`/credits/${free?.id}/report/json`)).data.totals.child_company_credits).toBe(0);
  const headers = { ...admin.headers, 'accept-language': 'nb' };
  const pdf = await getPdf(world, headers, {}, `/api/credits/${pool?.id}/report`);
  expect(pdf.headers['content-type']).toBe('application/pdf');
  expect(pdf.lines).toContain('Bruksrapport: Top');
  expect(pdf.lines).toContain('Kreditt: 15 av 20 igjen, gyldig til 24. des. 2026');
  const stranger = await as(world, 'admin', { company: sibling });
  const answers = [await stranger.get(`/credits/${pool?.id}/report`), await stranger.get('/credits/999999/report')];
  expect(answers.map((answer) => [answer.status, answer.codes])).toEqual([
    [404, ['NOT_FOUND']],
    [404, ['NOT_FOUND']],
  ]);
});

test('a report of a company out of sight is refused as one of a company that never was', async () => {
  await using world = await makeWorld();
  const { middle, foreign } = await makeTree(world);
  const admin = await as(world, 'admin', { company: middle });
  const answers = [
    await getPdf(world, admin.headers, { company_id: String(foreign.id) }),
    await getPdf(world, admin.headers, { company_id: '999999' }),
  ];
  expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404]);
});

test('while three reports are drawn the server goes on answering', async () => {
  await using world = await makeWorld({ listen: true });
  const { top } = await makeTree(world);
  const root = await as(world, 'super_admin', { company: top });
  await root.post('/credits', paid(top.id, 1));
  await addLog(world, top.id, 400);
  const drawing = new AbortController();
  const reports = Promise.all(Array.from({ length: 3 }, () => getPdf(world, root.headers, { company_id: String(top.id) }))).finally(() => {
    drawing.abort();
  });
  let answered = 0;
  while (!drawing.signal.aborted) {
    expect((await fetch(`${world.url}/api/user`, { headers: root.headers })).status).toBe(200);
    answered += 1;
  }
  for (const report of await reports) expect(report.lines).toContain('東京 399');
  // Drawn in the server's own thread they would hold each of these calls up for as long as a report takes.
  expect(answered).toBeGreaterThan(20);
});
