import { createHmac } from 'node:crypto';
import type { WebhookSetting } from '../../config.ts';

/** A call of a webhook, ready to be sent. */
export interface WebhookRequest {
  url: URL;
  headers: Record<string, string>;
  body: string;
}

/** The address of a setting with the path of a form behind it. */
export function addressOf(setting: WebhookSetting, path: string): URL {
  const url = new URL(setting.url);
  if (path !== '') url.pathname = url.pathname.replace(/\/+$/, '') + path;
  return url;
}

/** `sha256=<hex>` over `<timestamp>.<body>`: the receiver makes the same with its secret, and refuses what is minutes old. */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`;
}

/** The request that a delivery makes now; each try is signed with its own time. */
export function webhookRequest(
  setting: WebhookSetting,
  { path, body, deliveryId, now }: { path: string; body: string; deliveryId: number; now: number },
): WebhookRequest {
  const timestamp = String(Math.floor(now / 1000));
  return {
    url: addressOf(setting, path),
    headers: {
      'user-agent': 'Canopy',
      'x-canopy-delivery': String(deliveryId),
      'x-canopy-timestamp': timestamp,
      'x-canopy-signature': signatureOf(setting.secret, timestamp, body),
    },
    body,
  };
}
