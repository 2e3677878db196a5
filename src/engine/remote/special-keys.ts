import { useList } from '@refinedev/core';
import type { TerminalKey } from '../../../schemas/_generated/contract.ts';
import { keyBytes, parametersOf } from '../../../schemas/kit/devices/terminal-keys.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { can } from '../../kernel/session/index.ts';
import type { MenuEntry } from '../../ui/index.ts';
import { openDialog } from '../dialogs/index.ts';
import { openForm } from '../form/index.ts';

const MOST = 100;

/** Sends the text of a key, once its parameters are filled in. */
export async function pressKey({ label, text, presses_enter: enter }: TerminalKey, send: (text: string) => void): Promise<void> {
  const parameters = parametersOf(text);
  const values = parameters.length === 0 ? {} : await openDialog('remote.key-values', { label, parameters });
  if (values) send(keyBytes(text, values) + (enter ? '\r' : ''));
}

/** The keys that the reader has made or was given, and the entries of a menu that end with the way to more of them. */
export function useSpecialKeys(send: (text: string) => void): { keys: readonly TerminalKey[]; entries: readonly MenuEntry[] } {
  const t = useT();
  const isAllowed = can('execute_device_remote_access');
  const { result, query } = useList<TerminalKey, ApiError>({
    resource: 'terminal-keys',
    pagination: { pageSize: MOST },
    queryOptions: { enabled: isAllowed },
  });
  if (!isAllowed) return { keys: [], entries: [] };
  const keys = result.data;
  const add = async (): Promise<void> => {
    if (await openForm('remote-access/new-key')) await query.refetch();
  };
  const entries: MenuEntry[] = [
    ...keys.map((key) => ({ id: `key-${key.id}`, label: key.label, detail: key.text, onSelect: () => void pressKey(key, send) })),
    { id: 'add-key', label: t('remote.keys.add'), icon: 'plus', hasDivider: keys.length > 0, onSelect: () => void add() },
    {
      id: 'manage-keys',
      label: t('remote.keys.manage'),
      icon: 'pencil',
      onSelect: () => void window.open('/remote/keys', '_blank', 'noopener'),
    },
  ];
  return { keys, entries };
}
