import type { RemoteEntry } from '../../../schemas/_generated/contract.ts';
import { saveFile } from '../../engine/actions/save-file.ts';
import type { ActionContext } from '../../engine/resources/registry.ts';
import { api, failureMessage, isCancelled } from '../../kernel/http/index.ts';
import { translate } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';

type Row = ActionContext['rows'][number];

/** Leads on to a web page of a device or behind it. */
const WEB = '/rms-connect/web';

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

/** Opens a connect page in a tab of its own, which says what the session will use before it connects. */
function openPage(row: Row | undefined, place: 'entry' | 'link' | 'device'): void {
  if (!row) return;
  const page = place === 'device' ? WEB : (PAGES[row['protocol'] as RemoteEntry['protocol']] ?? WEB);
  window.open(`${page}?${place}=${row.id}`, '_blank', 'noopener');
}

/** Opens what an entry names. */
export async function connect({ rows }: ActionContext): Promise<void> {
  openPage(rows[0], 'entry');
}

/** The same for an entry that somebody shared. */
export async function connectShared({ rows }: ActionContext): Promise<void> {
  openPage(rows[0], 'link');
}

/** Opens the page of a device itself. */
export async function openWebPage({ rows }: ActionContext): Promise<void> {
  openPage(rows[0], 'device');
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

const isDesktop = ({ protocol }: Row): boolean => protocol === 'vnc' || protocol === 'rdp';

/** Opens the recording of a session in a tab of its own. */
export async function replayRecording({ rows }: ActionContext): Promise<void> {
  const [row] = rows;
  if (row) window.open(`/rms-connect/${isDesktop(row) ? 'replay-desktop' : 'replay'}?session=${row.id}`, '_blank', 'noopener');
}

/** Saves the recording of a session as a file for any player of asciicasts (terminals) or framebuffer streams (desktops). */
export async function downloadRecording({ rows }: ActionContext): Promise<void> {
  const [row] = rows;
  if (!row) return;
  try {
    const { blob } = await api.download(`/devices/connect/sessions/${row.id}/recording`);
    saveFile(blob, `session-${row.id}.${isDesktop(row) ? 'fbs' : 'cast'}`);
  } catch (error) {
    fail(error, translate('remote-access.recording_failed'));
  }
}
