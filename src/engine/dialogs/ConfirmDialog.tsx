import { useId, useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import styles from '../../ui/dialog/dialog.module.css';
import { Button } from '../../ui/Button.tsx';
import { FieldFrame } from '../../ui/fields/FieldFrame.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { DialogWindow } from './DialogWindow.tsx';
import type { FormEvent } from 'react';
import type { ConfirmProps, DialogHandle } from './registry.ts';

/** A yes-or-no question. With `typed`, what is typed must match before it is confirmed. */
export default function ConfirmDialog({ dialog, ...props }: ConfirmProps & { dialog: DialogHandle<true> }) {
  const t = useT();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();

  function handleSubmit(event: FormEvent): void {
    event.preventDefault();
    event.stopPropagation();
    if (props.typed !== undefined && typed.trim() !== props.typed) {
      setError(t('dialogs.typed_wrong', { expected: props.typed }));
      document.getElementById(`${id}-typed`)?.focus();
      return;
    }
    dialog.close(true);
  }

  const safeFirst = props.danger && props.typed === undefined;
  return (
    <DialogWindow
      dialog={dialog}
      title={props.title}
      size="small"
      isAlert
      footer={
        <>
          {props.hasNoCancel ? null : (
            <Button onClick={() => dialog.close()} data-autofocus={safeFirst || undefined}>
              {props.cancelText ?? t('dialogs.cancel')}
            </Button>
          )}
          <Button
            type="submit"
            form={`${id}-form`}
            variant={props.danger ? 'danger-fill' : 'primary'}
            data-autofocus={(!safeFirst && props.typed === undefined) || undefined}
          >
            {props.confirmText ?? t('dialogs.confirm')}
          </Button>
        </>
      }
    >
      <form id={`${id}-form`} className={styles.text} onSubmit={handleSubmit} noValidate>
        {props.body?.split('\n\n').map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {props.typed === undefined ? null : (
          <FieldFrame id={`${id}-typed`} label={t('dialogs.typed_label', { expected: props.typed })} error={error}>
            {(control) => (
              <TextField
                {...control}
                value={typed}
                hasAutofocus
                autoComplete="off"
                onChange={(value) => {
                  setTyped(value);
                  setError(undefined);
                }}
              />
            )}
          </FieldFrame>
        )}
      </form>
    </DialogWindow>
  );
}
