import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { startServerProcess, type ServerProcess } from '../helpers/server-process.ts';
import { until } from '../helpers/until.ts';
import { launchBrowser, loadPage, openPage, type WatchedPage, type Browser } from './browser.ts';

const SYSTEM = { email: 'system@nordic.example', password: 'correct horse battery' };
export const PASSWORD = 'another horse battery';

/** A new installation with one company (id 1), its system administrator signed in by setting it up; without a mail server mails lie in its mailbox. */
export interface Installation extends AsyncDisposable {
  url: string;
  server: ServerProcess;
  browser: Browser;
  system: WatchedPage;
  /** Adds a user to the company, by the default role's title. */
  addUser(person: { email: string; first_name: string; last_name: string }, roleTitle: string): Promise<void>;
  /** The link in the newest mail to an address in the mailbox, once there is one. */
  linkTo(address: string): Promise<string>;
}

/** A call as the console sends it, from a page that is signed in. */
export function call(page: Page, method: string, path: string, body?: object): Promise<{ status: number; data: unknown }> {
  return page.evaluate(
    async ([verb, address, text]) => {
      const token = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const headers = { 'content-type': 'application/json', 'x-xsrf-token': token, 'x-requested-with': 'XMLHttpRequest' };
      const init: RequestInit = { method: verb, headers, ...(text === undefined ? {} : { body: text }) };
      const answer = await fetch(`/api${address}`, init);
      return { status: answer.status, data: (await answer.json()).data as unknown };
    },
    [method, path, body && JSON.stringify(body)] as const,
  );
}

/** Starts a server on new data, with these settings, sets it up and signs its administrator in. */
export async function startInstallation(env: Record<string, string> = {}): Promise<Installation> {
  const server = await startServerProcess({ env });
  const browser = await launchBrowser();
  const system = await openPage(browser);
  const token = readFileSync(join(server.dataDir, 'set-up-token'), 'utf8').trim();
  const person = { company_name: 'Nordic Fleet', first_name: 'Ingrid', last_name: 'Lund', ...SYSTEM };
  await system.page.request.post(`${server.url}/api/set-up`, { headers: { origin: server.url }, data: { token, ...person } });
  await loadPage(system.page, server.url);
  const { page } = system;
  return {
    url: server.url,
    server,
    browser,
    system,
    async addUser(user, roleTitle) {
      const roles = (await call(page, 'GET', '/roles')).data as { id: number; title: string }[];
      const role = roles.find(({ title }) => title === roleTitle);
      const { status } = await call(page, 'POST', '/users', { ...user, password: PASSWORD, company_id: 1, role_id: role?.id });
      if (status !== 201) throw new Error(`${user.email} was not added: ${status}`);
    },
    async linkTo(address) {
      return until(`a mail to ${address}`, async () => {
        const kept = (await call(page, 'GET', '/system/mailbox?sort=-created_at')).data as { id: number; to: string }[];
        const mail = kept.find(({ to }) => to === address);
        const opened = mail && ((await call(page, 'GET', `/system/mailbox/${mail.id}`)).data as { text: string });
        return opened && /http\S+#[\w-]{43}/.exec(opened.text)?.[0];
      });
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
