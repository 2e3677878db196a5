import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { makeCompany, makeDevice, makeFile } from '../helpers/factories.ts';
import { statesOf } from '../helpers/jobs.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let admin: Caller;
let company: Awaited<ReturnType<typeof makeCompany>>;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  admin = await as(world, 'admin', { company });
  return () => world[Symbol.asyncDispose]();
});

/** A tar.gz as a device makes it. */
function pack(files: Record<string, string | Buffer>, { format = 'gnu' } = {}): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'canopy-pack-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  symlinkSync('/etc/passwd', join(folder, 'link'));
  const archive = execFileSync('tar', [`--format=${format}`, '-czf', '-', '-C', folder, '.'], { maxBuffer: 1e8 });
  rmSync(folder, { recursive: true });
  return archive;
}

const keep = async (content: string | Buffer, more: object = {}): Promise<number> =>
  (await makeFile(world, { company, content, type: 'periodic_backup', ...more })).id;

test.each(['gnu', 'posix'])('two backups are compared file by file, whatever format of tar they have: %s', async (format) => {
  const long = `etc/${'a'.repeat(90)}/${'b'.repeat(90)}.conf`;
  const before = {
    'etc/config/network': 'lan 1\nwan 2\n',
    'etc/config/gone': 'x\n',
    'etc/same': 'same',
    'etc/key': Buffer.from([0, 1, 2]),
    [long]: '1\n',
  };
  const after = {
    'etc/config/network': 'lan 1\nwan 3\n',
    'etc/config/came': 'y\n',
    'etc/same': 'same',
    'etc/key': Buffer.from([0, 1, 3]),
    [long]: '2\n',
  };
  const [first, second] = [await keep(pack(before, { format })), await keep(pack(after, { format }))];
  const { data } = await admin.get(`/files/${first}/diff/${second}`);
  expect(data).toMatchObject({ from: { id: first }, to: { id: second }, equal: 1, is_cut: false });
  expect(data.files).toEqual([
    { path: long, state: 'changed', diff: '@@ -1,1 +1,1 @@\n-1\n+2' },
    { path: 'etc/config/came', state: 'added', diff: '@@ -0,0 +1,1 @@\n+y' },
    { path: 'etc/config/gone', state: 'removed', diff: '@@ -1,1 +0,0 @@\n-x' },
    { path: 'etc/config/network', state: 'changed', diff: '@@ -1,2 +1,2 @@\n lan 1\n-wan 2\n+wan 3' },
    { path: 'etc/key', state: 'changed', diff: null },
  ]);
});

test('configurations that are one text are compared as that', async () => {
  const [first, second] = [await keep('a\nb\n', { name: 'a.cfg' }), await keep('a\nc\n', { name: 'b.cfg' })];
  expect((await admin.get(`/files/${first}/diff/${second}`)).data.files).toEqual([
    { path: 'b.cfg', state: 'changed', diff: '@@ -1,2 +1,2 @@\n a\n-b\n+c' },
  ]);
});

test('an archive that unpacks to too much, has too many files, or is broken is refused; names stay texts [IN4]', async () => {
  const plain = await keep(pack({ a: 'a' }));
  const header = (name: string, size: string) => {
    const block = Buffer.alloc(512);
    block.write(name, 0);
    block.write(size, 124);
    block.write('0', 156);
    block.write('ustar\u000000', 257);
    return block;
  };
  const hostile = {
    bomb: gzipSync(Buffer.alloc(80 * 1024 * 1024)),
    many: gzipSync(Buffer.concat(Array.from({ length: 5001 }, (_, index) => header(`f${index}`, '0')))),
    'a size beyond the end': gzipSync(header('f', '77777777777')),
    'a negative size': gzipSync(header('f', '-7')),
    cut: pack({ a: 'a'.repeat(1000) }).subarray(0, 60),
    'no archive': Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]),
  };
  for (const [name, content] of Object.entries(hostile)) {
    const { status, codes } = await admin.get(`/files/${plain}/diff/${await keep(content)}`);
    expect([name, status, codes]).toEqual([name, 422, ['FILES_NOT_COMPARABLE']]);
  }
  const sly = await keep(
    gzipSync(Buffer.concat([header('../../\u001b[31m/etc/passwd', '2'), Buffer.from('x\n'.padEnd(512, '\0')), Buffer.alloc(1024)])),
  );
  const { data } = await admin.get(`/files/${plain}/diff/${sly}`);
  expect(data.files.map(({ path }: { path: string }) => path)).toEqual(['../../\ufffd[31m/etc/passwd', 'a']);
});

test('files of other companies are as unknown as none, on either side', async () => {
  const [own, foreign] = [await keep('a'), (await makeFile(world, { content: 'b' })).id];
  for (const path of [`/files/${own}/diff/${foreign}`, `/files/${foreign}/diff/${own}`, `/files/${own}/diff/999999`])
    expect((await admin.get(path)).status).toBe(404);
  const other = await as(world, 'admin', { company: await makeCompany(world) });
  expect((await other.post(`/files/${own}/restore`, { back_within: 5 })).status).toBe(404);
});

test('a backup is restored on the device that it came from', async () => {
  const device = await makeDevice(world, { company });
  const id = await keep('the settings', { device_id: device.id, device_model: device.model });
  const { meta } = await admin.post(`/files/${id}/restore`, { back_within: 5, check_wan: true });
  await world.ctx.jobs.settled();
  expect(await statesOf(admin, meta['job_id'])).toEqual(['sent']);
  expect(world.commands.at(-1)).toMatchObject({ deviceKey: device.device_key, command: { verb: 'restore' } });
  expect((await admin.post(`/files/${await keep('x')}/restore`, { back_within: 5 })).status).toBe(400);
});
