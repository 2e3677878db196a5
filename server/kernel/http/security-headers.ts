import { randomBytes } from 'node:crypto';

/** The browser's rules for a page: only our own scripts, and only styles of ours or marked with this page's nonce. `pictures`: another origin that they may come from. */
export function contentPolicy(styleNonce?: string, pictures?: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self'${styleNonce === undefined ? '' : ` 'nonce-${styleNonce}'`}`,
    `img-src 'self' data: blob:${pictures === undefined ? '' : ` ${pictures}`}`,
    "worker-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** A value that nobody can guess, new for every page. */
export function styleNonce(): string {
  return randomBytes(16).toString('base64');
}

const ONE_YEAR_SECONDS = 31_536_000;

/** Headers that every answer carries, errors included. */
export function securityHeaders({ isHttps }: { isHttps: boolean }): Record<string, string> {
  return {
    'content-security-policy': contentPolicy(),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
    'x-dns-prefetch-control': 'off',
    ...(isHttps ? { 'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}` } : {}),
  };
}
