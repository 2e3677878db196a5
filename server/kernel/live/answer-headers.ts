import type { Server } from 'node:http';
import type { Context } from '../../context.ts';
import { isSecureSite } from '../auth/cookies.ts';
import { securityHeaders } from '../http/security-headers.ts';

/** Gives what the live channel answers over plain HTTP, mostly refusals, the headers of every answer; no route of ours sees these calls. */
export function addAnswerHeaders(ctx: Context, http: Server, path: string): void {
  const headers = new Map(Object.entries({ ...securityHeaders({ isHttps: isSecureSite(ctx) }), 'cache-control': 'no-store' }));
  http.prependListener('request', (request, response) => {
    if (request.url?.startsWith(path)) response.setHeaders(headers);
  });
}
