import type { Page } from 'playwright';
import { loadConfig } from '../../server/config.ts';
import type { SshServer } from '../helpers/remote-counterparts.ts';
import type { World } from '../helpers/world.ts';
import { makeConsoleWorld } from './console-world.ts';
import { textsOf } from './texts.ts';

const t = textsOf('en');

/** A console whose sessions reach services of this machine without a tunnel. */
export function makeRemoteWorld(): Promise<World> {
  const { remote } = loadConfig({ REMOTE_DIRECT: 'loopback', TUNNEL_PORT: '0', REMOTE_PORT: '0' }, '/nowhere');
  return makeConsoleWorld({ config: { remote } });
}

/** Fills in the sign-in of an SSH session with the server's user and key. */
export async function signInByKey(page: Page, { username, privateKey }: SshServer): Promise<void> {
  const form = page.getByRole('form', { name: t('remote.login.title') });
  await form.getByRole('textbox', { name: t('remote.login.username') }).fill(username);
  await form.getByText(t('remote.login.key'), { exact: true }).click();
  await form.getByRole('textbox', { name: t('remote.login.private_key') }).fill(privateKey);
  await form.getByRole('button', { name: t('remote.login.submit') }).click();
}
