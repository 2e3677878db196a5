import { expect, test } from 'vitest';
import { CookieJar } from './cookie-jar.ts';

const OF_THE_CONSOLE = [
  'canopy_access',
  'canopy_refresh',
  'CANOPY_REMOTE',
  '__Host-canopy_remote',
  '__Host-session',
  '__Secure-id',
  'XSRF-TOKEN',
];

test('whatever a browser sends, a device gets no cookie by the name of one of the console or of one that is bound to its host [HN14]', () => {
  const header = ['theme=dark', ...OF_THE_CONSOLE.map((name) => `${name}=secret`), 'lang=nb'].join('; ');
  for (const takesScripts of [true, false]) {
    const jar = new CookieJar({ takesScripts });
    jar.keep(['sysauth=1; Path=/; HttpOnly', 'canopy_access=mine; Path=/'], '/login');
    expect(jar.headerFor('/', header)).toBe(takesScripts ? 'sysauth=1; theme=dark; lang=nb' : 'sysauth=1');
  }
});
