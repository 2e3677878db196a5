import { createHash } from 'node:crypto';
import type { Duplex } from 'node:stream';
import ssh2, { type AnyAuthMethod, type Client, type ConnectConfig, type ParsedKey } from 'ssh2';
import type { LoginAnswer, RemoteAnswer, RemoteEnd, RemoteQuestion } from '../../../schemas/kit/devices/remote-wire.ts';
import { MINUTE, SECOND } from '../../kernel/clock.ts';

/** Why a remote session did not come up or ended; the code goes to the console. */
export class RemoteFault extends Error {
  override name = 'RemoteFault';
  readonly reason: RemoteEnd;

  constructor(reason: RemoteEnd, detail = '') {
    super(detail);
    this.reason = reason;
  }
}

export interface KnownKey {
  key_type: string;
  fingerprint: string;
}

export interface SshTarget {
  host: string;
  port: number;
  stream: Duplex;
  credentials: LoginAnswer | undefined;
  /** The host keys that were trusted before. */
  known: readonly KnownKey[];
  /** Also offers algorithms that are broken by now. */
  legacy: boolean;
  ask(question: RemoteQuestion): Promise<RemoteAnswer>;
  /** The key was trusted by a person for the first time, or in the place of another. */
  onTrusted(key: KnownKey): Promise<void>;
}

const HOST_KEYS = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
];
const RSA = ['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'];
const LEGACY = {
  kex: ['diffie-hellman-group-exchange-sha1', 'diffie-hellman-group14-sha1', 'diffie-hellman-group1-sha1'],
  cipher: ['aes256-cbc', 'aes192-cbc', 'aes128-cbc', '3des-cbc'],
  hmac: ['hmac-sha1', 'hmac-md5'],
};
// People answer questions meanwhile.
const READY_TIMEOUT_MS = 3 * MINUTE;
const KEEPALIVE_MS = 15 * SECOND;
const LOGIN_TRIES = 3;

/** The fingerprint as ssh-keygen prints it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

function keyTypeOf(key: Buffer): string {
  const length = key.length > 4 ? key.readUInt32BE(0) : 0;
  return key.subarray(4, 4 + Math.min(length, 64)).toString('latin1');
}

/**
 * The types of the known keys first, so that a server that gets a key of another type later is not taken for another server. A full list: ssh2's `prepend`
 * leaves types where they are that it knows already.
 */
function hostKeyOrder(known: readonly KnownKey[], legacy: boolean): string[] {
  const first = known.flatMap(({ key_type }) => (key_type === 'ssh-rsa' ? RSA : [key_type]));
  const all = [...new Set([...first, ...HOST_KEYS, ...(legacy ? ['ssh-dss'] : [])])];
  return all.filter((name) => name === 'ssh-dss' || HOST_KEYS.includes(name));
}

function faultOf(error: Error & { level?: string }): RemoteFault {
  if (error instanceof RemoteFault) return error;
  const { message } = error;
  if (/no matching/i.test(message)) return new RemoteFault('legacy-needed', message);
  if (error.level === 'client-authentication' || /authentication fail/i.test(message)) return new RemoteFault('login-failed', message);
  if (error.level === 'client-timeout' || /timed out/i.test(message)) return new RemoteFault('timeout', message);
  if (error.level === 'client-socket') return new RemoteFault('unreachable', message);
  return new RemoteFault('protocol', message);
}

const isLogin = (answer: RemoteAnswer): answer is LoginAnswer => answer !== null && !('trust' in answer) && !('answers' in answer);

/** Who signs in: what is stored, completed by what is asked for. */
async function readLogin({ credentials, ask }: SshTarget): Promise<LoginAnswer & { username: string }> {
  const username = credentials?.username;
  if (username !== undefined && username !== '') return { ...credentials, username };
  const answer = await ask({ kind: 'login', failed: false, takes_key: true, needs_username: true });
  if (!isLogin(answer) || !answer.username) throw new RemoteFault('cancelled');
  return { ...answer, username: answer.username };
}

function readKey({ private_key: key, passphrase }: LoginAnswer): ParsedKey {
  const parsed = ssh2.utils.parseKey(key ?? '', passphrase);
  if (parsed instanceof Error) throw new RemoteFault('login-failed', parsed.message);
  return parsed;
}

/** The ways to sign in, one after the other, as ssh2 asks for them; undefined when none is left. */
function authSteps(target: SshTarget, login: LoginAnswer & { username: string }, onGiveUp: (fault: unknown) => void) {
  const { username } = login;
  let current: LoginAnswer = login;
  let tries = 0;
  const tried = new Set<string>();
  let isPasswordUsed = false;

  async function answerPrompts(name: string, instructions: string, prompts: { prompt: string; echo?: boolean }[]): Promise<string[]> {
    if (prompts.length === 0) return [];
    const [only] = prompts;
    // Most servers ask for the password this way.
    if (prompts.length === 1 && only?.echo !== true && current.password !== undefined && !isPasswordUsed) {
      isPasswordUsed = true;
      return [current.password];
    }
    const texts = prompts.slice(0, 16).map(({ prompt, echo }) => ({ text: prompt.slice(0, 500), echo: echo === true }));
    const answer = await target.ask({
      kind: 'prompts',
      name: name.slice(0, 200),
      instructions: instructions.slice(0, 2000),
      prompts: texts,
    });
    if (answer === null || !('answers' in answer)) throw new RemoteFault('cancelled');
    return prompts.map((_, index) => answer.answers[index] ?? '');
  }

  function keyboardInteractive(): AnyAuthMethod {
    return {
      type: 'keyboard-interactive',
      username,
      prompt(name, instructions, _language, prompts, finish) {
        answerPrompts(name, instructions, prompts).then(finish, onGiveUp);
      },
    };
  }

  return async function next(left: readonly string[] | null): Promise<AnyAuthMethod | undefined> {
    if (left === null && !tried.has('none')) {
      tried.add('none');
      return { type: 'none', username };
    }
    const takes = (type: string): boolean => left === null || left.includes(type);
    for (;;) {
      if (current.private_key !== undefined && takes('publickey') && !tried.has('publickey')) {
        tried.add('publickey');
        return { type: 'publickey', username, key: readKey(current) };
      }
      if (current.password !== undefined && takes('password') && !tried.has('password')) {
        tried.add('password');
        return { type: 'password', username, password: current.password };
      }
      // A server that takes passwords both ways counts each as a failure.
      if (takes('keyboard-interactive') && !tried.has('keyboard-interactive') && !takes('password')) {
        tried.add('keyboard-interactive');
        return keyboardInteractive();
      }
      tries += 1;
      if (tries > LOGIN_TRIES) return undefined;
      const failed = tried.size > 1;
      const answer = await target.ask({ kind: 'login', username, failed, takes_key: takes('publickey'), needs_username: false });
      if (!isLogin(answer)) throw new RemoteFault('cancelled');
      current = answer;
      isPasswordUsed = false;
      tried.clear();
      tried.add('none');
    }
  };
}

/** Whether the key of the host is trusted; asks the person when it is new or another than before. */
async function isTrusted(target: SshTarget, key: Buffer): Promise<boolean> {
  const found = { key_type: keyTypeOf(key), fingerprint: fingerprintOf(key) };
  if (target.known.some(({ fingerprint }) => fingerprint === found.fingerprint)) return true;
  const before = target.known.find(({ key_type }) => key_type === found.key_type) ?? target.known[0];
  const { host, port } = target;
  const answer = await target.ask({ kind: 'host-key', ...found, host, port, ...(before ? { known: before.fingerprint } : {}) });
  if (answer === null || !('trust' in answer) || !answer.trust) return false;
  await target.onTrusted(found);
  return true;
}

/**
 * Signs in at an SSH server over a stream. Asks the person for what is missing: a new or changed host key, user name, password or key, the prompts of the
 * server. Throws RemoteFault.
 */
export async function connectSsh(target: SshTarget): Promise<Client> {
  const login = await readLogin(target).catch((error: unknown) => {
    target.stream.destroy();
    throw error;
  });
  const client = new ssh2.Client();
  try {
    await new Promise<void>((resolve, reject) => {
      const giveUp = (fault: unknown): void => {
        reject(fault instanceof Error ? faultOf(fault) : new RemoteFault('protocol'));
        client.destroy();
      };
      const next = authSteps(target, login, giveUp);
      const config: ConnectConfig = {
        sock: target.stream,
        username: login.username,
        readyTimeout: READY_TIMEOUT_MS,
        keepaliveInterval: KEEPALIVE_MS,
        keepaliveCountMax: 3,
        algorithms: {
          serverHostKey: hostKeyOrder(target.known, target.legacy) as never,
          ...(target.legacy
            ? {
                kex: { append: LEGACY.kex, prepend: [], remove: [] } as never,
                cipher: { append: LEGACY.cipher, prepend: [], remove: [] } as never,
                hmac: { append: LEGACY.hmac, prepend: [], remove: [] } as never,
              }
            : {}),
        },
        hostVerifier: (key: Buffer, verify: (isValid: boolean) => void) => {
          isTrusted(target, key).then((isFine) => {
            if (!isFine) giveUp(new RemoteFault('host-key-refused'));
            verify(isFine);
          }, giveUp);
        },
        authHandler: (left, _partial, callback) => {
          const answer = (method: AnyAuthMethod | undefined): void => callback(method ?? (false as never));
          next(left as readonly string[] | null).then(answer, giveUp);
        },
      };
      client.on('ready', resolve);
      client.on('error', giveUp);
      client.on('close', () => reject(new RemoteFault('unreachable', 'The connection was closed before the sign-in.')));
      client.connect(config);
    });
  } catch (error) {
    client.destroy();
    throw error;
  }
  client.removeAllListeners('error');
  client.on('error', () => client.destroy());
  // Without it each write waits for the acknowledgement of the one before.
  client.setNoDelay(true);
  return client;
}
