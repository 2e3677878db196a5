import { describe, expect, test } from 'vitest';
import { send } from '../helpers/as.ts';
import { makeWorld } from '../helpers/world.ts';

describe('the server', () => {
  test('says that it is up without telling more', async () => {
    await using world = await makeWorld();
    const answer = await send(world, 'GET', '//health');
    expect(answer).toMatchObject({ status: 200, data: { status: 'ok' } });
  });
});
