import { describe, expect, test } from 'vitest';
import { readHelperState, readHubError } from './read-state.ts';

const session = { client: 3, key: '3.1700000000000', since: 1_700_000_000_000, remote: '192.0.2.1:51820', sent: 10, received: 20 };
const state = {
  boot: 'a1B2_c3-',
  kinds: ['wireguard'],
  lacks: ['openvpn'],
  hubs: [{ id: 1, revision: '', isRunning: true, error: null, sessions: [session] }],
  events: [{ number: 1, hub: 1, client: 3, at: 1_700_000_000_000, code: 0, remote: '192.0.2.1:51820', session }],
};
const [hub] = state.hubs;
const [event] = state.events;

describe('what a helper says of itself', () => {
  test('is taken as it is when it is right', () => {
    expect(readHelperState(structuredClone(state))).toEqual(state);
  });

  test.each([
    ['no object', 'state'],
    ['a run that is no word', { ...state, boot: 'x'.repeat(101) }],
    ['an unknown reason', { ...state, lacks: ['anything'] }],
    ['a hub without a number', { ...state, hubs: [{ ...hub, id: '1' }] }],
    ['bytes below zero', { ...state, hubs: [{ ...hub, sessions: [{ ...session, sent: -1 }] }] }],
    ['more bytes than can be counted', { ...state, hubs: [{ ...hub, sessions: [{ ...session, received: 1e300 }] }] }],
    ['a session key with other characters', { ...state, hubs: [{ ...hub, sessions: [{ ...session, key: "1' or 1" }] }] }],
    ['a code that does not exist', { ...state, events: [{ ...event, code: 6 }] }],
    ['more events than a helper keeps', { ...state, events: Array.from({ length: 5001 }, () => event) }],
  ])('is refused with %s', (_what, value) => {
    expect(() => readHelperState(value)).toThrow(Error);
  });

  test('has no more of a text than fits on a line', () => {
    expect(readHubError(`no\nway\u0000 ${'x'.repeat(1000)}`)).toBe(`no way  ${'x'.repeat(492)}`);
    expect(readHubError(null)).toBeNull();
    expect(() => readHubError({})).toThrow(Error);
    const remote = `<b>${'1'.repeat(100)}`;
    expect(readHelperState({ ...state, events: [{ ...event, remote }] }).events[0]?.remote).toBe(`b${'1'.repeat(59)}`);
  });
});
