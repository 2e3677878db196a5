import type { ConnectionCode, HelperState, HubEvent, HubSession, HubState, VpnKind } from './types.ts';
import { listOf, membersOf, numberOf, textOf } from './wire.ts';

const MOST_HUBS = 500;
const MOST_EVENTS = 5000;
const MOST_SESSIONS = 70_000;
const MOST_CHARACTERS = 500;
const MOST = Number.MAX_SAFE_INTEGER;
const WORD = /^[\w.+/=:-]{1,100}$/;
const KINDS: readonly VpnKind[] = ['wireguard', 'tun', 'tap'];
const LACKS: readonly HelperState['lacks'][number][] = ['rights', 'nftables', 'wireguard', 'openvpn'];

/** What a helper says why a hub does not run, shortened and on one line. Throws Error for what is no text. */
export function readHubError(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return textOf(value, /^/, 'an error')
    .replaceAll(/\p{C}+/gu, ' ')
    .slice(0, MOST_CHARACTERS);
}

const remoteOf = (value: unknown): string =>
  textOf(value, /^/, 'where a client is')
    .replaceAll(/[^\w.:[\]%-]/g, '')
    .slice(0, 60);

const oneOf = <T extends string>(value: unknown, known: readonly T[], what: string): T => {
  const found = known.find((one) => one === value);
  if (found === undefined) throw new Error(`${what} is unknown`);
  return found;
};

function readSession(value: unknown): HubSession {
  const session = membersOf(value, 'a session');
  return {
    client: numberOf(session['client'], 1, MOST, 'the client of a session'),
    key: textOf(session['key'], WORD, 'the key of a session'),
    since: numberOf(session['since'], 0, MOST, 'the begin of a session'),
    remote: remoteOf(session['remote']),
    sent: numberOf(session['sent'], 0, MOST, 'bytes'),
    received: numberOf(session['received'], 0, MOST, 'bytes'),
  };
}

function readHub(value: unknown): HubState {
  const hub = membersOf(value, 'a hub');
  return {
    id: numberOf(hub['id'], 1, MOST, 'the id of a hub'),
    revision: hub['revision'] === '' ? '' : textOf(hub['revision'], WORD, 'a revision'),
    isRunning: hub['isRunning'] === true,
    error: readHubError(hub['error']),
    sessions: listOf(hub['sessions'], MOST_SESSIONS, 'sessions', readSession),
  };
}

function readEvent(value: unknown): HubEvent {
  const event = membersOf(value, 'an event');
  return {
    number: numberOf(event['number'], 1, MOST, 'the number of an event'),
    hub: numberOf(event['hub'], 1, MOST, 'the id of a hub'),
    // Where a connection was refused, what the other side said that it is.
    client: Number.isSafeInteger(event['client']) && Number(event['client']) > 0 ? Number(event['client']) : null,
    at: numberOf(event['at'], 0, MOST, 'the time of an event'),
    code: numberOf(event['code'], 0, 5, 'the code of an event') as ConnectionCode,
    remote: remoteOf(event['remote']),
    session: event['session'] === null ? null : readSession(event['session']),
  };
}

/** What a helper says of itself, of which every member is checked: it may be on a machine that somebody else has taken over. Throws Error. */
export function readHelperState(value: unknown): HelperState {
  const state = membersOf(value, 'the state of a helper');
  return {
    boot: textOf(state['boot'], WORD, 'the run of a helper'),
    kinds: listOf(state['kinds'], KINDS.length, 'kinds', (kind) => oneOf(kind, KINDS, 'a kind')),
    lacks: listOf(state['lacks'], LACKS.length, 'what is missing', (lack) => oneOf(lack, LACKS, 'what is missing')),
    hubs: listOf(state['hubs'], MOST_HUBS, 'hubs', readHub),
    events: listOf(state['events'], MOST_EVENTS, 'events', readEvent),
  };
}
