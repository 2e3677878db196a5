import { expect, test } from 'vitest';
import { makeWorld } from '../helpers/world.ts';
import { formRequests } from './form-requests.ts';

test('the server has the route of each form, with its permission', async () => {
  await using world = await makeWorld();
  const accessOf = new Map(world.app.routes.map(({ method, path, access }) => [`${method} ${path.replace(/:\w+/, '1')}`, access]));
  const requests = formRequests({ id: 1 });
  expect(requests.length).toBeGreaterThan(10);
  for (const { form, method, path, permission } of requests) {
    // Forms that start a device job share one route, which asks for the form's own right; tests/api/device-form-jobs.
    if (path.endsWith('/run')) continue;
    const access = accessOf.get(`${method} /api${path}`);
    const named = typeof access === 'object' ? access : { permission: access };
    expect({ form, ...named }).toEqual({ form, permission });
  }
});

test('the server authenticates every caller of the route of a form, unless the form is public', async () => {
  await using world = await makeWorld();
  for (const { form, method, path, permission, body } of formRequests({ id: 1 })) {
    const { statusCode } = await world.app.fastify.inject({ method, url: `/api${path}`, payload: body });
    if (permission === 'public') expect([form, statusCode]).not.toEqual([form, 404]);
    else expect([form, [401, 403].includes(statusCode)]).toEqual([form, true]);
  }
});
