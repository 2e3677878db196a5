import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** What the device lets in. */
export const DEVICE_LOGIN = { username: 'root', password: 'quay "side" <7>&%+ æ' };

/** A device whose page asks for a password in a form: LuCI's at `/luci`, an application like RutOS's at `/app`. */
export interface LoginPage extends AsyncDisposable {
  port: number;
  /** Bodies as they came. */
  bodies: string[];
}

const FORM = `<!DOCTYPE html><!-- <head> --><html lang="en"><head profile="x"><meta charset="utf-8"><title>LuCI</title></head><body>
<form method="post" action="/luci"><input type="text" name="luci_username" value="admin"><input type="password" name="luci_password">
<button type="submit">Log in</button></form></body></html>`;
const APP = `<!doctype html><div id="app"></div><script src="/app.js" nonce="own"></script>`;
// Its fields come late, are kept by their events only, and are no form.
const APP_SCRIPT = `setTimeout(() => {
  const model = {};
  document.querySelector('#app').innerHTML = '<input type="text" data-key="username"><input type="password" data-key="password"><button>Log in</button><p></p>';
  for (const field of document.querySelectorAll('input')) field.addEventListener('input', () => { model[field.dataset.key] = field.value; });
  document.querySelector('button').addEventListener('click', async () => {
    const answer = await fetch('/api/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(model) });
    document.querySelector('p').textContent = answer.ok ? 'Welcome to the router' : 'Wrong password';
  });
}, 300);`;

const isRight = (name: string | null, password: string | null): boolean =>
  name === DEVICE_LOGIN.username && password === DEVICE_LOGIN.password;

function respond({ method, url }: IncomingMessage, body: string, response: ServerResponse): void {
  if (url === '/luci' && method === 'GET') {
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' };
    response.writeHead(200, { ...headers, 'content-security-policy': "default-src 'none'; form-action 'self'" }).end(gzipSync(FORM));
  } else if (url === '/luci') {
    const fields = new URLSearchParams(body);
    if (isRight(fields.get('luci_username'), fields.get('luci_password')))
      response.writeHead(302, { location: '/inside', 'set-cookie': 'sysauth=1; Path=/' }).end();
    // Devices show again what was typed.
    else
      response
        .writeHead(403, { 'content-type': 'text/html', 'x-typed': body })
        .end(`<p>Not for ${body}: ${[...fields.values()].join()}</p>`);
  } else if (url === '/inside') response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome to the router</h1>');
  else if (url === '/app') {
    const policy = "script-src 'strict-dynamic' 'nonce-own'; object-src 'none'";
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(APP);
  } else if (url === '/app.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(APP_SCRIPT);
  else if (url === '/api/login') {
    const { username, password } = JSON.parse(body) as { username: string; password: string };
    response.writeHead(isRight(username, password) ? 200 : 401, { 'content-type': 'application/json' }).end('{}');
  } else response.writeHead(200, { 'content-type': 'text/plain' }).end(body);
}

export async function startLoginPage(): Promise<LoginPage> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      if (request.method !== 'GET') bodies.push(body);
      respond(request, body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    bodies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
