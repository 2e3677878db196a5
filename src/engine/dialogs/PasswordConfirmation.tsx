import { useId } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import styles from '../../ui/dialog/dialog.module.css';
import { Button } from '../../ui/Button.tsx';
import { FieldFrame } from '../../ui/fields/FieldFrame.tsx';
import { PasswordInput } from '../../ui/PasswordInput.tsx';
import { DialogWindow } from './DialogWindow.tsx';
import { useEntry } from './use-entry.ts';
import type { TryEntry } from '../../kernel/http/index.ts';
import type { DialogHandle } from './registry.ts';

export interface PasswordConfirmationProps {
  tryPassword: TryEntry;
}

/** Asks for the user's own password before a call goes on; stays open while it is wrong. */
export default function PasswordConfirmation({ dialog, tryPassword }: PasswordConfirmationProps & { dialog: DialogHandle<true> }) {
  const t = useT();
  const id = useId();
  const entry = useEntry({ dialog, tryEntry: tryPassword, missing: t('password_prompt.missing'), fieldId: `${id}-password` });
  return (
    <DialogWindow
      dialog={dialog}
      title={t('password_prompt.title')}
      size="small"
      footer={
        <>
          <Button onClick={dialog.requestClose}>{t('dialogs.cancel')}</Button>
          <Button type="submit" form={`${id}-form`} variant="primary" isBusy={entry.isBusy}>
            {t('dialogs.confirm')}
          </Button>
        </>
      }
    >
      <form id={`${id}-form`} className={styles.text} onSubmit={entry.handleSubmit} noValidate>
        <p>{t('password_prompt.text')}</p>
        <FieldFrame id={`${id}-password`} label={t('password_prompt.label')} error={entry.error} isRequired>
          {(control) => (
            <PasswordInput
              {...control}
              isInvalid={control['aria-invalid']}
              autoComplete="current-password"
              data-autofocus
              maxLength={200}
              value={entry.value}
              onChange={(event) => entry.setValue(event.target.value)}
            />
          )}
        </FieldFrame>
      </form>
    </DialogWindow>
  );
}
