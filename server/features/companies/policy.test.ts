import { describe, expect, test } from 'vitest';
import { judgeCompany, type CompanyAction, type Verdict } from './policy.ts';

const own = { id: 5, path: '/1/5/', level: 2 };
const companies = {
  own,
  child: { id: 9, path: '/1/5/9/', level: 3 },
  parent: { id: 1, path: '/1/', level: 1 },
  foreign: { id: 50, path: '/1/50/', level: 2 },
};
const scopes = {
  super_admin: { scope: 'all', companyId: 5, companyPath: '/1/5/' },
  admin: { scope: 'tree', companyId: 5, companyPath: '/1/5/' },
  end_user: { scope: 'company', companyId: 5, companyPath: '/1/5/' },
} as const;

type Row = [who: keyof typeof scopes, action: CompanyAction, verdicts: Record<keyof typeof companies, Verdict>];
const table: Row[] = [
  ['super_admin', 'view', { own: 'allow', child: 'allow', parent: 'allow', foreign: 'allow' }],
  ['super_admin', 'create-below', { own: 'allow', child: 'too-deep', parent: 'allow', foreign: 'allow' }],
  ['super_admin', 'edit', { own: 'allow', child: 'allow', parent: 'allow', foreign: 'allow' }],
  ['super_admin', 'remove', { own: 'forbidden', child: 'allow', parent: 'forbidden', foreign: 'allow' }],
  ['admin', 'view', { own: 'allow', child: 'allow', parent: 'not-found', foreign: 'not-found' }],
  ['admin', 'create-below', { own: 'allow', child: 'too-deep', parent: 'not-found', foreign: 'not-found' }],
  ['admin', 'edit', { own: 'allow', child: 'allow', parent: 'not-found', foreign: 'not-found' }],
  ['admin', 'remove', { own: 'forbidden', child: 'allow', parent: 'not-found', foreign: 'not-found' }],
  ['end_user', 'view', { own: 'allow', child: 'not-found', parent: 'not-found', foreign: 'not-found' }],
  ['end_user', 'create-below', { own: 'forbidden', child: 'not-found', parent: 'not-found', foreign: 'not-found' }],
  ['end_user', 'edit', { own: 'allow', child: 'not-found', parent: 'not-found', foreign: 'not-found' }],
  ['end_user', 'remove', { own: 'forbidden', child: 'not-found', parent: 'not-found', foreign: 'not-found' }],
];

describe('what each role may do with a company', () => {
  test.each(table)('%s, %s [AC1]', (who, action, verdicts) => {
    const judged = Object.fromEntries(
      Object.entries(companies).map(([relation, company]) => [relation, judgeCompany(scopes[who], action, company)]),
    );
    expect(judged).toEqual(verdicts);
  });

  test('a company whose number starts with the same digits is not below: /1/5/ and /1/50/', () => {
    expect(judgeCompany(scopes.admin, 'view', { id: 51, path: '/1/50/51/', level: 3 })).toBe('not-found');
  });
});
