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

/** Uploads a file of a company, and answers its id. */
export async function upload(
  server: Measured,
  headers: Headers,
  { companyId, name, type, content }: { companyId: number; name: string; type: string; content: Buffer<ArrayBuffer> },
) {
  const body = new FormData();
  body.set('type', type);
  body.set('company_id', String(companyId));
  body.set('file', new Blob([content]), name);
  const response = await fetch(`${server.url}/api/files`, { method: 'POST', headers, body });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`POST /files: ${response.status} ${JSON.stringify(answer)}`);
  return (answer as { data: { id: number } }).data.id;
}
