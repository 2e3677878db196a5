import { useId } from 'react';
import { RULE_ACTIONS } from '../../../schemas/kit/form/rule-parameters.ts';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import { useComboboxLabels } from '../../engine/form/theme/widgets/combobox-labels.ts';
import { useLookup } from '../../engine/form/use-lookup.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Combobox, IconButton, Select, TextInput } from '../../ui/index.ts';
import { Faults } from './Faults.tsx';
import { FormAction } from './FormAction.tsx';
import { fieldWord, type RuleAction, type RuleOptions } from './rule-words.ts';
import styles from './editor.module.css';

type OptionName = Exclude<keyof RuleOptions, 'form' | 'form_data'>;

/** What each action asks for. */
const ASKED: Readonly<Record<string, readonly OptionName[]>> = {
  RaiseAlert: ['severity', 'message'],
  SendEmail: ['receiving_emails', 'subject', 'message', 'mail_language', 'smtp_config_id'],
  SendNotification: ['receiving_users', 'message'],
  TaskManagerAction: ['task_group_id'],
  AddTag: ['tag_id'],
  RemoveTag: ['tag_id'],
  Webhook: ['url'],
  OpenIncident: ['title', 'severity', 'message'],
  CloseIncident: ['title'],
};
const LOOKUPS: Partial<Record<OptionName, string>> = {
  receiving_users: 'users',
  task_group_id: 'task-groups',
  tag_id: 'tags',
  smtp_config_id: 'email-configurations',
};
const LABELS: Readonly<Record<OptionName, string>> = {
  severity: 'fields.severity',
  subject: 'fields.subject',
  message: 'fields.message',
  receiving_emails: 'fields.receiving_emails',
  smtp_config_id: 'fields.smtp_config_id',
  mail_language: 'fields.mail_language',
  receiving_users: 'fields.receiving_users',
  task_group_id: 'fields.task_group',
  tag_id: 'fields.tag',
  url: 'fields.webhook',
  title: 'fields.incident_title',
};

interface ActionProps {
  action: RuleAction;
  items: readonly ErrorItem[];
  disabled: boolean;
  onChange: (action: RuleAction) => void;
  onRemove: () => void;
}

/** One action with what it asks for. */
export function ActionEditor({ action, items, disabled, onChange, onRemove }: ActionProps) {
  const t = useT();
  const faultId = useId();
  const { options = {} } = action;
  const can = useCan();
  const asked = (ASKED[action.name] ?? []).filter((name) => name !== 'smtp_config_id' || can('view_email_configurations'));
  const set = (name: OptionName, value: RuleOptions[OptionName] | undefined): void => {
    const { [name]: _former, ...rest } = options;
    onChange({ ...action, options: value === undefined || value === '' ? rest : { ...rest, [name]: value } });
  };
  return (
    <div className={styles.condition}>
      <div className={styles.row}>
        <Select
          aria-label={t('fields.action_of')}
          value={action.name}
          disabled={disabled}
          choices={RULE_ACTIONS.map((name) => ({ value: name as string, label: t(`values.automation.action.${name}`) }))}
          onChange={(name) =>
            onChange(name === 'RaiseAlert' || name === 'OpenIncident' ? { name, options: { severity: 'warning' } } : { name })
          }
        />
        {asked.map((name) => (
          <Option
            key={name}
            name={name}
            options={options}
            disabled={disabled}
            faultId={items.length > 0 ? faultId : undefined}
            onSet={set}
          />
        ))}
        {action.name === 'RunForm' ? (
          <FormAction
            options={options}
            disabled={disabled}
            isWrong={items.length > 0}
            onChange={(entered) => onChange({ ...action, options: entered })}
          />
        ) : null}
        <span className={styles.end}>
          <IconButton icon="x" label={t('automations.edit.remove_action')} disabled={disabled} onClick={onRemove} />
        </span>
      </div>
      {asked.includes('message') ? <p className={styles.hint}>{t('forms.automations.message_hint')}</p> : null}
      <Faults items={items.filter((item) => !isOfParameter(item))} id={faultId} />
      <ParameterFaults items={items.filter(isOfParameter)} />
    </div>
  );
}

const PARAMETER = 'options.form_data.';
const isOfParameter = ({ source }: ErrorItem): boolean => source?.startsWith(PARAMETER) === true;

/** Which parameters of a device action are wrong; the words of each are in its own form. */
function ParameterFaults({ items }: { items: readonly ErrorItem[] }) {
  const t = useT();
  if (items.length === 0) return null;
  const names = items.map(({ source = '' }) => fieldWord(source.slice(PARAMETER.length)));
  return <p className={styles.fault}>{t('automations.edit.check_parameters', { names: [...new Set(names)].join(', ') })}</p>;
}

interface OptionProps {
  name: OptionName;
  options: RuleOptions;
  disabled: boolean;
  faultId: string | undefined;
  onSet: (name: OptionName, value: RuleOptions[OptionName] | undefined) => void;
}

function Option({ name, options, disabled, faultId, onSet }: OptionProps) {
  const t = useT();
  const label = t(LABELS[name]);
  const lookup = LOOKUPS[name];
  if (lookup !== undefined)
    return <Records name={name} lookup={lookup} label={label} options={options} disabled={disabled} faultId={faultId} onSet={onSet} />;
  if (name === 'severity')
    return (
      <Select
        aria-label={label}
        value={options.severity ?? 'warning'}
        disabled={disabled}
        choices={(['info', 'warning', 'critical'] as const).map((value) => ({ value, label: t(`values.alert.severity.${value}`) }))}
        onChange={(value) => onSet(name, value)}
      />
    );
  if (name === 'mail_language')
    return (
      <Select
        aria-label={label}
        value={options.mail_language ?? 'en'}
        disabled={disabled}
        choices={(['en', 'nb', 'ja', 'uk'] as const).map((value) => ({ value, label: t(`values.report.mail_language.${value}`) }))}
        onChange={(value) => onSet(name, value)}
      />
    );
  const value = options[name];
  return (
    <TextInput
      aria-label={label}
      aria-describedby={faultId}
      isInvalid={faultId !== undefined}
      value={Array.isArray(value) ? value.join(', ') : String(value ?? '')}
      placeholder={label}
      disabled={disabled}
      onChange={({ target }) =>
        onSet(
          name,
          name === 'receiving_emails'
            ? target.value.split(/[\s,;]+/).filter((part, index, all) => part !== '' || (index === all.length - 1 && index > 0))
            : target.value,
        )
      }
    />
  );
}

function Records({ name, lookup: lookupName, label, options, disabled, faultId, onSet }: OptionProps & { lookup: string; label: string }) {
  const id = useId();
  const labels = useComboboxLabels(label);
  const value = options[name];
  const isMultiple = name === 'receiving_users';
  const chosen = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const lookup = useLookup(lookupName, {}, chosen);
  return (
    <Combobox
      id={id}
      aria-describedby={faultId}
      aria-invalid={faultId === undefined ? undefined : true}
      aria-required={undefined}
      hasAutofocus={false}
      disabled={disabled}
      onBlur={() => undefined}
      label={label}
      labels={labels}
      selected={lookup.selected}
      isMultiple={isMultiple}
      isClearable
      query={lookup.query}
      source={lookup.source}
      onQuery={lookup.setQuery}
      onOpen={lookup.open}
      onSelect={(selected) => {
        lookup.remember(selected);
        const ids = selected.map((option) => Number(option.value));
        onSet(name, isMultiple ? ids : ids[0]);
      }}
    />
  );
}
