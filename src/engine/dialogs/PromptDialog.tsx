import { useId, useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldFrame } from '../../ui/fields/FieldFrame.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { DialogWindow } from './DialogWindow.tsx';
import type { FormEvent } from 'react';
import type { DialogHandle, PromptProps } from './registry.ts';

/** Asks for one line of text; it is required and trimmed (spec: "prompt input is required"). */
export default function PromptDialog({ dialog, ...props }: PromptProps & { dialog: DialogHandle<string> }) {
  const t = useT();
  const id = useId();
  const [value, setValue] = useState(props.initial ?? '');
  const [error, setError] = useState<string>();

  function handleSubmit(event: FormEvent): void {
    event.preventDefault();
    event.stopPropagation();
    if (value.trim() === '') {
      setError(t('form.required'));
      document.getElementById(`${id}-value`)?.focus();
      return;
    }
    dialog.close(value.trim());
  }

  return (
    <DialogWindow
      dialog={dialog}
      title={props.title}
      size="small"
      footer={
        <>
          <Button onClick={() => dialog.close()}>{t('dialogs.cancel')}</Button>
          <Button type="submit" form={`${id}-form`} variant="primary">
            {props.confirmText ?? t('dialogs.confirm')}
          </Button>
        </>
      }
    >
      <form id={`${id}-form`} onSubmit={handleSubmit} noValidate>
        <FieldFrame id={`${id}-value`} label={props.label} hint={props.hint} error={error} isRequired>
          {(control) => (
            <TextField
              {...control}
              value={value}
              hasAutofocus
              autoComplete="off"
              maxLength={props.maxLength}
              onChange={(next) => {
                setValue(next);
                setError(undefined);
              }}
            />
          )}
        </FieldFrame>
      </form>
    </DialogWindow>
  );
}
