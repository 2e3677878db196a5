import { expect, test } from 'vitest';
import type { JsonSchema } from '../../schemas/kit/form/types.ts';
import { as, send, type Answer } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { collectionOf, idMembers, nameOf, valueAt, WITH_FILE, withValue } from '../helpers/ids-in-bodies.ts';
import { sendParts } from '../helpers/multipart.ts';
import { bodyFor } from '../helpers/route-bodies.ts';
import { makeRecords, pathWithId, UNKNOWN_ID } from '../helpers/route-samples.ts';
import { makeWorld } from '../helpers/world.ts';

/** Whether a call was refused because of the member, or because there is no such record. */
const isAbout = ({ errors }: Answer, path: string): boolean =>
  errors.some(
    ({ code, source = '' }) =>
      source === path ||
      (source === 'waves' && path.startsWith('waves.')) ||
      source.startsWith(`${path}.`) ||
      /NOT_FOUND|NOT_WAITING|REMOTE_LINK_INVALID/.test(code),
  );

/** Members beside an id without which a call does not get as far as the id. */
const BESIDE: [RegExp, Record<string, unknown>][] = [
  [/ waves\.first_tag_id$/, { waves: { size: 1 } }],
  [/^POST \/api\/users\/invite role_id$/, { role: undefined }],
  [/^POST \/api\/tags actions\.0\.source_id$/, { actions: [{ action: 'firmware_upload' }] }],
  [/from_tag_id$/, { from_client_id: undefined }],
  [/to_tag_id$/, { to_client_id: undefined }],
  [/ tasks\.0\.data\.file_id$/, { tasks: [{ name: 'sample', type: 'upload_file', timeout: 10, data: { target_path: '/tmp/sample' } }] }],
  [/^POST \/api\/task-plans company_id$/, { values: undefined }],
  [/variables company_id$/, { name: 'sample' }],
  [/plan spots/, { spots: [{ x: 0.5, y: 0.5 }] }],
];

/** Calls that the sample records do not take as far as the id, so that it is not looked up. */
const REFUSED_BEFORE = [
  'POST /api/devices/configurator/configure waves.first_tag_id',
  'POST /api/devices/configurator/templates/import company_id',
  'POST /api/jobs/:id/retry waves.first_tag_id',
  'POST /api/jobs/:id/roll-back waves.first_tag_id',
  'POST /api/devices/alerts-configurations data.0.smtp_config_id',
];

/** Ids that are not looked up, each with its reason; what comes of them is the same for a foreign one. */
const NOT_LOOKED_UP = [
  // It starts no job, so waves mean nothing.
  'PUT /api/devices/site waves.first_tag_id',
  // Keeps the number of a task within its own list; another one is a new task.
  'POST /api/devices/tasks/groups tasks.0.id',
  'PUT /api/devices/tasks/groups/:id tasks.0.id',
  // What the caller does not see is passed over.
  'PUT /api/alerts/acknowledge alert_id',
  'PUT /api/alerts/snooze alert_id',
  // The mail server of a program that is no longer there: the default one carries the mail.
  'PUT /api/alerts-configurations/:id smtp_config_id',
  // The preview reads the table alone.
  'POST /api/devices/import/preview firmware_file_id',
  'POST /api/devices/import/preview config_file_id',
  'PUT /api/announcements id',
];

const NOT_FOR_ADMINISTRATORS = [
  'POST /api/credits company_id',
  'POST /api/system/announcements company_id',
  'PUT /api/system/announcements/:id company_id',
];

test('whatever member of a body names a record, an unknown one and one of another company are refused with the same bytes before anything is written [HN9 AC2]', async () => {
  await using world = await makeWorld();
  const { sibling, middle } = await makeTree(world);
  const own = await makeRecords(world, sibling, 'own');
  const foreign = await makeRecords(world, middle, 'foreign');
  const caller = await as(world, 'admin', { company: sibling });
  const infos = world.app.routes.filter(
    ({ body, access, method, path }) => body && access !== 'public' && !(method === 'DELETE' && path.includes('/:')),
  );
  const accepted: string[] = [];
  const forbidden: string[] = [];
  const refusedBefore: string[] = [];
  const faults: unknown[] = [];
  let calls = 0;
  for (const info of infos) {
    const members = idMembers(info.body as JsonSchema).filter(({ path }) => collectionOf(info, path) !== undefined);
    for (const { path, isList } of members) {
      const title = `${nameOf(info)} ${path}`;
      const foreignId = foreign[collectionOf(info, path) ?? ''];
      if (foreignId === undefined) throw new Error(`No sample record for ${title}: add its kind to COLLECTIONS`);
      const beside = Object.assign({}, ...BESIDE.flatMap(([pattern, values]) => (pattern.test(title) ? [values] : [])));
      const sample = members
        .filter((member) => member.path !== path && valueAt(bodyFor(info), member.path) !== undefined)
        .reduce<unknown>((body, member) => {
          const id = own[collectionOf(info, member.path) ?? ''];
          return withValue(body, member.path.split('.'), member.isList ? [id] : id);
        }, bodyFor(info));
      const call = (id: number): Promise<Answer> => {
        calls += 1;
        const named = { ...(sample as object), ...('name' in (sample as object) ? { name: `name-${calls}` } : {}), ...beside };
        const body = withValue(named, path.split('.'), isList ? [id] : id);
        const address = (pathWithId(info, own) ?? info.path).slice('/api'.length);
        const file = WITH_FILE.get(nameOf(info));
        if (!file) return send(world, info.method as 'POST', address, { headers: caller.headers, body });
        const parts = Object.entries(body as object).map(([name, value]) => ({
          name,
          text: typeof value === 'object' ? JSON.stringify(value) : String(value),
        }));
        return sendParts(world, caller, address, [...parts.filter(({ name }) => name !== file.name), file]);
      };
      const plain = ({ status, text }: Answer, id: number): string =>
        `${status} ${text.replaceAll(String(id), 'ID').replaceAll(`name-${calls}`, 'NAME')}`;
      const unknown = await call(UNKNOWN_ID);
      const unknownText = plain(unknown, UNKNOWN_ID);
      const foreignAnswer = await call(foreignId);
      if (unknown.status < 300 && unknown.errors.length === 0 && foreignAnswer.status === unknown.status) accepted.push(title);
      else if (unknownText !== plain(foreignAnswer, foreignId))
        faults.push([title, unknownText.slice(0, 300), foreignAnswer.text.slice(0, 300)]);
      else if (unknown.status === 403 && unknown.codes[0] === 'FORBIDDEN') forbidden.push(title);
      else if (!isAbout(unknown, path)) refusedBefore.push(title);
    }
  }
  expect(faults).toEqual([]);
  expect(refusedBefore).toEqual(REFUSED_BEFORE);
  expect(accepted).toEqual(NOT_LOOKED_UP);
  expect(forbidden).toEqual(NOT_FOR_ADMINISTRATORS);
  expect(calls).toBeGreaterThan(350);
});
