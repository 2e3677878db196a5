import { createHmac } from 'node:crypto';
import type { Context } from '../../context.ts';
import { OutboundError, postJson } from '../../kernel/outbound/post-json.ts';

const TRIES = 3;

/**
 * Calls a webhook that the administrators of this installation have set up (`WEBHOOKS`), by its name: signed like those of forms, at most three times,
 * with the same delivery number each time.
 */
export async function callWebhook(
  ctx: Context,
  name: string,
  content: { delivery: string } & Record<string, unknown>,
): Promise<{ status: 'ok' | 'failed'; message: string | null }> {
  const setting = ctx.config.webhooks.get(name);
  if (!setting) return { status: 'failed', message: 'no-webhook' };
  const body = JSON.stringify(content);
  let message = 'no-answer';
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const timestamp = String(Math.floor(ctx.clock.now() / 1000));
    const signature = `sha256=${createHmac('sha256', setting.secret).update(`${timestamp}.${body}`).digest('hex')}`;
    const headers = {
      'user-agent': 'Canopy',
      'x-canopy-delivery': content.delivery,
      'x-canopy-timestamp': timestamp,
      'x-canopy-signature': signature,
    };
    try {
      const status = await postJson({ url: new URL(setting.url), headers, body, allowPrivate: setting.allowPrivate });
      if (status >= 200 && status < 300) return { status: 'ok', message: String(status) };
      message = String(status);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      message = error.reason;
    }
  }
  return { status: 'failed', message };
}
