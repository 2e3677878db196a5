import { useState } from 'react';
import type { Change } from '../../../schemas/_generated/contract.ts';
import { DialogWindow } from '../../engine/dialogs/DialogWindow.tsx';
import type { DialogHandle } from '../../engine/dialogs/registry.ts';
import { ChangeRows } from '../../engine/history/ChangeRows.tsx';
import { changeSentence, whereText, whoText } from '../../engine/history/sentence.ts';
import { hasText, useT, type Translate } from '../../kernel/i18n/index.ts';
import { Button, RelativeTime, Switch } from '../../ui/index.ts';
import { openForm } from '../../engine/form/index.ts';
import { JobRecord } from './JobRecord.tsx';
import styles from './history.module.css';

declare module '../../engine/dialogs/registry.ts' {
  interface DialogTypes {
    'history.change': { props: { change: Change; onUndone: () => void }; result: void };
  }
}

function formText(t: Translate, form: string): string {
  const [id = '', version = ''] = form.split('@', 2);
  return t('history.form', { id, version });
}

/** One change with its records: who, when and from where, and the way back. */
export default function ChangeDialog({ dialog, change, onUndone }: { dialog: DialogHandle<void>; change: Change; onUndone: () => void }) {
  const t = useT();
  const [isRaw, setRaw] = useState(false);
  const final = `history.final.${change.action}`;
  const undo = async () => {
    if (!(await openForm('history/undo-all', { record: { ...change } }))) return;
    onUndone();
    dialog.close();
  };
  return (
    <DialogWindow
      dialog={dialog}
      title={changeSentence(t, change)}
      canFullscreen
      footer={
        <>
          {change.is_undoable ? (
            <Button icon="undo-2" onClick={() => void undo()}>
              {t('actions.changes.undo')}
            </Button>
          ) : null}
          <Button onClick={dialog.requestClose}>{t('history.close')}</Button>
        </>
      }
    >
      <p className={styles.who}>
        {whoText(t, change)} · {whereText(t, change)} <RelativeTime time={change.created_at} saysAgo />
      </p>
      {change.form ? <p className={styles.who}>{formText(t, change.form)}</p> : null}
      {hasText(final) ? <p className={styles.who}>{t(final)}</p> : null}
      {change.entity === 'job' && change.count === 1 ? (
        <JobRecord change={change} onLeave={dialog.close} />
      ) : (
        <>
          <Switch isOn={isRaw} label={t('history.raw')} onChange={setRaw} />
          <ChangeRows id={change.id} isRaw={isRaw} />
        </>
      )}
    </DialogWindow>
  );
}
