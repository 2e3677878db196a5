import { expect } from 'vitest';

/** Fails, naming the answer, when it lacks one of the headers that every answer carries. */
export function expectSafeHeaders(name: string, headers: Record<string, unknown>): void {
  const policy = String(headers['content-security-policy']);
  for (const rule of ["default-src 'self'", "script-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
    expect([name, policy]).toEqual([name, expect.stringContaining(rule)]);
  expect([name, policy]).not.toEqual([name, expect.stringContaining('unsafe')]);
  expect([name, headers]).toEqual([
    name,
    expect.objectContaining({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=(self), geolocation=()'),
    }),
  ]);
}
