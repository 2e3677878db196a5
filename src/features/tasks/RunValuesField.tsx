import { useCustom } from '@refinedev/core';
import { useId, useSyncExternalStore } from 'react';
import { itemText } from '../../engine/form/item-text.ts';
import type { FormWidgetProps } from '../../engine/form/index.ts';
import { contextOf } from '../../engine/form/theme/form-registry-context.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { ErrorState, FieldGroup, Select, Skeleton, TextInput } from '../../ui/index.ts';
import styles from './tasks.module.css';

interface Variable {
  name: string;
  type: 'text' | 'number' | 'choice' | 'secret' | 'device';
  default?: string;
  choices?: string[];
}

interface Given {
  name: string;
  value: string;
}

const givenIn = (value: unknown): Given[] => (Array.isArray(value) ? (value as Given[]) : []);

/** A value for each variable that the chosen task list asks for, by its type and with its default. */
export default function RunValuesField({ value, control, items, disabled, readonly, registry, id, onChange, onBlur }: FormWidgetProps) {
  const t = useT();
  const { model } = contextOf(registry);
  const groupId = useSyncExternalStore(model.subscribe, () => model.data()['group_id']);
  const isChosen = typeof groupId === 'number';
  const { query } = useCustom<{ variables: Variable[] }, ApiError>({
    url: `/devices/tasks/groups/${isChosen ? groupId : 0}`,
    method: 'get',
    queryOptions: { enabled: isChosen },
    errorNotification: false,
  });
  if (!isChosen) return <p className={styles.quiet}>{t('forms.task-groups.execute.choose_first')}</p>;
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton height={60} />;
  const asked = query.data.data.variables.filter(({ type }) => type !== 'device');
  if (asked.length === 0) return <p className={styles.quiet}>{t('forms.task-groups.execute.no_values')}</p>;
  const given = givenIn(value);
  function set(name: string, text: string): void {
    const others = given.filter((one) => one.name !== name);
    onChange(text === '' ? others : [...others, { name, value: text }]);
  }
  return (
    <FieldGroup control={control} onLeave={() => onBlur(id, value)}>
      <div className={styles.values}>
        {asked.map((variable, index) => (
          <Value
            key={variable.name}
            {...(index === 0 ? { id: control.id } : {})}
            variable={variable}
            value={given.find(({ name }) => name === variable.name)?.value ?? ''}
            disabled={disabled === true || readonly === true}
            isInvalid={items.length > 0}
            onChange={(text) => set(variable.name, text)}
          />
        ))}
      </div>
      {items.length > 0 ? <p className={styles.fault}>{items.map((item) => itemText(item)).join(' ')}</p> : null}
    </FieldGroup>
  );
}

interface ValueProps {
  id?: string;
  variable: Variable;
  value: string;
  disabled: boolean;
  isInvalid: boolean;
  onChange: (text: string) => void;
}

function Value({ id: given, variable, value, disabled, isInvalid, onChange }: ValueProps) {
  const t = useT();
  const own = useId();
  const id = given ?? own;
  const { name, type, choices = [], default: usual } = variable;
  const isAsked = usual === undefined || usual === '';
  return (
    <div className={styles.value}>
      <label htmlFor={id}>
        {name}
        {isAsked ? ' *' : ''}
      </label>
      {type === 'choice' ? (
        <Select
          id={id}
          value={value === '' && !isAsked ? usual : value}
          disabled={disabled}
          choices={[
            ...(isAsked ? [{ value: '', label: t('forms.task-groups.execute.choose') }] : []),
            ...choices.map((one) => ({ value: one, label: one })),
          ]}
          onChange={onChange}
        />
      ) : (
        <TextInput
          id={id}
          value={value}
          type={type === 'secret' ? 'password' : 'text'}
          autoComplete={type === 'secret' ? 'off' : undefined}
          inputMode={type === 'number' ? 'decimal' : undefined}
          placeholder={usual ?? ''}
          disabled={disabled}
          isInvalid={isInvalid && isAsked && value === ''}
          aria-required={isAsked || undefined}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </div>
  );
}
