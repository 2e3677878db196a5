import { describe, expect, test } from 'vitest';
import { SHELLS } from './agent-machine.ts';
import { AgentWorld } from './agent-world.ts';

describe.each(SHELLS)('collection under %s', (shell) => {
  test('a source is printed only when the device itself allows it', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    const probe = (id: string, source: string) => world.command(id, 'probe', `source=${source}\n`, { timeout: 20 });
    expect(await probe('c1', 'file /proc/loadavg')).toMatchObject({ state: 'ok', output: expect.stringMatching(/^\d+\.\d+ /) });
    expect(await probe('c2', 'file /etc/passwd')).toMatchObject({ state: 'failed', code: 126 });
    expect(await probe('c3', 'file /proc/../etc/passwd')).toMatchObject({ state: 'failed', code: 126 });
    expect(await probe('c4', 'command reboot')).toMatchObject({ state: 'failed', code: 126 });
    expect(await probe('c5', 'ubus system reboot {}')).toMatchObject({ state: 'failed' });
  });

  test('templates are collected at once, a source that is not allowed without its text', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    expect(
      await world.command('c1', 'collect', 'template=12 3 60\nsource=file /proc/loadavg\nsource=file /etc/shadow\nnonsense\n'),
    ).toMatchObject({ state: 'ok', message: 'Collects 1 templates' });
    const { json: collected } = await world.hear('the answer', ({ topic }) => topic.endsWith('collected'));
    expect(collected).toMatchObject({
      template: 12,
      version: 3,
      sources: [{ code: 0, output: expect.stringMatching(/^\d+\.\d+ /) }, { code: 126 }],
    });
  });
});
