import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { as, type Caller } from '../helpers/as.ts';
import { apnForm, putFile, textOf } from '../helpers/forms.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

interface Listed {
  id: string;
  origin: string;
  version: number | null;
  health: string;
  findings: { line: number; column: number; code: string; message: string }[];
}

async function listed(admin: Caller, id: string): Promise<Listed | undefined> {
  const { data } = await admin.get('/forms');
  // A built-in form has precedence over a custom one of the same name.
  return data?.findLast((form: Listed) => form.id === id);
}

/** Waits until the list says so of a form. */
function seen(admin: Caller, id: string, fits: (form: Listed) => boolean): Promise<Listed> {
  return until(`the form ${id}`, async () => {
    const form = await listed(admin, id);
    return form && fits(form) ? form : undefined;
  });
}

async function place(): Promise<{ world: World; admin: Caller }> {
  const world = await makeWorld();
  return { world, admin: await as(world, 'super_admin') };
}

describe('the folder of added forms [G1]', () => {
  test('a saved file is in use without a restart, and so are its change and its removal [G1]', async () => {
    const { world, admin } = await place();
    await using _end = world;
    putFile(world, 'ops/set-apn', textOf(apnForm()));
    expect(await seen(admin, 'ops/set-apn', () => true)).toMatchObject({ origin: 'added', version: 1, health: 'ok', findings: [] });
    putFile(world, 'ops/set-apn', textOf(apnForm({ title: { en: 'Another' } })));
    await seen(admin, 'ops/set-apn', ({ version }) => version === 2);
    rmSync(join(world.ctx.config.formsDir, 'ops', 'set-apn.form.json'));
    await until('the form is gone', async () => (await listed(admin, 'ops/set-apn')) === undefined);
  });

  test('a broken file keeps its last good version, says line and column, and disturbs no other [G1]', async () => {
    const { world, admin } = await place();
    await using _end = world;
    putFile(world, 'ops/set-apn', textOf(apnForm()));
    putFile(world, 'ops/other', textOf(apnForm({ id: 'ops/other' })));
    await seen(admin, 'ops/set-apn', () => true);
    await seen(admin, 'ops/other', () => true);
    putFile(world, 'ops/set-apn', textOf(apnForm()).replace('"maxLength": 100', '"maxLenth": 100'));
    const broken = await seen(admin, 'ops/set-apn', ({ health }) => health === 'broken');
    expect(broken.version).toBe(1);
    const finding = broken.findings.find(({ code }) => code === 'unknown-key');
    const line =
      textOf(apnForm())
        .split('\n')
        .findIndex((text) => text.includes('"maxLength": 100')) + 1;
    expect(finding).toMatchObject({ line, column: 9 });
    expect(finding?.message).toContain('Did you mean "maxLength"?');
    expect((await admin.get('/forms/health')).data).toMatchObject([{ path: 'ops/set-apn.form.json', health: 'broken', version: 1 }]);
    expect(world.log()).toContain(`ops/set-apn.form.json:${line}:9 unknown-key`);
    expect((await admin.get('/forms/added')).data.map((form: { id: string }) => form.id)).toEqual(['ops/other', 'ops/set-apn']);
    expect((await admin.post('/forms/ops/other/run', { apn: 'x', device_id: [1] })).codes).toEqual(['NOT_FOUND']);
  });

  test('a pattern that the engine cannot say comes into use on neither side: the console gets no code of it, the server takes nothing by it [G8]', async () => {
    const { world, admin } = await place();
    await using _end = world;
    putFile(world, 'ops/set-apn', textOf(apnForm()).replace('"maxLength": 100', '"maxLength": 100, "pattern": "^(a)\\\\1"'));
    const refused = await until('the file is reported as broken', async () => (await admin.get('/forms/health')).data[0]);
    expect(refused).toMatchObject({ path: 'ops/set-apn.form.json', findings: [{ code: 'bad-pattern' }, { code: 'bad-example' }] });
    expect((await admin.get('/forms/added')).data).toEqual([]);
    expect((await admin.post('/forms/ops/set-apn/run', { apn: `${'a'.repeat(90)}!`, device_id: [1] })).codes).toEqual(['NOT_FOUND']);
  });

  test('after a restart a broken file still has its last good version [G1]', async () => {
    const keep = mkdtempSync(join(tmpdir(), 'canopy-forms-'));
    const world = await makeWorld({ config: { formsDir: keep } });
    const admin = await as(world, 'super_admin');
    putFile(world, 'ops/set-apn', textOf(apnForm()));
    await seen(admin, 'ops/set-apn', () => true);
    const versions = await world.ctx.db.selectFrom('form_versions').selectAll().execute();
    putFile(world, 'ops/set-apn', '{ "id": ');
    await seen(admin, 'ops/set-apn', ({ health }) => health === 'broken');
    await world[Symbol.asyncDispose]();

    const dataless = mkdtempSync(join(tmpdir(), 'canopy-forms-'));
    await using next = await makeWorld({ config: { formsDir: dataless } });
    const again = await as(next, 'super_admin');
    await next.ctx.db.insertInto('form_versions').values(versions).execute();
    cpSync(keep, dataless, { recursive: true });
    expect(await seen(again, 'ops/set-apn', () => true)).toMatchObject({ health: 'broken', version: 1 });
    rmSync(keep, { recursive: true });
    rmSync(dataless, { recursive: true });
  });

  test('a name that ships is refused, unless the file says that it replaces it [G1]', async () => {
    const { world, admin } = await place();
    await using _end = world;
    const form = apnForm({ id: 'tags/new' });
    putFile(world, 'tags/new', textOf(form));
    const refused = await seen(admin, 'tags/new', ({ origin }) => origin === 'added');
    expect([refused.health, refused.findings[0]?.code]).toEqual(['unusable', 'repeated-id']);
    expect((await admin.get('/forms/added')).data).toEqual([]);
    putFile(world, 'tags/new', textOf({ ...form, replaces: true }));
    await seen(admin, 'tags/new', ({ health }) => health === 'ok');
    expect((await admin.get('/forms/added')).data).toMatchObject([{ id: 'tags/new', replaces: true }]);
  });

  test('links, odd names and files above the limit are reported and never read [IN10]', async () => {
    const { world, admin } = await place();
    await using _end = world;
    const dir = world.ctx.config.formsDir;
    const secret = join(world.ctx.config.dataDir, 'secret.form.json');
    writeFileSync(secret, textOf(apnForm({ id: 'ops/link' })));
    mkdirSync(join(dir, 'ops'));
    symlinkSync(secret, join(dir, 'ops', 'link.form.json'));
    symlinkSync(world.ctx.config.dataDir, join(dir, 'linked'));
    writeFileSync(join(dir, 'ops', 'Set APN.form.json'), '{}');
    writeFileSync(join(dir, 'ops', 'large.golden.json'), '[]');
    writeFileSync(join(dir, 'loose.json'), '{}');
    putFile(world, 'ops/large', ' '.repeat(300 * 1024));
    await seen(admin, 'ops/large', () => true);
    const { data } = await admin.get('/forms/health');
    expect(
      data.map((entry: { path: string; findings: { code: string }[] }) => `${entry.path} ${entry.findings[0]?.code}`).toSorted(),
    ).toEqual([
      'linked link',
      'loose.json odd-name',
      'ops/Set APN.form.json odd-name',
      'ops/large.form.json too-large',
      'ops/link.form.json link',
    ]);
    expect(await listed(admin, 'ops/link')).toBeUndefined();
  });

  test.each([
    ['IN10 a field named __proto__', '"apn": {', '"__proto__": { "type": "string" }, "apn": {', /bad-name/],
    ['G8 a reference elsewhere', '"apn": {', '"other": { "$ref": "https://example.org/x.json" }, "apn": {', /reference/],
    ['HN1 a pattern that looks behind', '"maxLength": 100', '"maxLength": 100, "pattern": "(?<=a)b"', /bad-pattern/],
    ['a call that the API does not have', '"job": {', '"method": "POST", "path": "/nothing", "jobs": {', /unknown-key/],
    ['a placeholder without a field', '{apn}', '{apm}', /unknown-placeholder|unknown-field/],
  ])('%s is refused with its place', async (_what, from, to, code) => {
    const { world, admin } = await place();
    await using _end = world;
    const text = textOf(apnForm()).replace(from, to);
    const { data } = await admin.post('/forms/check', { id: 'ops/set-apn', text });
    const codes = data.findings.map((finding: { code: string }) => finding.code).join(' ');
    expect(codes).toMatch(code);
    for (const finding of data.findings) expect(finding.line).toBeGreaterThan(1);
  });

  test('a form may call what the API has, and nothing else', async () => {
    const { world, admin } = await place();
    await using _end = world;
    const submit = (path: string) => ({ method: 'POST', path, success: {} }) as const;
    const check = async (path: string) =>
      (await admin.post('/forms/check', { id: 'ops/set-apn', text: textOf(apnForm({ submit: submit(path) })) })).data.findings;
    expect(await check('/tags')).toEqual([]);
    expect(await check('/tagz')).toMatchObject([{ code: 'unknown-route' }]);
  });
});
