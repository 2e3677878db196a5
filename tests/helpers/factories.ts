import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuiltInRole } from '../../schemas/kit/form/types.ts';
import permissionsFile from '../../schemas/permissions.json' with { type: 'json' };
import type { PermissionName } from '../../schemas/_generated/contract.ts';
import type { Changes, Db, Row } from '../../server/db/schema.ts';
import { insertUser } from '../../server/kernel/auth/memberships.ts';
import { hashPassword } from '../../server/kernel/auth/passwords.ts';
import { deviceSearchText } from '../../server/domain/devices/search-text.ts';
import { BIN_PATH } from '../../server/kernel/tenancy.ts';
import type { World } from './world.ts';

/** Anything with a database and a clock: a world, or a server that a bench started. */
export interface Place {
  ctx: Pick<World['ctx'], 'db' | 'clock'>;
}

export const PASSWORD = 'a long enough phrase';

/** A key as devices get it: 20 of a to z and 2 to 7. */
export function makeDeviceKey(): string {
  const hex = randomBytes(10).toString('hex');
  return hex.replace(/[0189]/g, (digit) => ({ '0': 'w', '1': 'x', '8': 'y', '9': 'z' })[digit] ?? '');
}

let counter = 0;
const next = (): number => (counter += 1);
let passwordHash: Promise<string> | undefined;

const dbOf = (place: Place): Db => place.ctx.db;

/** A company: top of a tree of its own, or below `parent`. */
export async function makeCompany(
  place: Place,
  values: { name?: string; parent?: Pick<Row<'companies'>, 'id' | 'path' | 'level'> } = {},
): Promise<Row<'companies'>> {
  const now = place.ctx.clock.now();
  const { id } = await dbOf(place)
    .insertInto('companies')
    .values({
      name: values.name ?? `Company ${next()}`,
      level: (values.parent?.level ?? 0) + 1,
      parent_id: values.parent?.id ?? null,
      path: `new ${next()}`,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return dbOf(place)
    .updateTable('companies')
    .set({ path: `${values.parent?.path ?? '/'}${id}/` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Companies of three levels: `top` over `middle` and `sibling`, `bottom` below `middle`, and `foreign` in another tree. */
export async function makeTree(place: Place) {
  const top = await makeCompany(place, { name: 'Top' });
  const middle = await makeCompany(place, { name: 'Middle', parent: top });
  const sibling = await makeCompany(place, { name: 'Sibling', parent: top });
  const bottom = await makeCompany(place, { name: 'Bottom', parent: middle });
  const foreign = await makeCompany(place, { name: 'Foreign' });
  return { top, middle, sibling, bottom, foreign };
}

/** A role of one's own with exactly these permissions. */
export async function makeRole(
  place: Place,
  values: { permissions?: PermissionName[]; scope?: Row<'roles'>['scope']; company?: { id: number }; title?: string } = {},
): Promise<Row<'roles'>> {
  const now = place.ctx.clock.now();
  const number = next();
  const role = await dbOf(place)
    .insertInto('roles')
    .values({
      name: `role_${number}`,
      title: values.title ?? `Role ${number}`,
      description: '',
      scope: values.scope ?? 'tree',
      company_id: (values.company ?? (await makeCompany(place))).id,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const permissions = values.permissions ?? [];
  if (permissions.length > 0) {
    await dbOf(place)
      .insertInto('role_permissions')
      .values(permissions.map((permission) => ({ role_id: role.id, permission })))
      .execute();
  }
  return role;
}

export type RoleChoice = BuiltInRole | Pick<Row<'roles'>, 'id'>;

/** The id of a built-in role by name, or of the given one. */
export function roleIdOf(role: RoleChoice): number {
  if (typeof role !== 'string') return role.id;
  const known = permissionsFile.roles.find((entry) => entry.key === role);
  if (!known) throw new Error(`no built-in role "${role}"`);
  return known.id;
}

export type UserWithRole = Row<'users'> & { role_id: number };

/** A user with the password `PASSWORD`. */
export async function makeUser(
  place: Place,
  values: { role?: RoleChoice; company?: { id: number }; disabled_at?: number } & Omit<Changes<'users'>, 'company_id'> = {},
): Promise<UserWithRole> {
  const { role = 'admin', company, disabled_at, ...rest } = values;
  const now = place.ctx.clock.now();
  const number = next();
  passwordHash ??= hashPassword(PASSWORD);
  const user = await insertUser(dbOf(place), {
    email: `user-${number}@example.org`,
    username: `Person ${number}`,
    first_name: 'Person',
    last_name: String(number),
    password_hash: await passwordHash,
    company_id: (company ?? (await makeCompany(place))).id,
    role_id: roleIdOf(role),
    last_login_at: null,
    created_at: now,
    ...rest,
  } as Parameters<typeof insertUser>[1]);
  if (disabled_at !== undefined) await changeMember(place, user, { disabled_at });
  return user;
}

/** Changes a user's membership (in the company that it was made in, by default) behind the server's back. */
export async function changeMember(
  place: Place,
  user: { id: number; company_id: number },
  changes: { role?: RoleChoice; disabled_at?: number | null },
): Promise<void> {
  const { role, ...rest } = changes;
  await dbOf(place)
    .updateTable('memberships')
    .set({ ...rest, ...(role === undefined ? {} : { role_id: roleIdOf(role) }) })
    .where('user_id', '=', user.id)
    .where('company_id', '=', user.company_id)
    .execute();
}

export async function makeTag(
  place: Place,
  values: { company?: { id: number } } & Omit<Changes<'tags'>, 'company_id'> = {},
): Promise<Row<'tags'>> {
  const { company, ...rest } = values;
  const now = place.ctx.clock.now();
  return dbOf(place)
    .insertInto('tags')
    .values({
      company_id: (company ?? (await makeCompany(place))).id,
      name: `tag-${next()}`,
      description: '',
      color: '#0958d9',
      created_at: now,
      updated_at: now,
      ...rest,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

function hexPair(number: number, index: number): string {
  return ((number >> (8 * index)) & 255).toString(16).toUpperCase().padStart(2, '0');
}

/** A device that is online, by default, with the tags given. */
export async function makeDevice(
  place: Place,
  values: { company?: { id: number }; tags?: { id: number }[] } & Omit<Changes<'devices'>, 'company_id'> = {},
): Promise<Row<'devices'>> {
  const { company, tags = [], ...rest } = values;
  const now = place.ctx.clock.now();
  const number = next();
  const basics = {
    name: `device-${String(number).padStart(5, '0')}`,
    serial: String(1_106_000_000 + number),
    mac: `00:1E:42:${hexPair(number, 2)}:${hexPair(number, 1)}:${hexPair(number, 0)}`,
    imei: null,
    ...rest,
  };
  const device = await dbOf(place)
    .insertInto('devices')
    .values({
      company_id: (company ?? (await makeCompany(place))).id,
      device_key: makeDeviceKey(),
      credential_hash: createHash('sha256').update('secret').digest('hex'),
      description: '',
      model: 'RUTX50',
      firmware: 'RUTX_R_00.07.14.2',
      agent: 'canopy-agent/1',
      os: 'RutOS',
      hostname: '',
      is_simulated: 1,
      status: 1,
      report_seconds: 60,
      activated_at: now,
      last_connection_at: now,
      last_update_at: now,
      status_changed_at: now,
      created_at: now,
      updated_at: now,
      ...basics,
      search_text: deviceSearchText(basics),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (tags.length > 0) {
    await dbOf(place)
      .insertInto('device_tags')
      .values(tags.map((tag) => ({ device_id: device.id, tag_id: tag.id })))
      .execute();
  }
  return device;
}

/** A device of the company in the bin. */
export async function makeRemovedDevice(place: Place, values: Parameters<typeof makeDevice>[1] = {}): Promise<Row<'devices'>> {
  const device = await makeDevice(place, values);
  const at = place.ctx.clock.now();
  const db = dbOf(place);
  await db
    .insertInto('companies')
    .values({ name: '', level: 1, parent_id: null, path: BIN_PATH, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.column('path').doNothing())
    .execute();
  const bin = await db.selectFrom('companies').select('id').where('path', '=', BIN_PATH).executeTakeFirstOrThrow();
  await db
    .insertInto('removed_devices')
    .values({
      device_id: device.id,
      company_id: device.company_id,
      device_key: device.device_key,
      tag_ids: '[]',
      user_name: device.name,
      removed_at: at,
    })
    .execute();
  return db
    .updateTable('devices')
    .set({ company_id: bin.id, device_key: `removed-${device.device_key}` })
    .where('id', '=', device.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A file with this content; of the whole installation with `company: null`. */
export async function makeFile(
  world: { ctx: Place['ctx'] & Pick<World['ctx'], 'files'> & { config: Pick<World['ctx']['config'], 'dataDir'> } },
  values: { company?: { id: number } | null; content?: string | Buffer } & Omit<Changes<'files'>, 'company_id'> = {},
): Promise<Row<'files'>> {
  const { ctx } = world;
  const { company, content = 'content', ...rest } = values;
  const now = ctx.clock.now();
  const path = join(ctx.config.dataDir, `file-${next()}`);
  await writeFile(path, content);
  return ctx.db
    .insertInto('files')
    .values({
      company_id: company === null ? null : (company ?? (await makeCompany(world))).id,
      device_id: null,
      type: company === null ? 'global_firmware' : 'config',
      name: `file-${next()}.cfg`,
      description: '',
      size: Buffer.byteLength(content),
      sha256: createHash('sha256').update(content).digest('hex'),
      content_key: await ctx.files.keep(path),
      device_model: null,
      version: null,
      uploaded_by: null,
      created_at: now,
      updated_at: now,
      ...rest,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** An enrolment code; `code` is the plain text whose hash is stored. */
export async function makeEnrolmentCode(
  place: Place,
  values: { company?: { id: number }; code?: string; tags?: { id: number }[] } & Omit<
    Changes<'enrolment_codes'>,
    'company_id' | 'code_hash'
  > = {},
): Promise<Row<'enrolment_codes'> & { code: string }> {
  const { company, tags = [], code = `TEST-${String(next()).padStart(4, '0')}-CODE`, ...rest } = values;
  const now = place.ctx.clock.now();
  const row = await dbOf(place)
    .insertInto('enrolment_codes')
    .values({
      company_id: (company ?? (await makeCompany(place))).id,
      code_hash: createHash('sha256').update(code).digest('hex'),
      hint: code.split('-')[0] ?? code,
      uses: 10,
      used: 0,
      expires_at: now + 24 * 3_600_000,
      tag_ids: JSON.stringify(tags.map((tag) => tag.id)),
      name_prefix: '',
      created_by: null,
      revoked_at: null,
      created_at: now,
      ...rest,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...row, code };
}
