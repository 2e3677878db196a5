import { useCustom } from '@refinedev/core';
import { useEffect, useState } from 'react';
import type { JsonValue, Text } from '../../../schemas/kit/form/types.ts';
import { openForm } from '../../engine/form/open-form.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { loadTexts, useT, useText } from '../../kernel/i18n/index.ts';
import { Button, Select } from '../../ui/index.ts';
import { parameterWords, type RuleOptions } from './rule-words.ts';
import styles from './editor.module.css';
import { compareTexts } from '../../../schemas/kit/text/text-order.ts';

interface RuleForm {
  id: string;
  title: Text;
}

const roomOf = (id: string): string => id.split('/')[0] ?? '';
/** In place of the device that the form will be sent over: its rules ask for one. */
const ANY_DEVICE = [1];

/** The forms that may be sent, once their titles can be read. */
function useRuleForms(): readonly RuleForm[] {
  const { query } = useCustom<RuleForm[], ApiError>({ url: '/automations/forms', method: 'get', errorNotification: false });
  const forms = query.data?.data;
  const [ready, setReady] = useState<readonly RuleForm[]>([]);
  useEffect(() => {
    if (!forms) return undefined;
    let isLeft = false;
    void loadTexts(...new Set(forms.map(({ id }) => `forms-${roomOf(id)}`))).then(() => {
      if (!isLeft) setReady(forms);
    });
    return () => {
      isLeft = true;
    };
  }, [forms]);
  return ready;
}

interface FormActionProps {
  options: RuleOptions;
  disabled: boolean;
  isWrong: boolean;
  onChange: (options: RuleOptions) => void;
}

/** Which form an action sends over the device, and its fields, entered in the form itself. */
export function FormAction({ options, disabled, isWrong, onChange }: FormActionProps) {
  const t = useT();
  const text = useText();
  const forms = useRuleForms();
  const { form: id = '', form_data: data = {} } = options;
  const isKnown = id === '' || forms.some((form) => form.id === id);
  const choices = forms.map((form) => ({ value: form.id, label: text(form.title) })).toSorted((a, b) => compareTexts(a.label, b.label));
  async function enter(): Promise<void> {
    const take = (entered: Record<string, JsonValue>): void => onChange({ ...options, form_data: entered });
    await openForm(id, { ids: ANY_DEVICE, initial: data, collect: { label: t('automations.edit.apply'), take } });
  }
  return (
    <>
      <Select
        aria-label={t('fields.device_action')}
        aria-invalid={isWrong || undefined}
        value={id}
        disabled={disabled}
        choices={[
          ...(id === '' ? [{ value: '', label: t('automations.edit.choose_form') }] : []),
          ...(isKnown ? [] : [{ value: id, label: id }]),
          ...choices,
        ]}
        onChange={(form) => onChange({ form })}
      />
      {id === '' ? null : (
        <Button size="small" icon="pencil" disabled={disabled || !isKnown} onClick={() => void enter()}>
          {t('automations.edit.parameters')}
        </Button>
      )}
      {Object.keys(data).length > 0 ? <span className={styles.entered}>{parameterWords(data).join(' · ')}</span> : null}
    </>
  );
}
