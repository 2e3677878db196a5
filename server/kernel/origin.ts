import type { FastifyRequest } from 'fastify';
import type { Origin } from './actor.ts';

/** Reports which form a call was entered in: `<id>@<version>`. Anything else is as good as nothing. */
const FORM_HEADER = 'x-canopy-form';
const FORM = /^[a-z0-9-]{1,64}\/[a-z0-9-]{1,64}@[1-9]\d{0,6}$/;

/** Address, request number and program of the caller, and the form that it used. */
export function originOf(request: FastifyRequest): Origin {
  const form = String(request.headers[FORM_HEADER] ?? '');
  return {
    ip: request.ip,
    requestId: request.id,
    userAgent: String(request.headers['user-agent'] ?? '').slice(0, 300),
    ...(FORM.test(form) ? { form } : {}),
  };
}
