import { describe, expect, test } from 'vitest';
import { itemOf } from '../../schemas/kit/form/schema-parts.ts';
import { resources as entries } from '../../resources.config.ts';
import type { ResourceEntry } from '../../schemas/kit/resources/resource-types.ts';
import { loadForm } from '../../server/kernel/forms.ts';
import { as, asUser, send, type Caller } from '../helpers/as.ts';
import { makeRole, makeTree, makeUser, PASSWORD } from '../helpers/factories.ts';
import { makeWorld } from '../helpers/world.ts';

const THEME = {
  app_name: 'Fjordline Fleet',
  short_name: 'Fjordline',
  main_color: '#0a7a5c',
  branded_device_series: [{ original: 'RUTX', branded: 'FJ-X' }],
};
const resources: readonly ResourceEntry[] = entries;
const SVG = '<?xml version="1.0"?><!-- a logo --><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

/** Sends a picture beside a theme as a form with files does. */
function sendPicture(caller: Caller, companyId: number, field: 'favicon' | 'logo_vector', content: string) {
  const body = `--x\r\nContent-Disposition: form-data; name="${field}"; filename="logo.svg"\r\nContent-Type: image/svg+xml\r\n\r\n${content}\r\n--x--\r\n`;
  return caller.put(`/themes/${companyId}`, body, { 'content-type': 'multipart/form-data; boundary=x' });
}

describe('the theme of a top-level company', () => {
  test('is seen by everybody in its tree, and by nobody else', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    expect((await admin.put(`/themes/${top.id}`, THEME)).status).toBe(200);
    const below = await as(world, 'read_only', { company: middle });
    expect((await below.get('/user')).data.theme).toMatchObject({ ...THEME, favicon: null, disabled_routes: [] });
    expect((await (await as(world, 'admin', { company: foreign })).get('/user')).data.theme).toBeNull();
    expect((await admin.get('/history', { entity: 'theme' })).data).toMatchObject([
      { action: 'themes.edit', after: { short_name: 'Fjordline' } },
    ]);
  });

  test('a company below has none of its own, others are unknown, and guests change nothing [AC2 AC5]', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    expect(await admin.put(`/themes/${middle.id}`, THEME)).toMatchObject({ status: 400, codes: ['NOT_TOP_LEVEL'] });
    expect((await admin.put(`/themes/${foreign.id}`, THEME)).text).toBe((await admin.put('/themes/987654321', THEME)).text);
    expect((await (await as(world, 'read_only', { company: top })).put(`/themes/${top.id}`, THEME)).status).toBe(403);
  });

  test('what is left out goes back to how it comes', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    await admin.put(`/themes/${top.id}`, THEME);
    await admin.put(`/themes/${top.id}`, { app_name: 'Fleet' });
    expect((await admin.get(`/themes/${top.id}`)).data).toMatchObject({ app_name: 'Fleet', main_color: null, branded_device_series: [] });
  });

  test.each([
    ['main_color', 'red;background:url(//evil.example)'],
    ['main_color', '#12'],
    ['buy_link', 'javascript:alert(1)'],
    ['buy_link', 'http://plain.example'],
    ['buy_link', 'https://bank.example@evil.example/'],
    ['buy_link', 'https://bank.example\\@evil.example/'],
    ['buy_link', 'https:///evil.example'],
    ['buy_link', 'https:evil.example'],
    ['buy_link', '//evil.example'],
    ['buy_link', 'https://bаnk.example'],
    ['buy_link', 'https://evil.example/\t\n'],
    ['buy_link', 'data:text/html,x'],
    ['dark_mode_text_color', '#fff}*{background:url(//evil.example)}'],
    ['short_name', 'far too long for it'],
    ['disabled_routes', ['nothing']],
  ])('a wrong %s (%j) is refused at its field [IN1 SE7]', async (field, value) => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const answer = await admin.put(`/themes/${top.id}`, { show_payment: true, [field]: value });
    expect(answer.status).toBe(400);
    expect(answer.errors[0]?.source).toContain(field);
  });
});

describe('pictures of a theme', () => {
  test('are there before signing in, and can do nothing', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    expect((await sendPicture(admin, top.id, 'logo_vector', SVG)).status).toBe(200);
    const { logo_vector: address } = (await admin.get('/user')).data.theme;
    const picture = await world.app.fastify.inject({ url: address });
    expect(picture.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'x-content-type-options': 'nosniff' });
    expect(picture.headers['content-security-policy']).toContain('sandbox');
    await admin.put(`/themes/${top.id}`, { drop_logo_vector: true });
    expect((await admin.get('/user')).data.theme.logo_vector).toBeNull();
    expect((await world.app.fastify.inject({ url: address })).statusCode).toBe(404);
  });

  test.each(['<html><svg></svg></html>', 'GIF89a', ''])('%j is no logo, whatever its name says [IN4]', async (content) => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const answer = await sendPicture(await as(world, 'admin', { company: top }), top.id, 'logo_vector', content);
    expect(answer).toMatchObject({ status: 400, codes: ['PICTURE_REFUSED'] });
    expect(answer.errors[0]?.source).toBe('logo_vector');
  });
});

describe('what precedes a logo', () => {
  test.each([
    ['many comments', `${'<!---->'.repeat(5000)}x`, 400],
    ['a comment without an end', `<!--${'-'.repeat(50_000)}`, 400],
    ['declarations without an end', `${'<?xml '.repeat(5000)}`, 400],
    ['a logo within a comment', '<!-- <svg></svg> --><html/>', 400],
    ['all that may stand there', `\uFEFF<?xml version="1.0"?>\n<!-- by > hand --><!DOCTYPE svg>\n${SVG}`, 200],
  ])('%s: judged at once [IN4 IN10]', async (_what, content, status) => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    expect((await sendPicture(admin, top.id, 'logo_vector', content)).status).toBe(status);
  });
});

/** Sends a picture of a model of devices. */
function sendModel(caller: Caller, companyId: number, model: string, content: string) {
  const part = (head: string, body: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
  const body = `${part('name="original_model"', model)}${part('name="model_image"; filename="model.svg"', content)}--x--\r\n`;
  return caller.put(`/themes/${companyId}/models`, body, { 'content-type': 'multipart/form-data; boundary=x' });
}

describe('pictures of device models', () => {
  test('are seen in the whole tree, replaced and taken away, and stay when the rest of the look changes', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    expect((await sendModel(admin, top.id, 'RUTX50', SVG)).status).toBe(200);
    await admin.put(`/themes/${top.id}`, THEME);
    const below = await as(world, 'read_only', { company: middle });
    const { branded_devices: models } = (await below.get('/user')).data.theme;
    expect(models).toMatchObject([{ original_model: 'RUTX50' }]);
    const picture = await world.app.fastify.inject({ url: models[0].branded_model_image });
    expect(picture.headers['content-security-policy'], 'IN2').toContain('sandbox');
    await sendModel(admin, top.id, 'RUTX50', SVG);
    const after = (await below.get('/user')).data.theme.branded_devices;
    expect(after).toHaveLength(1);
    expect(after[0].branded_model_image).not.toBe(models[0].branded_model_image);
    expect((await admin.delete(`/themes/${top.id}/models`, { original_model: 'RUTX50' })).status).toBe(200);
    expect((await below.get('/user')).data.theme.branded_devices).toEqual([]);
    expect((await admin.delete(`/themes/${top.id}/models`, { original_model: 'RUTX50' })).status).toBe(404);
    expect((await admin.get('/history', { entity: 'theme' })).data.map((row: { action: string }) => row.action)).toEqual([
      'themes.remove-model-picture',
      'themes.model-picture',
      'themes.edit',
      'themes.model-picture',
    ]);
    expect((await sendModel(admin, foreign.id, 'RUTX50', SVG)).status, 'AC2').toBe(404);
    expect(await sendModel(admin, middle.id, 'RUTX50', SVG)).toMatchObject({ codes: ['NOT_TOP_LEVEL'] });
  });

  test('are pictures by their content, with a plain name [IN4]', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    expect(await sendModel(admin, top.id, 'RUTX50', 'GIF89a')).toMatchObject({ status: 400, codes: ['PICTURE_REFUSED'] });
    expect((await sendModel(admin, top.id, 'a"><script>', SVG)).errors[0]?.source).toBe('original_model');
  });
});

describe('the host name of a theme', () => {
  test('is given by system administrators only, and to one company', async () => {
    await using world = await makeWorld();
    const { top, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    expect(await admin.put(`/themes/${top.id}`, { host_name: 'fleet.fjordline.example' })).toMatchObject({ codes: ['UNKNOWN_FIELD'] });
    const system = await as(world, 'super_admin');
    await system.put(`/themes/${top.id}`, { host_name: 'Fleet.Fjordline.example' });
    expect((await system.get(`/themes/${top.id}`)).data.host_name).toBe('fleet.fjordline.example');
    const again = await system.put(`/themes/${foreign.id}`, { host_name: 'fleet.fjordline.example' });
    expect(again).toMatchObject({ status: 409, codes: ['HOST_NAME_TAKEN'] });
    await admin.put(`/themes/${top.id}`, THEME);
    expect((await system.get(`/themes/${top.id}`)).data.host_name).toBe('fleet.fjordline.example');
  });
});

test('people sign in at the host name of their company, also when the server has an address; at other names they do not [SE2]', async () => {
  await using world = await makeWorld({ config: { publicUrl: 'https://fleet.example.org' } });
  const { top } = await makeTree(world);
  await world.ctx.db
    .insertInto('themes')
    .values({ company_id: top.id, host_name: 'brand.example', branding: '{}', updated_at: 1 })
    .execute();
  const user = await makeUser(world, { company: top });
  const statusAt = async (origin: string, headers: Record<string, string> = {}) => {
    const body = { email: user.email, password: PASSWORD };
    return (await send(world, 'POST', '/account/login', { body, headers: { origin, ...headers } })).status;
  };
  expect(await statusAt('https://brand.example')).toBe(200);
  for (const origin of ['http://brand.example', 'https://a.brand.example', 'https://brand.example.evil.example', 'null'])
    expect([origin, await statusAt(origin)]).toEqual([origin, 403]);
  expect(await statusAt('https://brand.example', { 'sec-fetch-site': 'cross-site' })).toBe(403);
});

const parts = itemOf(loadForm('themes/edit').schema.properties['disabled_routes'] ?? {})?.enum ?? [];

describe('parts that a theme switches off', () => {
  test.each(parts.map(String))('the API refuses the list of %s', async (name) => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const { path = name } = resources.find((resource): boolean => resource.name === name) ?? {};
    expect((await admin.get(`/${path}`)).status).toBe(200);
    expect((await admin.put(`/themes/${top.id}`, { disabled_routes: [name] })).status).toBe(200);
    expect((await admin.get(`/${path}`)).status).toBe(403);
  });

  test('are gone for everybody in the tree at once, for open sessions too, except for system administrators', async () => {
    await using world = await makeWorld();
    const { top, middle, foreign } = await makeTree(world);
    const admin = await as(world, 'admin', { company: top });
    const below = await as(world, 'admin', { company: middle });
    expect((await below.get('/tags')).status).toBe(200);
    await admin.put(`/themes/${top.id}`, { disabled_routes: ['tags'] });
    expect((await below.get('/tags')).status).toBe(403);
    expect((await below.post('/tags', { name: 'x', company_id: middle.id })).status).toBe(403);
    const { permissions } = (await below.get('/user')).data;
    expect(permissions.filter((name: string) => name.endsWith('_tags'))).toEqual([]);
    expect(permissions).toContain('view_devices');
    expect((await (await as(world, 'admin', { company: foreign })).get('/tags')).status).toBe(200);
    expect((await (await as(world, 'super_admin', { company: top })).get('/tags')).status).toBe(200);
    await admin.put(`/themes/${top.id}`, {});
    expect((await below.get('/tags')).status).toBe(200);
  });

  test('are gone for personal access tokens and own roles as well', async () => {
    await using world = await makeWorld();
    const { top } = await makeTree(world);
    const role = await makeRole(world, { company: top, permissions: ['view_tags', 'update_tags', 'view_devices'], scope: 'tree' });
    const user = await asUser(world, await makeUser(world, { company: top, role }));
    await (await as(world, 'admin', { company: top })).put(`/themes/${top.id}`, { disabled_routes: ['tags'] });
    expect((await user.get('/user')).data.permissions).toEqual(['view_devices']);
  });
});
