import { useId, type ReactNode } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, type ControlAttributes, DialogForm, FieldFrame } from '../../ui/index.ts';
import { DialogWindow } from './DialogWindow.tsx';
import { useEntry } from './use-entry.ts';
import type { TryEntry } from '../../kernel/http/index.ts';
import type { DialogHandle } from './registry.ts';

export interface EntryDialogProps {
  dialog: DialogHandle<true>;
  title: string;
  /** Above the field. */
  intro: ReactNode;
  label: string;
  /** Said when nothing was entered. */
  missing: string;
  tryEntry: TryEntry;
  /** The control that is typed into. */
  renderInput: (control: ControlAttributes, value: string, onChange: (value: string) => void) => ReactNode;
  /** Another way to answer, between the words and the field. */
  renderOtherWay?: (entry: Pick<ReturnType<typeof useEntry>, 'tryIt' | 'refuse'>) => ReactNode;
  /** Below the field. */
  children?: ReactNode;
}

/** Asks for one entry that a call under way needs, such as a code; stays open, with the reason at the field, while it is refused. */
export function EntryDialog({ dialog, title, intro, label, missing, tryEntry, renderInput, renderOtherWay, children }: EntryDialogProps) {
  const t = useT();
  const id = useId();
  const entry = useEntry({ dialog, tryEntry, missing, fieldId: `${id}-entry` });
  return (
    <DialogWindow
      dialog={dialog}
      title={title}
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
      <DialogForm id={`${id}-form`} onSubmit={entry.handleSubmit}>
        {intro}
        {renderOtherWay?.(entry)}
        <FieldFrame id={`${id}-entry`} label={label} error={entry.error} isRequired>
          {(control) => renderInput(control, entry.value, entry.setValue)}
        </FieldFrame>
        {children}
      </DialogForm>
    </DialogWindow>
  );
}
