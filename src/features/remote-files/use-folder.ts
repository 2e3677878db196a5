import { useCallback, useEffect, useState } from 'react';
import type { FileList as FolderList, RemoteFile } from '../../../schemas/kit/devices/remote-wire.ts';
import { confirm, openDialog, prompt } from '../../engine/dialogs/index.ts';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import { joinPath, MOST_FILES, type DroppedFile } from './paths.ts';
import { RemoteFileError, type FilesSession } from './files-session.ts';

export interface FolderOptions {
  session: FilesSession;
  start: string;
  /** Another number: what is listed may be another now. */
  changed: number;
  onChange(): void;
  /** Another folder is shown. */
  onPath?(path: string): void;
}

/** The folder that is shown: its path, what is in it, and why it could not be listed. */
export function useFolder({ session, start, changed, onPath }: Omit<FolderOptions, 'onChange'>) {
  const words = useFaultWords();
  const [path, setPath] = useState(start);
  const [typed, setTyped] = useState(start);
  const [list, setList] = useState<FolderList>();
  const [fault, setFault] = useState<string>();
  useEffect(() => {
    let isWanted = true;
    session.call<FolderList>({ op: 'list', path }).then(
      (found) => {
        if (!isWanted) return;
        setList(found);
        // What somebody types meanwhile stays.
        setTyped((present) => (present === path ? found.path : present));
        setFault(undefined);
      },
      (error: unknown) => isWanted && setFault(words(error)),
    );
    return () => void (isWanted = false);
    // `changed` is another number when the folder may be another.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [session, path, changed, words]);
  const go = (next: string): void => {
    setPath(next);
    setTyped(next);
    onPath?.(next);
  };
  return { path, go, typed, setTyped, list, fault };
}

/** A sentence for what a file call was refused for. */
function useFaultWords(): (error: unknown) => string {
  const t = useT();
  return useCallback((error) => t(`remote.faults.${error instanceof RemoteFileError ? error.code : 'failed'}`), [t]);
}

async function confirmOverwrite(names: readonly string[], title: string): Promise<boolean> {
  return names.length === 0 || confirm({ title, promptContent: names.slice(0, 10).join(', ') });
}

/** What can be done in a folder and with its files; each refusal is a message, and what is shown is read again after each change. */
export function useFolderActions(
  { session, onChange }: Pick<FolderOptions, 'session' | 'onChange'>,
  path: string,
  list: FolderList | undefined,
) {
  const t = useT();
  const words = useFaultWords();
  const inside = (name: string): string => joinPath(path, name);
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      onChange();
    } catch (error) {
      toasts.error(words(error));
    }
  };
  const askName = async (title: string, value = ''): Promise<string | undefined> => {
    const name = await prompt({ title, input: { label: t('fields.name'), value } });
    if (!name?.includes('/')) return name;
    toasts.error(t('files_remote.no_slash'));
    return undefined;
  };
  const moveHere = (from: string): Promise<void> =>
    attempt(() => session.call({ op: 'rename', path: from, to: inside(from.split('/').at(-1) ?? '') }));
  return {
    moveHere,
    async upload(files: readonly DroppedFile[], folders: readonly string[] = []): Promise<void> {
      if (files.length > MOST_FILES) {
        toasts.error(t('files_remote.too_many', { most: formatNumber(MOST_FILES) }));
        return;
      }
      const names = new Set(list?.files.map(({ name }) => name));
      // What is in a folder that is there already may be replaced, too.
      const taken = new Set(files.map(({ path: inner }) => inner.split('/')[0] ?? inner).filter((name) => names.has(name)));
      if (!(await confirmOverwrite([...taken], t('files_remote.overwrite')))) return;
      for (const folder of folders) await session.call({ op: 'make-folder', path: inside(folder) }).catch(() => undefined);
      for (const { path: inner, file } of files) void session.upload(inside(inner), file, true).then(onChange);
    },
    async newFolder(): Promise<void> {
      const name = await askName(t('files_remote.new_folder'));
      if (name) await attempt(() => session.call({ op: 'make-folder', path: inside(name) }));
    },
    async newFile(): Promise<void> {
      const name = await askName(t('files_remote.new_file'));
      if (name) await attempt(() => session.call({ op: 'write', path: inside(name), text: '' }));
    },
    download({ name }: RemoteFile): void {
      const link = document.createElement('a');
      link.href = session.downloadAddress(inside(name));
      link.download = name;
      link.click();
    },
    async edit({ name }: RemoteFile): Promise<void> {
      await openDialog('remote-files.editor', { session, path: inside(name) });
      onChange();
    },
    async rename({ name: former }: RemoteFile): Promise<void> {
      const name = await askName(t('files_remote.rename'), former);
      if (name && name !== former) await attempt(() => session.call({ op: 'rename', path: inside(former), to: inside(name) }));
    },
    async setPermissions({ name, mode: former }: RemoteFile): Promise<void> {
      const mode = await openDialog('remote-files.permissions', { name, mode: former });
      if (mode !== undefined) await attempt(() => session.call({ op: 'permissions', path: inside(name), mode }));
    },
    async remove({ name, is_folder: isFolder, kind }: RemoteFile): Promise<void> {
      const title = t('files_remote.remove_question', { name });
      if (await confirm({ title, promptContent: isFolder ? t('files_remote.remove_folder') : '' }))
        await attempt(() => session.call({ op: 'remove', path: inside(name), recursive: kind === 'folder' }));
    },
  };
}

export type FolderActions = ReturnType<typeof useFolderActions>;
