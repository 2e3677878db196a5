import 'reflect-metadata';
import { createHash, randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { DAY } from '../../kernel/clock.ts';

x509.cryptoProvider.set(webcrypto as Crypto);

const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNING = { ...CURVE, hash: 'SHA-256' } as const;
const CA_DAYS = 3650;
const SERVER_DAYS = 397;
export const CLIENT_DAYS = 825;
/** A list past its next update makes OpenVPN refuse everybody, so the next one is made long before. */
const REVOKED_LIST_DAYS = 60;
/** Clocks of devices may be a little behind. */
const CLOCK_SLACK = DAY;

/** Everything that an OpenVPN hub needs, PEM; sealed where it is kept. */
export interface HubPki {
  ca: string;
  caKey: string;
  certificate: string;
  key: string;
  tlsCrypt: string;
}

export interface Issued {
  certificate: string;
  /** Hex. */
  serial: string;
  expiresAt: number;
}

const serialNumber = (): string => {
  const bytes = randomBytes(16);
  // Positive, and of a length that no leading zero changes.
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
};

async function keyPem(keys: CryptoKeyPair): Promise<string> {
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey as webcrypto.CryptoKey));
  return x509.PemConverter.encode(bytes, 'PRIVATE KEY');
}

const makeKeyPair = (): Promise<CryptoKeyPair> => webcrypto.subtle.generateKey(CURVE, true, ['sign', 'verify']) as Promise<CryptoKeyPair>;

async function signerOf(caKey: string): Promise<CryptoKey> {
  const bytes = x509.PemConverter.decodeFirst(caKey);
  return (await webcrypto.subtle.importKey('pkcs8', bytes, CURVE, false, ['sign'])) as CryptoKey;
}

async function issue(
  ca: Pick<HubPki, 'ca' | 'caKey'>,
  given: { name: string; publicKey: x509.PublicKeyType; days: number; now: number; usage: string },
): Promise<Issued> {
  const issuer = new x509.X509Certificate(ca.ca);
  const serial = serialNumber();
  const expiresAt = Math.min(given.now + given.days * DAY, issuer.notAfter.getTime());
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial,
    subject: `CN=${given.name}`,
    issuer: issuer.subject,
    notBefore: new Date(given.now - CLOCK_SLACK),
    notAfter: new Date(expiresAt),
    signingAlgorithm: SIGNING,
    publicKey: given.publicKey,
    signingKey: await signerOf(ca.caKey),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([given.usage]),
      await x509.SubjectKeyIdentifierExtension.create(given.publicKey),
    ],
  });
  return { certificate: certificate.toString('pem'), serial, expiresAt };
}

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

/** 256 random bytes in the frame that OpenVPN expects of a `tls-crypt` key. */
function makeTlsCrypt(): string {
  const lines = randomBytes(256).toString('hex').match(/.{32}/g) ?? [];
  return ['-----BEGIN OpenVPN Static key V1-----', ...lines, '-----END OpenVPN Static key V1-----', ''].join('\n');
}

/** A certificate authority of its own for a hub, with the hub's certificate. */
export async function makePki(hubId: number, now: number): Promise<HubPki> {
  const keys = await makeKeyPair();
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: `CN=Canopy hub ${hubId}`,
    notBefore: new Date(now - CLOCK_SLACK),
    notAfter: new Date(now + CA_DAYS * DAY),
    signingAlgorithm: SIGNING,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  const pki = { ca: ca.toString('pem'), caKey: await keyPem(keys) };
  return { ...pki, ...(await renewServer(pki, now)), tlsCrypt: makeTlsCrypt() };
}

/** A new certificate for the hub itself; those of clients stay valid. */
export async function renewServer(ca: Pick<HubPki, 'ca' | 'caKey'>, now: number): Promise<Pick<HubPki, 'certificate' | 'key'>> {
  const keys = await makeKeyPair();
  const { certificate } = await issue(ca, { name: 'hub', publicKey: keys.publicKey, days: SERVER_DAYS, now, usage: SERVER_AUTH });
  return { certificate, key: await keyPem(keys) };
}

export const clientName = (id: number): string => `c${id}`;

/** A key and a certificate for a client; the key is kept nowhere. */
export async function issueClient(ca: Pick<HubPki, 'ca' | 'caKey'>, id: number, now: number): Promise<Issued & { key: string }> {
  const keys = await makeKeyPair();
  const issued = await issue(ca, { name: clientName(id), publicKey: keys.publicKey, days: CLIENT_DAYS, now, usage: CLIENT_AUTH });
  return { ...issued, key: await keyPem(keys) };
}

/** A certificate for the key of a request that a device made; undefined for what is no request with a valid signature. What else it asks for is left out. */
export async function signRequest(ca: Pick<HubPki, 'ca' | 'caKey'>, id: number, request: string, now: number): Promise<Issued | undefined> {
  try {
    const found = new x509.Pkcs10CertificateRequest(request);
    if (!(await found.verify())) return undefined;
    return await issue(ca, { name: clientName(id), publicKey: found.publicKey, days: CLIENT_DAYS, now, usage: CLIENT_AUTH });
  } catch {
    return undefined;
  }
}

/** The list of certificates that are not valid any more. */
export async function revokedList(
  ca: Pick<HubPki, 'ca' | 'caKey'>,
  revoked: readonly { serial: string; at: number }[],
  now: number,
): Promise<string> {
  const list = await x509.X509CrlGenerator.create({
    issuer: new x509.X509Certificate(ca.ca).subject,
    thisUpdate: new Date(now - CLOCK_SLACK),
    nextUpdate: new Date(now + REVOKED_LIST_DAYS * DAY),
    signingAlgorithm: SIGNING,
    signingKey: await signerOf(ca.caKey),
    entries: revoked.map(({ serial, at }) => ({ serialNumber: serial, revocationDate: new Date(at) })),
  });
  // The library writes `BEGIN CRL`, which OpenVPN does not take for a list: it would refuse everybody.
  return x509.PemConverter.encode(list.rawData, 'X509 CRL');
}

export function expiryOf(certificate: string): number {
  return new x509.X509Certificate(certificate).notAfter.getTime();
}

/** The profile of a client of an OpenVPN hub, with all that it needs inside. */
export function openVpnProfile(given: {
  hub: { endpoint: string; port: number; vpn_type: 'tun' | 'tap' };
  pki: Pick<HubPki, 'ca' | 'tlsCrypt'>;
  certificate: string;
  /** Left out where the device has its own. */
  key?: string;
  ether: string;
}): string {
  const { hub, pki, certificate, key, ether } = given;
  return [
    'client',
    `dev ${hub.vpn_type}`,
    ...(hub.vpn_type === 'tap' ? [`lladdr ${ether}`] : []),
    'proto udp',
    `remote ${hub.endpoint} ${hub.port}`,
    'resolv-retry infinite',
    'nobind',
    'persist-key',
    'persist-tun',
    'remote-cert-tls server',
    'verify-x509-name hub name',
    'tls-version-min 1.2',
    'data-ciphers AES-256-GCM:CHACHA20-POLY1305:AES-128-GCM',
    'auth SHA256',
    'verb 3',
    `<ca>\n${pki.ca.trim()}\n</ca>`,
    `<cert>\n${certificate.trim()}\n</cert>`,
    ...(key === undefined ? [] : [`<key>\n${key.trim()}\n</key>`]),
    `<tls-crypt>\n${pki.tlsCrypt.trim()}\n</tls-crypt>`,
    '',
  ].join('\n');
}

/** The same for a key that comes with the certificate, or for one that is there already. */
export const fingerprintOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22);
