import type { Measured } from './processes.ts';

export type Headers = Record<string, string>;

/** Calls a route with the headers of somebody who is signed in. Throws when it is refused. */
export async function call(server: Measured, headers: Headers, method: string, path: string, body?: object) {
  const response = await fetch(`${server.url}/api${path}`, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer as { data: Record<string, unknown>; meta: Record<string, unknown> };
}
