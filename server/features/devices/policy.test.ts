import { describe, expect, test } from 'vitest';
import { canCarryTag, judgeDevice, judgeMove, type Verdict } from './policy.ts';

const companies = {
  own: { id: 5, path: '/1/5/' },
  child: { id: 9, path: '/1/5/9/' },
  parent: { id: 1, path: '/1/' },
  foreign: { id: 50, path: '/1/50/' },
};
type Relation = keyof typeof companies;
const actors = {
  super_admin: { scope: 'all', companyId: 5, companyPath: '/1/5/' },
  admin: { scope: 'tree', companyId: 5, companyPath: '/1/5/' },
  readonly_admin: { scope: 'tree', companyId: 5, companyPath: '/1/5/' },
  end_user: { scope: 'company', companyId: 5, companyPath: '/1/5/' },
  read_only: { scope: 'company', companyId: 5, companyPath: '/1/5/' },
} as const;
type Role = keyof typeof actors;

describe('which devices exist for whom', () => {
  const table: [Role, Record<Relation, Verdict>][] = [
    ['super_admin', { own: 'allow', child: 'allow', parent: 'allow', foreign: 'allow' }],
    ['admin', { own: 'allow', child: 'allow', parent: 'not-found', foreign: 'not-found' }],
    ['readonly_admin', { own: 'allow', child: 'allow', parent: 'not-found', foreign: 'not-found' }],
    ['end_user', { own: 'allow', child: 'not-found', parent: 'not-found', foreign: 'not-found' }],
    ['read_only', { own: 'allow', child: 'not-found', parent: 'not-found', foreign: 'not-found' }],
  ];
  test.each(table)('%s [AC1]', (role, verdicts) => {
    const judged = Object.fromEntries(
      Object.entries(companies).map(([relation, company]) => [relation, judgeDevice(actors[role], company)]),
    );
    expect(judged).toEqual(verdicts);
  });
});

describe('where devices may be moved', () => {
  const table: [Role, from: Relation, to: Relation, Verdict][] = [
    ['super_admin', 'foreign', 'own', 'allow'],
    ['admin', 'own', 'child', 'allow'],
    ['admin', 'child', 'own', 'allow'],
    ['admin', 'own', 'parent', 'not-found'],
    ['admin', 'own', 'foreign', 'not-found'],
    ['admin', 'foreign', 'own', 'not-found'],
    ['end_user', 'own', 'child', 'not-found'],
    ['end_user', 'child', 'own', 'not-found'],
  ];
  test.each(table)('%s moves a device from %s to %s: %s [AC6]', (role, from, to, verdict) => {
    expect(judgeMove(actors[role], companies[from], companies[to])).toBe(verdict);
  });
});

describe('where a tag may sit', () => {
  test.each([
    ['own', 'own', true],
    ['child', 'own', true],
    ['own', 'child', false],
    ['foreign', 'own', false],
  ] as const)('a device of the %s company with a tag of the %s company: %s', (device, tag, isAllowed) => {
    expect(canCarryTag(companies[device].path, companies[tag].path)).toBe(isAllowed);
  });
});
