import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { isPublicAddress } from './address-rules.ts';
import { OutboundError, postJson } from './post-json.ts';

const closed = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '192.0.0.170',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '2001:0:1:2::3',
  '2001:db8::1',
  '2002:7f00:1::',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '2606:4700::1%eth0',
  'localhost',
  '',
];
const open = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00:1450::1'];

test.each(closed)('%s is no address of the public internet [IN8]', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
test.each(open)('%s is an address of the public internet', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

async function startReceiver() {
  let calls = 0;
  const server = createServer((_request, response) => {
    calls += 1;
    response.writeHead(302, { location: '/again', connection: 'close' }).end('x'.repeat(100_000));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    calls: () => calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

async function reasonOf(call: Promise<unknown>): Promise<string> {
  try {
    return String(await call);
  } catch (error) {
    return error instanceof OutboundError ? error.reason : `unexpected: ${String(error)}`;
  }
}

const post = (url: string, more: Partial<Parameters<typeof postJson>[0]> = {}) =>
  postJson({ url: new URL(url), headers: {}, body: '{}', allowPrivate: false, ...more });

describe('a call to the outside [IN8]', () => {
  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '169.254.169.254',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:7f00:1::]',
  ])('does not reach %s, however it is written', async (host) => {
    await using receiver = await startReceiver();
    expect(await reasonOf(post(`http://${host}:${receiver.port}/`))).toBe('closed-address');
    expect(receiver.calls()).toBe(0);
  });

  test('goes to the address that was looked at, whatever the name says the next time', async () => {
    await using receiver = await startReceiver();
    const answers = [['127.0.0.1'], ['8.8.8.8']];
    let asked = 0;
    const resolve = async () => answers[asked++] ?? [];
    const url = `http://rebind.example:${receiver.port}/`;
    expect(await reasonOf(post(url, { resolve })), 'a name that stands for this machine').toBe('closed-address');
    asked = 0;
    expect(await reasonOf(post(url, { resolve, allowPrivate: true }))).toBe('302');
    expect([asked, receiver.calls()]).toEqual([1, 1]);
  });

  test('refuses a name with one closed address among its addresses, and one without any', async () => {
    expect(await reasonOf(post('http://mixed.example/', { resolve: async () => ['8.8.8.8', '10.0.0.1'] }))).toBe('closed-address');
    expect(await reasonOf(post('http://none.example/', { resolve: async () => [] }))).toBe('unknown-host');
    expect(await reasonOf(post('http://none.example/', { resolve: () => Promise.reject(new Error('ENOTFOUND')) }))).toBe('unknown-host');
  });

  test('does not follow a redirect', async () => {
    await using receiver = await startReceiver();
    expect(await post(`http://127.0.0.1:${receiver.port}/`, { allowPrivate: true })).toBe(302);
    expect(receiver.calls()).toBe(1);
  });

  test('ends when nobody answers', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    const { port } = silent.address() as AddressInfo;
    expect(await reasonOf(post(`http://127.0.0.1:${port}/`, { allowPrivate: true, timeoutMs: 50 }))).toBe('too-slow');
    silent.closeAllConnections();
    await new Promise((resolve) => {
      silent.close(resolve);
    });
    expect(await reasonOf(post(`http://127.0.0.1:${port}/`, { allowPrivate: true }))).toBe('no-answer');
  });
});
