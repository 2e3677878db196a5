import type { RemoteEntry } from '../../../schemas/_generated/contract.ts';
import { saveFile } from '../../engine/actions/save-file.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

/** Long enough for a visit; the server ends it earlier when nothing happens. */
const SESSION_SECONDS = 4 * 3600;

/** Pages of the console that show what is no web page, by protocol. */
const PAGES: Partial<Record<RemoteEntry['protocol'], string>> = {
  ssh: '/rms-connect/ssh',
  sftp: '/rms-connect/sftp',
  telnet: '/rms-connect/telnet',
  vnc: '/rms-connect/desktop',
  rdp: '/rms-connect/desktop',
};

function fail(error: unknown, fallback: string): void {
  if (!isCancelled(error)) toasts.error(failureMessage(error, { fallback }));
}

/** Opens a tab for an address that is asked for first: browsers let a page open one only while it is clicked. */
async function openTab(ask: () => Promise<string>): Promise<void> {
  const tab = window.open('about:blank', '_blank');
  if (!tab) return void toasts.error(translate('remote-access.popup'));
  // What is opened must not reach back into the console.
  tab.opener = null;
  try {
    tab.location.replace(await ask());
  } catch (error) {
    tab.close();
    fail(error, translate('remote-access.failed'));
  }
  return undefined;
}

async function askForUrl(path: string): Promise<string> {
  const { data } = await api.post<{ url: string }>(path, { duration: SESSION_SECONDS });
  return data.url;
}

/** Opens what an entry names in a tab of its own. */
export async function connect({ rows }: ActionContext): Promise<void> {
  const [row] = rows;
  if (!row) return;
  const page = PAGES[row['protocol'] as RemoteEntry['protocol']];
  if (page !== undefined) window.open(`${page}?entry=${row.id}`, '_blank', 'noopener');
  else await openTab(() => askForUrl(`/devices/connect/${row.id}`));
}

/** The same for an entry that somebody shared. */
export async function connectShared({ rows }: ActionContext): Promise<void> {
  const [row] = rows;
  if (!row) return;
  const page = PAGES[row['protocol'] as RemoteEntry['protocol']];
  if (page !== undefined) window.open(`${page}?link=${row.id}`, '_blank', 'noopener');
  else await openTab(() => askForUrl(`/remote/shared/${row.id}/connect`));
}

/** Opens the page of a device itself. */
export async function openWebPage({ rows }: ActionContext): Promise<void> {
  const [row] = rows;
  if (row) await openTab(() => askForUrl(`/devices/${row.id}/connect/webui`));
}

/** Tries whether something answers. */
export async function check({ rows, reload }: ActionContext): Promise<void> {
  const [row] = rows;
  if (!row) return;
  try {
    const { data } = await api.post<{ state: 'open' | 'closed' | 'silent' }>(`/remote/entries/${row.id}/check`);
    if (data.state === 'open') toasts.success(translate('remote-access.answers'));
    else toasts.error(translate(data.state === 'closed' ? 'remote-access.closed' : 'remote-access.silent'));
    reload();
  } catch (error) {
    fail(error, translate('remote-access.check_failed'));
  }
}

const setFavourite =
  (is_favourite: boolean) =>
  async ({ rows, reload }: ActionContext): Promise<void> => {
    const [row] = rows;
    if (!row) return;
    try {
      await api.put(`/remote/entries/${row.id}/favourite`, { is_favourite });
      toasts.success(translate('remote-access.saved'));
      reload();
    } catch (error) {
      fail(error, translate('remote-access.save_failed'));
    }
  };

export const favour = setFavourite(true);
export const unfavour = setFavourite(false);

/** Saves the recording of a session as a file for any asciicast player. */
export async function downloadRecording({ rows }: ActionContext): Promise<void> {
  const [row] = rows;
  if (!row) return;
  try {
    const { blob } = await api.download(`/devices/connect/sessions/${row.id}/recording`);
    saveFile(blob, `session-${row.id}.cast`);
  } catch (error) {
    fail(error, translate('remote-access.recording_failed'));
  }
}
