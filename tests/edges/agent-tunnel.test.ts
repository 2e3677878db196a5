import { describe, expect, test } from 'vitest';
import { REFUSED_ADDRESSES } from '../helpers/refused-addresses.ts';
import { SHELLS } from './agent-machine.ts';
import { AgentWorld } from './agent-world.ts';

describe.each(SHELLS)('tunnels of a device under %s', (shell) => {
  test('lead to no address that is closed, in any spelling, whatever the server asks for [IN8]', async () => {
    await using world = await AgentWorld.start();
    await world.startAgent(shell);
    const fields = { host: '127.0.0.1', port: '1', host_key: 'AAAA', key: '', bind: 't1', service_port: '80' };
    const opened: unknown[] = [];
    // A line break ends the value, so what comes after it is not part of the address.
    for (const [index, address] of REFUSED_ADDRESSES.filter((one) => !/[\n\0]/.test(one)).entries()) {
      const body = Object.entries({ ...fields, address })
        .map(([name, value]) => `${name}=${value}\n`)
        .join('');
      const answer = await world.command(`t${index}`, 'tunnel', body, { timeout: 20 });
      if (answer.state !== 'failed' || !String(answer.message).startsWith('This device opens no way to')) opened.push([address, answer]);
    }
    expect(opened).toEqual([]);
  });
});
