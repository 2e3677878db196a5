import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

// Flags of authenticator data: present, verified, with a credential in it.
const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_CREDENTIAL = 0x40;

/** A passkey as a device holds it (ES256, no attestation); its answers are JSON as browsers give them. */
export interface Authenticator {
  id: string;
  /** Answers `navigator.credentials.create`. */
  create(challenge: string): string;
  /** Answers `navigator.credentials.get`. */
  sign(challenge: string, options?: { isVerified?: boolean; origin?: string; counter?: number }): string;
}

/** Makes a passkey for the site with this origin. */
export function makeAuthenticator(origin: string): Authenticator {
  const credentialId = randomBytes(16);
  const id = credentialId.toString('base64url');
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const siteHash = sha256(new URL(origin).hostname);
  let used = 0;

  const clientData = (type: string, challenge: string, from: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  const authData = (flags: number, counter: number, rest: Buffer = Buffer.alloc(0)): Buffer => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([siteHash, Buffer.from([flags]), count, rest]);
  };
  const answer = (response: Record<string, Buffer>): string =>
    JSON.stringify({
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')])),
    });

  return {
    id,
    create(challenge) {
      const length = Buffer.from([0, credentialId.length]);
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)]);
      const data = authData(PRESENT | VERIFIED | WITH_CREDENTIAL, 0, credential);
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return answer({ clientDataJSON: clientData('webauthn.create', challenge, origin), attestationObject });
    },
    sign(challenge, { isVerified = true, origin: from = origin, counter = (used += 1) } = {}) {
      const authenticatorData = authData(isVerified ? PRESENT | VERIFIED : PRESENT, counter);
      const clientDataJSON = clientData('webauthn.get', challenge, from);
      const signature = createSign('sha256').update(authenticatorData).update(sha256(clientDataJSON)).sign(privateKey);
      return answer({ clientDataJSON, authenticatorData, signature });
    },
  };
}

/** `{1: 2, 3: -7, -1: 1, -2: x, -3: y}` in CBOR (RFC 9053: EC2, ES256, P-256). */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const [left, right] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  return Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), left, Buffer.from('225820', 'hex'), right]);
}
