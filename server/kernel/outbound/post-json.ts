import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { SECOND } from '../clock.ts';
import { isPublicAddress } from './address-rules.ts';

/** All addresses of a host name. */
export type Resolve = (host: string) => Promise<string[]>;

export const resolveBySystem: Resolve = async (host) => (await systemLookup(host, { all: true })).map(({ address }) => address);

// @NOTE Not by `import`: that reads all that node:http offers, a whole WebSocket client among it, and costs 13 MiB for good.
const { request: requestHttp } = process.getBuiltinModule('node:http');
const { request: requestHttps } = process.getBuiltinModule('node:https');

const TIMEOUT_MS = 10 * SECOND;
const MAX_HEADER_BYTES = 16 * 1024;

/** Why a call to the outside did not work: for the log and for administrators, never with anything that the other side said. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly reason: 'unknown-host' | 'closed-address' | 'no-answer' | 'too-slow';

  constructor(reason: OutboundError['reason'], options: { cause?: unknown } = {}) {
    super(reason, options);
    this.reason = reason;
  }
}

export interface OutboundCall {
  /** http or https. */
  url: URL;
  headers: Record<string, string>;
  body: string;
  /** Also loopback, private and link-local addresses. */
  allowPrivate: boolean;
  /** The host's name is asked once, and the connection goes to an address that was looked at: what a second answer would say does not matter. */
  resolve?: Resolve;
  timeoutMs?: number;
}

/**
 * The one address that a call to this host goes to. A host with any closed address is refused unless `allowPrivate` says otherwise (docs/checks.md IN8).
 * Throws OutboundError.
 */
export async function openAddressOf(
  host: string,
  { allowPrivate, resolve = resolveBySystem }: Pick<OutboundCall, 'allowPrivate' | 'resolve'>,
) {
  let addresses: string[];
  try {
    addresses = isIP(host) ? [host] : await resolve(host);
  } catch (error) {
    throw new OutboundError('unknown-host', { cause: error });
  }
  const [first] = addresses;
  if (first === undefined) throw new OutboundError('unknown-host');
  // One closed address among several is enough: nobody mixes them with good intentions.
  if (!allowPrivate && !addresses.every(isPublicAddress)) throw new OutboundError('closed-address');
  return first;
}

/**
 * Sends a JSON text by POST and answers the status alone: redirects are not followed, the body of the answer is not read, the whole takes at most ten
 * seconds (docs/checks.md IN8). Throws OutboundError.
 */
export async function postJson(call: OutboundCall): Promise<number> {
  // The URL parser has turned 0x7f.1, 2130706433 and 0177.0.0.1 into dotted numbers.
  const address = await openAddressOf(call.url.hostname.replace(/^\[|\]$/g, ''), call);
  const family = isIP(address);
  const pinned: LookupFunction = (_host, options, done) => (options.all ? done(null, [{ address, family }]) : done(null, address, family));
  const body = Buffer.from(call.body);
  const signal = AbortSignal.timeout(call.timeoutMs ?? TIMEOUT_MS);
  return new Promise<number>((resolve, reject) => {
    const send = call.url.protocol === 'https:' ? requestHttps : requestHttp;
    const request = send(
      call.url,
      {
        method: 'POST',
        agent: false,
        lookup: pinned,
        signal,
        maxHeaderSize: MAX_HEADER_BYTES,
        headers: { ...call.headers, 'content-type': 'application/json', 'content-length': body.length, connection: 'close' },
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      },
    );
    request.on('error', (error) => reject(new OutboundError(signal.aborted ? 'too-slow' : 'no-answer', { cause: error })));
    request.end(body);
  });
}
