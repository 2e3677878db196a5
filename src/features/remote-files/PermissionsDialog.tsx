import { useState } from 'react';
import { DialogWindow, type DialogComponent } from '../../engine/dialogs/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, Checkbox, FieldFrame, SmallTable, TextField } from '../../ui/index.ts';
import { modeText } from './paths.ts';
import styles from './remote-files.module.css';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'remote-files.permissions': { props: { name: string; mode: number }; result: number };
  }
}

const WHO = [
  { key: 'owner', shift: 6 },
  { key: 'group', shift: 3 },
  { key: 'others', shift: 0 },
] as const;
const RIGHTS = [
  { key: 'read', bit: 4 },
  { key: 'write', bit: 2 },
  { key: 'execute', bit: 1 },
] as const;

/** Who may read, write and execute a remote file, as boxes and as the number of chmod. */
const PermissionsDialog: DialogComponent<'remote-files.permissions'> = ({ dialog, name, mode: before }) => {
  const t = useT();
  const [mode, setMode] = useState(before);
  const [typed, setTyped] = useState(before.toString(8));
  const change = (next: number): void => {
    setMode(next);
    setTyped(next.toString(8));
  };
  const isFine = /^[0-7]{1,4}$/.test(typed);
  return (
    <DialogWindow
      dialog={dialog}
      title={t('files_remote.permissions_of', { name })}
      footer={
        <>
          <Button onClick={() => dialog.close()}>{t('dialogs.cancel')}</Button>
          <Button variant="primary" disabled={!isFine} onClick={() => dialog.close(mode)}>
            {t('files_remote.change')}
          </Button>
        </>
      }
    >
      <SmallTable
        className={styles.rights}
        label={t('files_remote.permissions_of', { name })}
        rows={WHO}
        keyOf={({ key }) => key}
        hasRowNames
        columns={[
          { key: 'who', title: t('files_remote.who'), render: ({ key }) => t(`files_remote.who_${key}`) },
          ...RIGHTS.map(({ key, bit }) => ({
            key,
            title: t(`files_remote.right_${key}`),
            render: ({ key: who, shift }: (typeof WHO)[number]) => (
              <Checkbox
                aria-label={`${t(`files_remote.who_${who}`)}: ${t(`files_remote.right_${key}`)}`}
                checked={(mode & (bit << shift)) !== 0}
                onChange={() => change(mode ^ (bit << shift))}
              />
            ),
          })),
        ]}
      />
      <FieldFrame label={t('files_remote.as_number')} hint={modeText(mode)}>
        {(control) => (
          <TextField
            {...control}
            value={typed}
            maxLength={4}
            inputMode="numeric"
            isMonospace
            onChange={(text) => {
              setTyped(text);
              if (/^[0-7]{1,4}$/.test(text)) setMode(Number.parseInt(text, 8));
            }}
          />
        )}
      </FieldFrame>
    </DialogWindow>
  );
};
export default PermissionsDialog;
