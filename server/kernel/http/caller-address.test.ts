import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { callerAddress } from './caller-address.ts';

/** The address of a call that comes from `peer` and says it was forwarded for `chain`. */
function found(proxies: readonly string[], peer: string, chain?: string): string {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: peer });
  const request = new IncomingMessage(socket);
  if (chain !== undefined) request.headers['x-forwarded-for'] = chain;
  return callerAddress(proxies)(request);
}

test('a forged chain changes nothing where no proxy is trusted [SE3]', () => {
  expect(found([], '203.0.113.9', '10.0.0.1')).toBe('203.0.113.9');
  expect(found(['10.0.0.0/8'], '203.0.113.9', '10.0.0.1')).toBe('203.0.113.9');
});

test('of a chain through proxies of ours, the nearest address that is none of them counts [SE3]', () => {
  expect(found(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'], '::ffff:127.0.0.1', '198.51.100.7, 203.0.113.9, fd00::1, 10.1.2.3')).toBe(
    '203.0.113.9',
  );
  expect(found(['127.0.0.1'], '127.0.0.1', 'for="127.0.0.\\1"')).toBe('for="127.0.0.\\1"');
  expect(found(['127.0.0.1'], '127.0.0.1')).toBe('127.0.0.1');
});

test('names of networks, which the rest of the server takes too, do no harm', () => {
  expect(found(['loopback', '10.0.0.0/255.0.0.0'], '127.0.0.1', '203.0.113.9')).toBe('127.0.0.1');
});
