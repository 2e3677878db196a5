import type { ServerResponse } from 'node:http';

/** Why there is no page of a device. */
export type PageFault =
  | 'no-session'
  | 'ended'
  | 'used'
  | 'elsewhere'
  | 'service-worker'
  | 'refused-address'
  | 'no-way'
  | 'no-vpn'
  | 'offline'
  | 'too-slow'
  | 'no-ssh'
  | 'refused'
  | 'odd'
  | 'closed';

const TEXTS: Readonly<Record<PageFault, [string, string]>> = {
  'no-session': ['This page is not open', 'Open it from the console: an address alone opens no page of a device.'],
  ended: ['This session has ended', 'Open the page again from the console.'],
  used: ['This address was used already, or its 30 seconds are over', 'Open the page again from the console.'],
  elsewhere: ['The device leads to another place', 'It is not followed. Add an entry for it where you want to go there:'],
  'service-worker': ['Not here', 'Service workers of devices are refused.'],
  'refused-address': ['This address is refused', 'Remote access does not lead there.'],
  'no-way': ['There is no way to this device', 'It has no tunnel, and direct connections are off.'],
  'no-vpn': ['The device is in no VPN', 'It is not connected to a VPN hub of this server, and the entry allows no other way.'],
  offline: ['The device is offline', 'Try again when it is connected.'],
  'too-slow': ['The device did not answer in time', 'Try again.'],
  'no-ssh': ['The device has no SSH client', 'Install openssh-client or dropbear on it.'],
  refused: ['The connection was refused', 'Nothing answers at this address and port.'],
  odd: ['The device answered with something that cannot be shown', 'Try again, or reach it in another way.'],
  closed: ['The connection broke off', 'Try again.'],
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;margin:0;display:grid;place-items:center;min-height:100vh;color-scheme:light dark;background:Canvas;color:CanvasText}main{max-width:32rem;padding:2rem}h1{font-size:1.25rem}code{overflow-wrap:anywhere}';

/** A small page of ours in place of one of the device. */
export function answerPage(response: ServerResponse, status: number, fault: PageFault, detail = ''): void {
  const [title, text] = TEXTS[fault];
  const more = detail === '' ? '' : `<p><code>${escaped(detail)}</code></p>`;
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  response.end(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style><main><h1>${title}</h1><p>${text}</p>${more}</main></html>`,
  );
}
