import { useState, type DragEvent } from 'react';
import type { RemoteFile } from '../../../schemas/kit/devices/remote-wire.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, cx, EmptyState, FileButton, FolderButton, IconButton, TextInput } from '../../ui/index.ts';
import { DRAGGED, FileTable } from './FileTable.tsx';
import { collectChosen, collectDropped, joinPath, parentOf } from './paths.ts';
import { useFolder, useFolderActions, type FolderOptions } from './use-folder.ts';
import styles from './remote-files.module.css';
import { compareTexts } from '../../../schemas/kit/text/text-order.ts';

/** One folder: its files, what can be done with them, and a place to drop others. */
export function FolderPane(options: FolderOptions) {
  const t = useT();
  const folder = useFolder(options);
  const { path, go, list, fault } = folder;
  const actions = useFolderActions(options, path, list);
  const [isOver, setOver] = useState(false);
  const handleDrop = async (event: DragEvent): Promise<void> => {
    event.preventDefault();
    setOver(false);
    const moved = event.dataTransfer.getData(DRAGGED);
    if (moved !== '') return actions.moveHere(moved);
    const { files, folders } = await collectDropped(event.dataTransfer);
    return actions.upload(files, folders);
  };
  const open = (file: RemoteFile): void => (file.is_folder ? go(joinPath(path, file.name)) : actions.download(file));
  const files = (list?.files ?? []).toSorted((a, b) => Number(b.is_folder) - Number(a.is_folder) || compareTexts(a.name, b.name));
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
      <FolderBar folder={folder} actions={actions} onReload={options.onChange} />
      {fault ? <Banner kind="bad">{fault}</Banner> : null}
      {list?.is_cut ? <Banner kind="info">{t('files_remote.cut')}</Banner> : null}
      {list && files.length === 0 ? <EmptyState icon="folder" title={t('files_remote.empty')} text={t('files_remote.drop')} /> : null}
      {files.length > 0 ? (
        <div className={styles.scroll}>
          <FileTable path={path} files={files} actions={actions} onOpen={open} />
        </div>
      ) : null}
    </section>
  );
}

interface FolderBarProps {
  folder: ReturnType<typeof useFolder>;
  actions: ReturnType<typeof useFolderActions>;
  onReload(): void;
}

function FolderBar({ folder: { path, go, typed, setTyped }, actions, onReload }: FolderBarProps) {
  const t = useT();
  const uploadFolder = (chosen: readonly File[]): void => {
    const { files, folders } = collectChosen(chosen);
    void actions.upload(files, folders);
  };
  return (
    <div className={styles.bar}>
      <IconButton icon="folder-up" label={t('files_remote.up')} disabled={path === '/'} onClick={() => go(parentOf(path))} />
      <form
        className={styles.path}
        onSubmit={(event) => {
          event.preventDefault();
          go(typed.startsWith('/') ? typed : joinPath(path, typed));
        }}
      >
        <TextInput aria-label={t('files_remote.path')} value={typed} maxLength={4096} onChange={(event) => setTyped(event.target.value)} />
      </form>
      <IconButton icon="refresh-cw" label={t('files_remote.reload')} onClick={onReload} />
      <IconButton icon="folder-plus" label={t('files_remote.new_folder')} onClick={() => void actions.newFolder()} />
      <IconButton icon="file-pen" label={t('files_remote.new_file')} onClick={() => void actions.newFile()} />
      <FileButton
        label={t('files_remote.upload')}
        accept=""
        onFiles={(files) => void actions.upload(files.map((file) => ({ path: file.name, file })))}
      >
        {t('files_remote.upload')}
      </FileButton>
      <FolderButton label={t('files_remote.upload_folder')} onFiles={uploadFolder}>
        {t('files_remote.upload_folder')}
      </FolderButton>
    </div>
  );
}
