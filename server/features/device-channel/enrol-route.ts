import { tunnelHostKey } from '../../domain/remote/host-key.ts';
import { Type } from '../../kernel/type.ts';
import type { Context } from '../../context.ts';
import { created, stream, type Answer } from '../../kernel/answer.ts';
import { MINUTE } from '../../kernel/clock.ts';
import { hashEnrolmentCode } from '../../domain/devices/enrolment-code.ts';
import { InvalidFields, TooManyRequests } from '../../kernel/errors.ts';
import { route, type App } from '../../kernel/route.ts';
import { lineOf } from './parse-values.ts';
import { createEnrolment, type Newcomer } from './enrol.ts';
import { enrolByProof, EnrolmentRefused } from './join-awaited.ts';
import { createLimiter } from '../../kernel/limiter.ts';
import { imeiOf, macOf, serialOf } from './wire.ts';

const CALLS_PER_MINUTE = 60_000;
const MAX_BODY_BYTES = 8 * 1024;
/** Not 201: OpenWrt's own client, uclient-fetch, throws the answer away unless it is 200, 204 or 206. */
const TAKEN_BY_SHELLS = 200;

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const bodySchema = Type.Object(
  {
    /** This, or `proof`. */
    code: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    /** The device's own password, of one that was added ahead with it. */
    proof: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    serial: Type.String({ minLength: 1, maxLength: 64 }),
    mac: Type.String({ minLength: 12, maxLength: 32 }),
    imei: text(128),
    model: text(128),
    firmware: text(128),
    name: text(128),
    agent: text(128),
  },
  // Newer agents may say more.
  { additionalProperties: true },
);

interface Body {
  code?: string;
  proof?: string;
  serial: string;
  mac: string;
  imei?: string;
  model?: string;
  firmware?: string;
  name?: string;
  agent?: string;
}

function readNewcomer(body: Body): Newcomer {
  const serial = serialOf(body.serial);
  const mac = macOf(body.mac);
  const wrong = [
    ...(serial === undefined ? [{ source: 'serial', message: 'Use 1 to 64 of A-Z a-z 0-9 . _ -' }] : []),
    ...(mac === undefined ? [{ source: 'mac', message: 'Use six hex pairs, such as 00:1E:42:AB:CD:EF.' }] : []),
  ];
  if ((body.code === undefined) === (body.proof === undefined)) wrong.push({ source: 'code', message: 'Send either a code or a proof.' });
  if (serial === undefined || mac === undefined || wrong.length > 0) throw new InvalidFields(wrong);
  const agent = lineOf(body.agent, 64) ?? '';
  return {
    code: body.code ?? '',
    serial,
    mac,
    imei: imeiOf(body.imei) ?? null,
    model: lineOf(body.model, 64) ?? '',
    firmware: lineOf(body.firmware, 64) ?? '',
    name: lineOf(body.name, 64) ?? '',
    agent,
    isSimulated: agent.startsWith('canopy-fleet'),
  };
}

/** Where devices find MQTT: what the settings say, else the host name by which they found this server. */
function mqttPlace(ctx: Context): { mqtt_host: string; mqtt_port: number; mqtt_tls: 0 | 1 } {
  const { config, devices } = ctx;
  return {
    mqtt_host: config.mqttPublicHost ?? (config.mqttUrl ? devices.address.host : new URL(ctx.publicUrl()).hostname),
    mqtt_port: config.mqttPublicPort ?? devices.address.port,
    mqtt_tls: devices.address.isTls ? 1 : 0,
  };
}

function answer(accept: string, data: Record<string, string | number>): Answer {
  if (!accept.includes('text/plain')) return created(data);
  const lines = Object.entries(data).map(([key, value]) => `${key}=${value}\n`);
  return stream(lines.join(''), { 'content-type': 'text/plain; charset=utf-8' }, TAKEN_BY_SHELLS);
}

/** `POST /api/enrol`, the door for devices; agent/PROTOCOL.md, Joining. */
export function registerEnrolment(app: App): void {
  const { ctx } = app;
  const enrol = createEnrolment(ctx);
  const now = (): number => ctx.clock.now();
  // Only refusals count by address and code: a thousand devices behind one address may join with one good code at once.
  const refusedByAddress = createLimiter({ max: 20, windowMs: 1 * MINUTE, now });
  const refusedByCode = createLimiter({ max: 30, windowMs: 1 * MINUTE, now });
  // The serial number is no secret: what strangers try elsewhere does not keep the device itself from its first try.
  const refusedByProofAndAddress = createLimiter({ max: 1, windowMs: 1 * MINUTE, now });

  function requirePatience(ip: string, code: string, isProof: boolean): void {
    const isFirstTry = isProof && refusedByProofAndAddress.waitSeconds(`${code} ${ip}`) === 0;
    const seconds = Math.max(refusedByAddress.waitSeconds(ip), isFirstTry ? 0 : refusedByCode.waitSeconds(code));
    if (seconds > 0) throw new TooManyRequests({ seconds });
  }

  route(app, {
    method: 'POST',
    path: '/enrol',
    access: 'public',
    summary: 'A device joins with an enrolment code, or with its password where it was added ahead.',
    mediaType: 'text/plain',
    tag: 'devices for devices',
    body: bodySchema,
    bodyLimit: MAX_BODY_BYTES,
    ratePerMinute: CALLS_PER_MINUTE,
    async handler({ body, origin, request, reply }) {
      const newcomer = readNewcomer(body);
      const isProof = body.proof !== undefined;
      // Tries of a password count for the serial number.
      const code = hashEnrolmentCode(isProof ? `proof ${newcomer.serial}` : newcomer.code);
      try {
        requirePatience(origin.ip, code, isProof);
        const { deviceKey, password } =
          body.proof === undefined ? await enrol(origin, newcomer) : await enrolByProof(ctx, origin, newcomer, body.proof);
        reply.header('cache-control', 'no-store');
        const data = {
          device_key: deviceKey,
          password,
          ...mqttPlace(ctx),
          report_seconds: ctx.config.reportSeconds,
          tunnel_host_key: (await tunnelHostKey(ctx)).publicText,
        };
        return answer(String(request.headers.accept ?? ''), data);
      } catch (error) {
        if (error instanceof TooManyRequests) reply.header('retry-after', error.items[0]?.params?.['seconds'] ?? 60);
        if (error instanceof EnrolmentRefused) {
          refusedByAddress.take(origin.ip);
          refusedByCode.take(code);
          if (isProof) refusedByProofAndAddress.take(`${code} ${origin.ip}`);
        }
        throw error;
      }
    },
  });
}
