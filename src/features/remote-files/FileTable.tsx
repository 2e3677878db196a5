import type { RemoteFile } from '../../../schemas/kit/devices/remote-wire.ts';
import { formatBytes } from '../../engine/table/format.ts';
import { useT, type Translate } from '../../kernel/i18n/index.ts';
import { formatTime } from '../../kernel/time/index.ts';
import { Button, Icon, IconButton, Menu, SmallTable, type MenuEntry } from '../../ui/index.ts';
import { joinPath, modeText } from './paths.ts';
import type { FolderActions } from './use-folder.ts';
import styles from './remote-files.module.css';

/** The kind of what is dragged from one folder to another: a path. */
export const DRAGGED = 'application/x-canopy-path';

interface FileTableProps {
  path: string;
  files: RemoteFile[];
  actions: FolderActions;
  onOpen(file: RemoteFile): void;
}

function entriesOf(file: RemoteFile, actions: FolderActions, t: Translate): MenuEntry[] {
  const forFiles: MenuEntry[] = [
    { id: 'download', label: t('files_remote.download'), icon: 'download', onSelect: () => actions.download(file) },
    { id: 'edit', label: t('files_remote.edit'), icon: 'file-pen', onSelect: () => void actions.edit(file) },
  ];
  return [
    ...(file.is_folder ? [] : forFiles),
    { id: 'rename', label: t('files_remote.rename'), icon: 'pencil', onSelect: () => void actions.rename(file) },
    { id: 'permissions', label: t('files_remote.permissions'), icon: 'lock', onSelect: () => void actions.setPermissions(file) },
    {
      id: 'remove',
      label: t('files_remote.remove'),
      icon: 'trash-2',
      isDanger: true,
      hasDivider: true,
      onSelect: () => void actions.remove(file),
    },
  ];
}

/** The files of a folder, each with what can be done with it. */
export function FileTable({ path, files, actions, onOpen }: FileTableProps) {
  const t = useT();
  const name = (file: RemoteFile) => (
    <span draggable onDragStart={(event) => event.dataTransfer.setData(DRAGGED, joinPath(path, file.name))}>
      <Icon name={file.is_folder ? 'folder' : 'file'} size={15} />
      <Button variant="link" onClick={() => onOpen(file)}>
        {file.name}
      </Button>
    </span>
  );
  const menu = (file: RemoteFile) => {
    const label = t('files_remote.actions_of', { name: file.name });
    return (
      <Menu label={label} entries={() => entriesOf(file, actions, t)}>
        <IconButton icon="ellipsis" size="small" label={label} />
      </Menu>
    );
  };
  const size = (file: RemoteFile) => (file.is_folder ? '' : formatBytes(file.size));
  const modified = (file: RemoteFile) => (file.modified > 0 ? formatTime(file.modified * 1000) : '');
  const owner = (file: RemoteFile) => `${file.owner}:${file.group}`;
  const mode = (file: RemoteFile) => <code>{modeText(file.mode)}</code>;
  return (
    <SmallTable
      className={styles.table}
      label={t('files_remote.folder', { path })}
      rows={files}
      keyOf={(file) => file.name}
      hasRowNames
      columns={[
        { key: 'name', title: t('fields.name'), className: styles.file, render: name },
        { key: 'size', title: t('files_remote.size'), className: styles.number, render: size },
        { key: 'modified', title: t('files_remote.modified'), className: styles.wide, render: modified },
        { key: 'mode', title: t('files_remote.permissions'), className: styles.wide, render: mode },
        { key: 'owner', title: t('files_remote.owner'), className: styles.wide, render: owner },
        { key: 'menu', title: t('files_remote.actions'), hidesTitle: true, render: menu },
      ]}
    />
  );
}
