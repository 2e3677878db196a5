import { useId, useState } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, Checkbox, DialogForm, FieldFrame, PasswordInput, SelectField, TextField } from '../../ui/index.ts';
import { DialogWindow } from './DialogWindow.tsx';
import { useTypedField } from './TypedField.tsx';
import type { FormEvent } from 'react';
import type { QuestionAnswer, QuestionModal } from './descriptor.ts';
import type { DialogHandle } from './registry.ts';

/** A question: yes or no, a line of text, a choice. What is asked for has to be there before it is confirmed. */
export default function QuestionDialog({ dialog, ...question }: QuestionModal & { dialog: DialogHandle<QuestionAnswer> }) {
  const t = useT();
  const id = useId();
  const { input, selectBox, danger = false } = question;
  const [text, setText] = useState(input?.value ?? '');
  const [textError, setTextError] = useState<string>();
  const [selection, setSelection] = useState(selectBox?.value);
  const [isLast, setLast] = useState(false);
  const { field: typedField, isTyped } = useTypedField(question.typed);
  const answer: QuestionAnswer = { text: input && (input.type === 'password' ? text : text.trim()), selection, isLast };
  const isUnchosen = selectBox !== undefined && selection === undefined && !question.disableSelection;
  const isDisabled = typeof question.disabled === 'function' ? question.disabled(answer) : question.disabled === true;

  function handleSubmit(event: FormEvent): void {
    event.preventDefault();
    event.stopPropagation();
    if (isUnchosen || isDisabled || !isTyped()) return;
    if (answer.text === '') {
      setTextError(t('dialogs.input_required'));
      document.getElementById(`${id}-input`)?.focus();
      return;
    }
    dialog.close(answer);
  }

  const hasField = question.typed !== undefined || input !== undefined || selectBox !== undefined;
  return (
    <DialogWindow
      dialog={dialog}
      title={question.title}
      size="small"
      isAlert={input === undefined && selectBox === undefined}
      canMinimize
      footer={
        <>
          {question.hasNoCancel ? null : (
            <Button onClick={dialog.requestClose} data-autofocus={(danger && !hasField) || undefined}>
              {question.cancelText ?? t('dialogs.cancel')}
            </Button>
          )}
          <Button
            type="submit"
            form={`${id}-form`}
            variant={danger ? 'danger-fill' : 'primary'}
            disabled={isUnchosen || isDisabled}
            data-autofocus={(!danger && !hasField) || undefined}
          >
            {question.confirmText ?? t('dialogs.confirm')}
          </Button>
        </>
      }
    >
      <DialogForm id={`${id}-form`} onSubmit={handleSubmit}>
        {question.promptContent?.split('\n\n').map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {input ? (
          <QuestionInput
            id={`${id}-input`}
            input={input}
            value={text}
            error={textError}
            onChange={(value) => {
              setText(value);
              setTextError(undefined);
            }}
          />
        ) : null}
        {selectBox ? (
          <FieldFrame id={`${id}-select`} label={selectBox.label} isRequired={!question.disableSelection}>
            {(control) => (
              <SelectField
                {...control}
                value={selection}
                choices={selectBox.choices}
                emptyLabel={t('dialogs.select')}
                disabled={question.selectBoxReadonly || question.disableSelection}
                hasAutofocus
                onChange={setSelection}
              />
            )}
          </FieldFrame>
        ) : null}
        {typedField}
        {question.reminderKey === undefined ? null : (
          <Checkbox checked={isLast} onChange={(event) => setLast(event.target.checked)}>
            {t('dialogs.not_again')}
          </Checkbox>
        )}
      </DialogForm>
    </DialogWindow>
  );
}

interface QuestionInputProps {
  id: string;
  input: NonNullable<QuestionModal['input']>;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function QuestionInput({ id, input, value, error, onChange }: QuestionInputProps) {
  const { type = 'text', maxLength } = input;
  return (
    <FieldFrame id={id} label={input.label} hint={input.hint} error={error} isRequired>
      {(control) =>
        type === 'password' ? (
          <PasswordInput
            {...control}
            value={value}
            autoComplete="current-password"
            data-autofocus
            maxLength={maxLength}
            onChange={(event) => onChange(event.target.value)}
          />
        ) : (
          <TextField
            {...control}
            value={value}
            inputMode={type === 'email' ? 'email' : undefined}
            hasAutofocus
            autoComplete={type === 'email' ? 'email' : 'off'}
            maxLength={maxLength}
            onChange={onChange}
          />
        )
      }
    </FieldFrame>
  );
}
