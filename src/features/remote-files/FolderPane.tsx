import { useCallback, useEffect, useState, type DragEvent } from 'react';
import type { FileList as FolderList, RemoteFile } from '../../../schemas/kit/devices/remote-wire.ts';
import { confirm, openDialog, prompt } from '../../engine/dialogs/index.ts';
import { formatBytes } from '../../engine/table/format.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { formatTime } from '../../kernel/time/index.ts';
import { toasts } from '../../kernel/toasts/index.ts';
import {
  Banner,
  Button,
  cx,
  EmptyState,
  FileButton,
  FolderButton,
  Icon,
  IconButton,
  Menu,
  SmallTable,
  TextInput,
  type MenuEntry,
} from '../../ui/index.ts';
import { collectChosen, collectDropped, joinPath, modeText, parentOf, type DroppedFile } from './paths.ts';
import { RemoteFileError, type FilesSession } from './files-session.ts';
import styles from './remote-files.module.css';

interface FolderPaneProps {
  session: FilesSession;
  start: string;
  /** Another number: what is listed may be another now. */
  changed: number;
  onChange(): void;
}

const DRAGGED = 'application/x-canopy-path';

/** One folder: its files, what can be done with them, and a place to drop others. */
export function FolderPane({ session, start, changed, onChange }: FolderPaneProps) {
  const t = useT();
  const [path, setPath] = useState(start);
  const [typed, setTyped] = useState(start);
  const [list, setList] = useState<FolderList>();
  const [fault, setFault] = useState<string>();
  const [isOver, setOver] = useState(false);

  const words = useCallback(
    (error: unknown): string => t(`remote.faults.${error instanceof RemoteFileError ? error.code : 'failed'}`),
    [t],
  );
  useEffect(() => {
    let isWanted = true;
    session.call<FolderList>({ op: 'list', path }).then(
      (found) => {
        if (!isWanted) return;
        setList(found);
        setTyped(found.path);
        setFault(undefined);
      },
      (error: unknown) => isWanted && setFault(words(error)),
    );
    return () => void (isWanted = false);
    // `changed` is another number when the folder may be another.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [session, path, changed, words]);

  async function attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      onChange();
    } catch (error) {
      toasts.error(words(error));
    }
  }
  async function upload(files: readonly DroppedFile[], folders: readonly string[] = []): Promise<void> {
    const names = new Set(list?.files.map(({ name }) => name));
    const taken = files.filter(({ path: inner }) => names.has(inner));
    if (
      taken.length > 0 &&
      !(await confirm({
        title: t('files_remote.overwrite'),
        promptContent: taken
          .map(({ path: inner }) => inner)
          .slice(0, 10)
          .join(', '),
      }))
    )
      return;
    for (const folder of folders) await session.call({ op: 'make-folder', path: joinPath(path, folder) }).catch(() => undefined);
    for (const { path: inner, file } of files) void session.upload(joinPath(path, inner), file, true).then(onChange);
  }
  async function handleDrop(event: DragEvent): Promise<void> {
    event.preventDefault();
    setOver(false);
    const moved = event.dataTransfer.getData(DRAGGED);
    if (moved !== '') return attempt(() => session.call({ op: 'rename', path: moved, to: joinPath(path, moved.split('/').at(-1) ?? '') }));
    const { files, folders } = await collectDropped(event.dataTransfer);
    return upload(files, folders);
  }
  function uploadFolder(chosen: readonly File[]): void {
    const { files, folders } = collectChosen(chosen);
    void upload(files, folders);
  }
  async function askName(title: string, value = ''): Promise<string | undefined> {
    const name = await prompt({ title, input: { label: t('fields.name'), value } });
    return name?.includes('/') ? undefined : name;
  }
  const newFolder = async (): Promise<void> => {
    const name = await askName(t('files_remote.new_folder'));
    if (name) await attempt(() => session.call({ op: 'make-folder', path: joinPath(path, name) }));
  };
  const newFile = async (): Promise<void> => {
    const name = await askName(t('files_remote.new_file'));
    if (name) await attempt(() => session.call({ op: 'write', path: joinPath(path, name), text: '' }));
  };
  const open = (file: RemoteFile): void => {
    if (file.is_folder) return setPath(joinPath(path, file.name));
    return download(file);
  };
  const download = ({ name }: RemoteFile): void => {
    const link = document.createElement('a');
    link.href = session.downloadAddress(joinPath(path, name));
    link.download = name;
    link.click();
  };
  const entriesOf = (file: RemoteFile): MenuEntry[] => {
    const full = joinPath(path, file.name);
    const edit = (): void => void openDialog('remote-files.editor', { session, path: full }).then(onChange);
    return [
      ...(file.is_folder
        ? []
        : ([
            { id: 'download', label: t('files_remote.download'), icon: 'download', onSelect: () => download(file) },
            { id: 'edit', label: t('files_remote.edit'), icon: 'file-pen', onSelect: edit },
          ] satisfies MenuEntry[])),
      {
        id: 'rename',
        label: t('files_remote.rename'),
        icon: 'pencil',
        onSelect: () =>
          void askName(t('files_remote.rename'), file.name).then(
            (name) =>
              void (name && name !== file.name && attempt(() => session.call({ op: 'rename', path: full, to: joinPath(path, name) }))),
          ),
      },
      {
        id: 'permissions',
        label: t('files_remote.permissions'),
        icon: 'lock',
        onSelect: () =>
          void openDialog('remote-files.permissions', { name: file.name, mode: file.mode }).then(
            (mode) => void (mode !== undefined && attempt(() => session.call({ op: 'permissions', path: full, mode }))),
          ),
      },
      {
        id: 'remove',
        label: t('files_remote.remove'),
        icon: 'trash-2',
        isDanger: true,
        hasDivider: true,
        onSelect: () =>
          void confirm({
            title: t('files_remote.remove_question', { name: file.name }),
            promptContent: file.is_folder ? t('files_remote.remove_folder') : '',
          }).then(
            (isSure) => void (isSure && attempt(() => session.call({ op: 'remove', path: full, recursive: file.kind === 'folder' }))),
          ),
      },
    ];
  };
  const files = (list?.files ?? []).toSorted((a, b) => Number(b.is_folder) - Number(a.is_folder) || a.name.localeCompare(b.name));
  return (
    // Files are dropped here; by keyboard they are chosen with the button.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      className={cx(styles.pane, isOver && styles.over)}
      aria-label={t('files_remote.folder', { path })}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => void handleDrop(event)}
    >
      <div className={styles.bar}>
        <IconButton icon="folder-up" label={t('files_remote.up')} disabled={path === '/'} onClick={() => setPath(parentOf(path))} />
        <form
          className={styles.path}
          onSubmit={(event) => {
            event.preventDefault();
            setPath(typed.startsWith('/') ? typed : joinPath(path, typed));
          }}
        >
          <TextInput
            aria-label={t('files_remote.path')}
            value={typed}
            maxLength={4096}
            onChange={(event) => setTyped(event.target.value)}
          />
        </form>
        <IconButton icon="refresh-cw" label={t('files_remote.reload')} onClick={onChange} />
        <IconButton icon="folder-plus" label={t('files_remote.new_folder')} onClick={() => void newFolder()} />
        <IconButton icon="file-pen" label={t('files_remote.new_file')} onClick={() => void newFile()} />
        <FileButton label={t('files_remote.upload')} accept="" onFile={(file) => void upload([{ path: file.name, file }])}>
          {t('files_remote.upload')}
        </FileButton>
        <FolderButton label={t('files_remote.upload_folder')} onFiles={(chosen) => uploadFolder(chosen)}>
          {t('files_remote.upload_folder')}
        </FolderButton>
      </div>
      {fault ? <Banner kind="bad">{fault}</Banner> : null}
      {list?.is_cut ? <Banner kind="info">{t('files_remote.cut')}</Banner> : null}
      {list && files.length === 0 ? <EmptyState icon="folder" title={t('files_remote.empty')} text={t('files_remote.drop')} /> : null}
      {files.length > 0 ? (
        <div className={styles.scroll}>
          <SmallTable
            className={styles.table}
            label={t('files_remote.folder', { path })}
            rows={files}
            keyOf={({ name }) => name}
            hasRowNames
            columns={[
              {
                key: 'name',
                title: t('fields.name'),
                className: styles.file,
                render: (file) => (
                  <span draggable onDragStart={(event) => event.dataTransfer.setData(DRAGGED, joinPath(path, file.name))}>
                    <Icon name={file.is_folder ? 'folder' : 'file'} size={15} />
                    <Button variant="link" onClick={() => open(file)}>
                      {file.name}
                    </Button>
                  </span>
                ),
              },
              {
                key: 'size',
                title: t('files_remote.size'),
                className: styles.number,
                render: (file) => (file.is_folder ? '' : formatBytes(file.size)),
              },
              {
                key: 'modified',
                title: t('files_remote.modified'),
                className: styles.wide,
                render: ({ modified }) => (modified > 0 ? formatTime(modified * 1000) : ''),
              },
              {
                key: 'mode',
                title: t('files_remote.permissions'),
                className: styles.wide,
                render: ({ mode }) => <code>{modeText(mode)}</code>,
              },
              { key: 'owner', title: t('files_remote.owner'), className: styles.wide, render: ({ owner, group }) => `${owner}:${group}` },
              {
                key: 'menu',
                title: t('files_remote.actions'),
                hidesTitle: true,
                render: (file) => (
                  <Menu label={t('files_remote.actions_of', { name: file.name })} entries={() => entriesOf(file)}>
                    <IconButton icon="ellipsis" size="small" label={t('files_remote.actions_of', { name: file.name })} />
                  </Menu>
                ),
              },
            ]}
          />
        </div>
      ) : null}
    </section>
  );
}
