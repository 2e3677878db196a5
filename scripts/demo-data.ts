import { randomBytes } from 'node:crypto';
import { ApiClient } from './api-client.ts';
import { addDemoThings } from './demo-things.ts';

export interface DemoAccount {
  role: string;
  email: string;
  password: string;
  company: string;
}

const TOP = 'Nordic Fleet';
const TREE: Record<string, string[]> = {
  Fjordline: ['Fjordline Vest', 'Fjordline Nord', 'Fjordline Sør'],
  Kraftnett: ['Kraftnett Hordaland', 'Kraftnett Rogaland', 'Kraftnett Agder'],
  Bybanen: ['Bybanen Depot', 'Bybanen Linje 2'],
  'Retail Nord': ['Retail Nord Åsane', 'Retail Nord Sartor'],
};
const TAGS: [name: string, color: string, description: string][] = [
  ['prod', '#2f9e2f', 'Carries live traffic.'],
  ['canary', '#8e44ad', 'Gets changes first.'],
  ['ferry', '#1f77b4', 'On board a ferry.'],
  ['substation', '#b9770e', 'In a transformer station.'],
  ['spare', '#cf1322', 'On the shelf.'],
  ['water', '#117a8b', 'Pumping stations and reservoirs.'],
];
const CUSTOM_ROLE_PERMISSIONS = new Set([
  'view_devices',
  'view_tags',
  'view_companies',
  'view_device_actions',
  'view_device_logs',
  'execute_device_actions',
]);

function password(): string {
  return randomBytes(12).toString('base64url');
}

/** Makes the custom role and gives its number. */
async function addCustomRole(api: ApiClient, companyId: number): Promise<number> {
  const permissions = await api.call<{ id: number; name: string }[]>('GET', '/permissions?limit=100');
  const role = await api.call<{ id: number }[]>('POST', '/roles', {
    title: 'Field technician',
    description: 'Sees devices and reboots them.',
    scope: 'tree',
    company_id: [companyId],
    permission_id: permissions.flatMap(({ id, name }) => (CUSTOM_ROLE_PERMISSIONS.has(name) ? [id] : [])),
  });
  return role[0]?.id ?? 0;
}

interface DemoResult {
  accounts: DemoAccount[];
  /** An enrolment code for each company that gets devices. */
  codes: { company: string; code: string }[];
  /** Signed in as the system administrator. */
  api: ApiClient;
  /** Companies and tags by name. */
  ids: ReadonlyMap<string, number>;
  tagIds: ReadonlyMap<string, number>;
}

/** Fills a fresh installation through its own API: companies, users, tags, resources, files, one enrolment code a company. */
export async function createDemoData({ url, token, devices }: { url: string; token: string; devices: number }): Promise<DemoResult> {
  const api = new ApiClient(url);
  const accounts: DemoAccount[] = [{ role: 'super_admin', email: 'super@canopy.example', password: password(), company: TOP }];
  await api.call('POST', '/set-up', {
    token,
    company_name: TOP,
    first_name: 'Solveig',
    last_name: 'Berg',
    email: accounts[0]?.email,
    password: accounts[0]?.password,
  });
  const top = await api.call<{ company_id: number }>('GET', '/user');
  const ids = new Map([[TOP, top.company_id]]);
  for (const [parent, children] of Object.entries(TREE)) {
    const made = await api.call<{ id: number }>('POST', '/companies', { name: parent, parent_id: top.company_id });
    ids.set(parent, made.id);
    for (const name of children) {
      const child = await api.call<{ id: number }>('POST', '/companies', { name, parent_id: made.id });
      ids.set(name, child.id);
    }
  }
  const tagIds = new Map<string, number>();
  for (const [name, color, description] of TAGS) {
    const tag = await api.call<{ id: number }>('POST', '/tags', { company_id: top.company_id, name, color, description });
    tagIds.set(name, tag.id);
  }
  const roles = await api.call<{ id: number; name: string }[]>('GET', '/roles?limit=100');
  const people: [role: string, company: string, first: string, last: string][] = [
    ['admin', TOP, 'Ingrid', 'Lund'],
    ['end_user', 'Kraftnett Hordaland', 'Oleksandr', 'Koval'],
    ['readonly_admin', 'Fjordline', 'Hana', 'Sato'],
    ['read_only', 'Bybanen Depot', 'Emma', 'Clarke'],
    ['field_technician', 'Bybanen', 'Jonas', 'Vik'],
  ];
  const customRole = await addCustomRole(api, top.company_id);
  for (const [role, company, first_name, last_name] of people) {
    const account = { role, email: `${role.replaceAll('_', '-')}@canopy.example`, password: password(), company };
    const role_id = role === 'field_technician' ? customRole : roles.find((known) => known.name === role)?.id;
    await api.call('POST', '/users', {
      company_id: ids.get(company),
      email: account.email,
      first_name,
      last_name,
      role_id,
      password: account.password,
    });
    accounts.push(account);
  }
  const helped = new ApiClient(url);
  await helped.call('POST', '/account/login', { email: accounts[1]?.email, password: accounts[1]?.password });
  await helped.call('PUT', '/user/impersonation-access', { hours: 24 });
  const leaves = Object.values(TREE).flat();
  const codes: DemoResult['codes'] = [];
  for (const company of leaves) {
    const tag_id = tagsFor(company).flatMap((name) => tagIds.get(name) ?? []);
    const made = await api.call<{ code: string }>('POST', '/devices/enrolment-codes', {
      company_id: ids.get(company),
      uses: devices,
      expires_in_hours: 24,
      tag_id,
    });
    codes.push({ company, code: made.code });
  }
  await addDemoThings(api, ids, tagIds);
  return { accounts, codes, api, ids, tagIds };
}

function tagsFor(company: string): string[] {
  if (company.startsWith('Fjordline')) return ['ferry', 'prod'];
  if (company.startsWith('Kraftnett')) return ['substation'];
  if (company === 'Bybanen Depot') return ['spare'];
  return ['prod'];
}
