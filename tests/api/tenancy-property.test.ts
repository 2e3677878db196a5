import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BuiltInRole } from '../../schemas/kit/types.ts';
import type { Row } from '../../server/db/schema.ts';
import { as } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeEnrolmentCode, makeTag } from '../helpers/factories.ts';
import { makeWorld, type World } from '../helpers/world.ts';

type Company = Row<'companies'>;
interface Plan {
  /** For each company after the first two: the index of its parent among those before. */
  parents: number[];
  /** Each device and tag: the index of its company, and whether the device carries the tag above it. */
  things: { at: number; isTagged: boolean }[];
  viewer: { at: number; role: BuiltInRole };
}

const plans: fc.Arbitrary<Plan> = fc.record({
  parents: fc.array(fc.nat(20), { minLength: 1, maxLength: 10 }),
  things: fc.array(fc.record({ at: fc.nat(20), isTagged: fc.boolean() }), { minLength: 1, maxLength: 14 }),
  viewer: fc.record({ at: fc.nat(20), role: fc.constantFrom('super_admin', 'admin', 'end_user', 'readonly_admin', 'read_only') }),
});

function at<T>(list: readonly T[], index: number): T {
  const value = list[index % list.length];
  if (value === undefined) throw new Error('An empty list');
  return value;
}

async function plant(world: World, parents: number[]): Promise<Company[]> {
  const companies = [await makeCompany(world), await makeCompany(world)];
  for (const index of parents) {
    const candidates = companies.filter((company) => company.level < 3);
    companies.push(await makeCompany(world, { parent: at(candidates, index) }));
  }
  return companies;
}

/** Every text that belongs to a company is marked with its id, so that a leak shows wherever it is: `~7~`. */
const mark = (company: { id: number }): string => `~${company.id}~`;

test(
  'AC9 nothing of a company outside the viewer’s subtree is in any list, count, search, export or statistic',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(plans, async ({ parents, things, viewer }) => {
        await using world = await makeWorld();
        const companies = await plant(world, parents);
        for (const company of companies)
          await world.ctx.db
            .updateTable('companies')
            .set({ name: `company ${mark(company)}` })
            .where('id', '=', company.id)
            .execute();
        const counts = new Map<number, number>();
        for (const { at: index, isTagged } of things) {
          const company = at(companies, index);
          const above = companies.find((other) => other.id === company.parent_id) ?? company;
          const tag = await makeTag(world, {
            company: above,
            name: `tag ${mark(above)} ${index} ${counts.size} ${(counts.get(company.id) ?? 0) + 1}`,
          });
          await makeDevice(world, {
            company,
            name: `quay ${mark(company)}`,
            model: `M${mark(company)}`,
            operator: `O${mark(company)}`,
            tags: isTagged ? [tag] : [],
          });
          await makeEnrolmentCode(world, { company, hint: mark(company), tags: [tag] });
          counts.set(company.id, (counts.get(company.id) ?? 0) + 1);
        }
        const own = at(companies, viewer.at);
        const isSeen = (company: Company): boolean =>
          viewer.role === 'super_admin' ||
          (['end_user', 'read_only'].includes(viewer.role) ? company.id === own.id : company.path.startsWith(own.path));
        const seen = companies.filter(isSeen);
        const hidden = companies.filter((company) => !isSeen(company));
        const visibleDevices = seen.reduce((sum, company) => sum + (counts.get(company.id) ?? 0), 0);
        const caller = await as(world, viewer.role, { company: own });

        const texts: string[] = [];
        const calls = [
          '/devices?limit=100',
          '/devices?q=quay&limit=100',
          '/devices?q=qu&limit=100',
          '/devices?sort=-company_name',
          '/devices/statistics',
          '/devices/statistics?q=quay',
          '/devices/export/csv',
          '/devices/models?limit=100',
          '/devices/operators',
          '/companies?limit=100',
          '/companies?q=company',
          '/tags?limit=100',
          '/tags?q=tag',
          '/devices/enrolment-codes?limit=100',
        ];
        for (const call of calls) texts.push((await caller.get(call)).text);
        for (const company of hidden) {
          texts.push((await caller.get('/devices', { company_id: company.id })).text);
          texts.push((await caller.get(`/companies/${company.id}`)).text);
          expect((await caller.get('/companies', { parent_id: company.id })).data).toEqual([]);
        }
        const everything = texts.join('\n');
        for (const company of hidden) expect(everything).not.toContain(mark(company));

        expect((await caller.get('/devices')).meta['total']).toBe(visibleDevices);
        expect((await caller.get('/devices', { q: 'quay' })).meta['total']).toBe(visibleDevices);
        expect((await caller.get('/companies')).meta['total']).toBe(seen.length);
        const { data: statistics } = await caller.get('/devices/statistics');
        expect(Object.values<number>(statistics.company).reduce((sum, count) => sum + count, 0)).toBe(visibleDevices);
        const csv = await caller.get('/devices/export/csv', { fields: 'id' });
        expect(csv.text.trimEnd().split('\r\n')).toHaveLength(visibleDevices + 1);
        for (const tag of (await caller.get('/tags', { limit: 100 })).data) expect(tag.devices_count).toBeLessThanOrEqual(visibleDevices);
      }),
      { numRuns: 25 },
    );
  },
);
