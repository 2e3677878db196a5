import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import permissionsFile from '../../schemas/permissions.json' with { type: 'json' };
import type { BuiltInRole } from '../../schemas/kit/form/types.ts';
import { migrateToLatest } from '../../server/db/migrate.ts';
import type { Db } from '../../server/db/schema.ts';
import { cookieNames, FORGERY_COOKIE } from '../../server/kernel/auth/cookies.ts';
import { forgeryToken } from '../../server/kernel/auth/forgery.ts';
import { insertUser } from '../../server/kernel/auth/memberships.ts';
import { createSession } from '../../server/kernel/auth/sessions.ts';
import { syncBuiltInRoles } from '../../server/kernel/auth/sync-roles.ts';
import { openDatabase } from '../../server/kernel/db/database.ts';
import { loadSecretKey } from '../../server/kernel/secret-key.ts';
import { fillFleet, type Filled, type FleetSize } from './fill.ts';

/** A filled data folder of one's own. */
export interface BenchData extends Disposable {
  dataDir: string;
  filled: Filled;
}

const templates = new Map<string, { dataDir: string; filled: Filled }>();

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'canopy-bench-'));
}

async function makeTemplate(size: FleetSize): Promise<{ dataDir: string; filled: Filled }> {
  const dataDir = newFolder();
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  await using database = openDatabase({ url: undefined, dataDir });
  await migrateToLatest(database.db, database.tools);
  await syncBuiltInRoles(database.db, database.tools, Date.now());
  return { dataDir, filled: await fillFleet(database.db, size, Date.now()) };
}

/** A data folder with a fleet of this size; filled once for all benchmarks of a run and copied for each. */
export async function makeData(size: FleetSize): Promise<BenchData> {
  const key = `${size.companies}/${size.devices}`;
  const template = templates.get(key) ?? (await makeTemplate(size));
  templates.set(key, template);
  const dataDir = newFolder();
  cpSync(template.dataDir, dataDir, { recursive: true });
  return { dataDir, filled: template.filled, [Symbol.dispose]: () => rmSync(dataDir, { recursive: true, force: true }) };
}

async function insertPerson(db: Db, role: BuiltInRole, companyId: number): Promise<number> {
  const roleId = permissionsFile.roles.find((entry) => entry.key === role)?.id ?? 0;
  const now = Date.now();
  const { id } = await insertUser(db, {
    email: `bench-${performance.now()}@example.org`,
    username: 'Bench',
    first_name: 'Bench',
    last_name: role,
    password_hash: '',
    company_id: companyId,
    role_id: roleId,
    last_login_at: null,
    created_at: now,
  });
  return id;
}

/** Signs somebody in by writing the session where the server keeps it; the headers go with every call. Loopback addresses only. */
export async function signIn(dataDir: string, role: BuiltInRole, companyId: number): Promise<Record<string, string>> {
  await using database = openDatabase({ url: undefined, dataDir });
  const ctx = { secretKey: loadSecretKey(join(dataDir, 'secret.key')), publicUrl: () => 'http://127.0.0.1' };
  const userId = await insertPerson(database.db, role, companyId);
  const session = await createSession(ctx, database.db, {
    userId,
    now: Date.now(),
    origin: { ip: '127.0.0.1', requestId: 'bench', userAgent: 'bench' },
  });
  const forgery = forgeryToken(ctx, session.sessionId);
  return {
    cookie: `${cookieNames(ctx).access}=${session.access}; ${FORGERY_COOKIE}=${forgery}`,
    'x-xsrf-token': forgery,
    'x-requested-with': 'XMLHttpRequest',
  };
}
