import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { makeFolder, run, type Counterpart } from './remote-counterparts.ts';

/** HAProxy in front of a port of loopback. `more`: lines of its backend; none are its defaults. */
export async function startHaproxy(to: number, more: string[] = []): Promise<Counterpart> {
  const folder = makeFolder();
  const port = await freePort();
  const lines = [
    ...['defaults', 'mode http', 'timeout connect 10s', 'timeout client 60s', 'timeout server 60s', 'timeout tunnel 60s'],
    ...['frontend browsers', `bind 127.0.0.1:${port}`, 'default_backend canopy'],
    ...['backend canopy', ...more, `server canopy 127.0.0.1:${to}`],
  ];
  writeFileSync(join(folder, 'haproxy.cfg'), `${lines.join('\n')}\n`);
  return run('haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], { port, folder });
}

/** nginx in front of a port of loopback, with connections to it that are kept. `certificate`: files, for TLS. */
export async function startNginx(to: number, { certificate }: { certificate?: { key: string; cert: string } } = {}): Promise<Counterpart> {
  const folder = makeFolder();
  const port = await freePort();
  const tls = certificate ? [`ssl_certificate ${certificate.cert};`, `ssl_certificate_key ${certificate.key};`] : [];
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${join(folder, name)};`);
  const lines = [
    ...[
      'daemon off;',
      'master_process off;',
      `pid ${join(folder, 'pid')};`,
      'error_log stderr crit;',
      'events {}',
      'http {',
      'access_log off;',
      // As the operations guide says for pages of devices.
      'large_client_header_buffers 4 1m;',
    ],
    ...temporary,
    ...['map $http_upgrade $connection_upgrade {', 'default upgrade;', "'' '';", '}'],
    ...['upstream canopy {', `server 127.0.0.1:${to};`, 'keepalive 16;', '}'],
    ...['server {', `listen 127.0.0.1:${port}${certificate ? ' ssl' : ''};`, ...tls],
    ...['location / {', 'proxy_pass http://canopy;', 'proxy_http_version 1.1;', 'proxy_set_header Host $http_host;'],
    ...[
      'proxy_set_header Upgrade $http_upgrade;',
      'proxy_set_header Connection $connection_upgrade;',
      'proxy_buffering off;',
      '}',
      '}',
      '}',
    ],
  ];
  writeFileSync(join(folder, 'nginx.conf'), `${lines.join('\n')}\n`);
  return run('nginx', ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], { port, folder });
}
