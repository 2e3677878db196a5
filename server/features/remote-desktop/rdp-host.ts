import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { SECOND, type Clock } from '../../kernel/clock.ts';
import { RemoteFault } from '../../domain/remote/ssh-client.ts';
import { ExactReader } from './rfb.ts';

/** The kind of key under which certificates of RDP servers are kept beside host keys of SSH. */
export const RDP_KEY = 'X.509';

/** How a server wants people to sign in: `nla` before there is a picture, `tls` in the picture. */
export interface RdpHost {
  security: 'nla' | 'tls';
  /** SHA-256 of its certificate, as `openssl x509 -fingerprint -sha256` prints it. */
  fingerprint: string;
}

const ANSWER_WITHIN_MS = 20 * SECOND;
const TLS = 1;
const NLA = 2;
/** A TPKT with an X.224 connection request that offers TLS and NLA (MS-RDPBCGR 2.2.1.1). */
const REQUEST = Buffer.from([3, 0, 0, 19, 14, 0xe0, 0, 0, 0, 0, 0, 1, 0, 8, 0, TLS | NLA, 0, 0, 0]);
const CONFIRM = 0xd0;
const NEGOTIATED = 2;
const MOST_BYTES = 512;

async function readSecurity(stream: Duplex): Promise<RdpHost['security']> {
  const reader = new ExactReader(stream);
  stream.write(REQUEST);
  const head = await reader.read(4);
  const length = head.readUInt16BE(2);
  if (head[0] !== 3 || length < 11 || length > MOST_BYTES) throw new RemoteFault('protocol', 'This is no RDP server.');
  const body = await reader.read(length - 4);
  if (body[1] !== CONFIRM) throw new RemoteFault('protocol', 'This is no RDP server.');
  reader.release();
  const chosen = body.length >= 15 && body[7] === NEGOTIATED ? body.readUInt32LE(11) : 0;
  if (chosen === NLA) return 'nla';
  if (chosen === TLS) return 'tls';
  throw new RemoteFault('no-desktop', 'It takes connections without TLS only.');
}

/** Asks an RDP server how it lets people in and for its certificate, which is not judged; ends the connection. Throws RemoteFault. */
export async function readRdpHost(clock: Clock, stream: Duplex): Promise<RdpHost> {
  const cancel = clock.after(ANSWER_WITHIN_MS, () => void stream.destroy());
  try {
    const security = await readSecurity(stream);
    const socket = connectTls({ socket: stream, rejectUnauthorized: false, minVersion: 'TLSv1' });
    const fingerprint = await new Promise<string>((resolve, reject) => {
      socket.on('secureConnect', () => resolve(socket.getPeerCertificate().fingerprint256));
      socket.on('error', (error) => reject(new RemoteFault('protocol', error.message)));
      socket.on('close', () => reject(new RemoteFault('protocol', 'The connection ended in the middle of the handshake.')));
    });
    socket.destroy();
    if (!fingerprint) throw new RemoteFault('protocol', 'It has no certificate.');
    return { security, fingerprint };
  } finally {
    cancel();
    stream.destroy();
  }
}
