import { useState, type FormEvent } from 'react';
import { isKeyValue, KEY_VALUE_LIMIT, type KeyParameter } from '../../../schemas/kit/devices/terminal-keys.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, FieldFrame, HiddenSubmit, SelectField, TextField } from '../../ui/index.ts';
import { DialogWindow, type DialogComponent } from '../dialogs/index.ts';
import styles from './remote.module.css';

declare module '../dialogs/registry.ts' {
  interface DialogTypes {
    'remote.key-values': { props: { label: string; parameters: readonly KeyParameter[] }; result: Record<string, string> };
  }
}

/** Asks for what a special key needs to know before it is sent. */
const KeyValuesDialog: DialogComponent<'remote.key-values'> = ({ dialog, label, parameters }) => {
  const t = useT();
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(parameters.map(({ name, choices }) => [name, choices[0] ?? ''])),
  );
  const [isTried, setTried] = useState(false);
  const isWrong = (parameter: KeyParameter): boolean => !isKeyValue(parameter, values[parameter.name] ?? '');
  const handleSubmit = (event?: FormEvent): void => {
    event?.preventDefault();
    setTried(true);
    if (!parameters.some(isWrong)) dialog.close(values);
  };
  return (
    <DialogWindow
      dialog={dialog}
      title={label}
      footer={
        <>
          <Button onClick={() => dialog.close()}>{t('dialogs.cancel')}</Button>
          <Button variant="primary" onClick={() => handleSubmit()}>
            {t('remote.keys.send')}
          </Button>
        </>
      }
    >
      <form className={styles.fields} onSubmit={handleSubmit}>
        {parameters.map((parameter, index) => {
          const { name, type, choices } = parameter;
          const change = (text: string): void => setValues({ ...values, [name]: text });
          return (
            <FieldFrame
              key={name}
              label={name}
              isRequired
              error={isTried && isWrong(parameter) ? t(type === 'number' ? 'remote.keys.no_number' : 'remote.keys.no_text') : undefined}
            >
              {(control) =>
                type === 'choice' ? (
                  <SelectField
                    {...control}
                    value={values[name]}
                    choices={choices.map((value) => ({ value, label: value }))}
                    emptyLabel=""
                    onChange={(value) => change(value ?? '')}
                  />
                ) : (
                  <TextField
                    {...control}
                    value={values[name] ?? ''}
                    inputMode={type === 'number' ? 'decimal' : 'text'}
                    autoComplete="off"
                    maxLength={KEY_VALUE_LIMIT}
                    hasAutofocus={index === 0}
                    onChange={change}
                  />
                )
              }
            </FieldFrame>
          );
        })}
        <HiddenSubmit>{t('remote.keys.send')}</HiddenSubmit>
      </form>
    </DialogWindow>
  );
};
export default KeyValuesDialog;
