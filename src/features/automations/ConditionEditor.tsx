import { useId, useState } from 'react';
import {
  MOST_REPORTS_OF_CONDITION,
  RULE_OPERATORS_WITHOUT_VALUE,
  RULE_PARAMETERS,
  ruleOperatorsOf,
  ruleParameterOf,
  type RuleParameterType,
} from '../../../schemas/kit/form/rule-parameters.ts';
import { areaText, readArea } from '../../../schemas/kit/form/area.ts';
import { AreaButton } from '../../engine/form/area/AreaButton.tsx';
import { useCollected } from '../../engine/readings/collected.ts';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { IconButton, Select, TextInput } from '../../ui/index.ts';
import { Faults } from './Faults.tsx';
import { operatorWord, parameterWord, valueWord, type RuleCondition } from './rule-words.ts';
import styles from './editor.module.css';

const OTHER = '…';
const EXAMPLES: Readonly<Record<RuleParameterType, string>> = {
  number: '-100',
  text: 'Telia',
  choice: '',
  time: '22:00-06:00',
  place: '59.91,10.75,500',
  event: 'connected, restarted',
  words: 'login',
  boolean: '',
};
/** Their values are chosen from a list. */
const LISTED: ReadonlySet<RuleParameterType> = new Set(['choice', 'event', 'boolean']);

/** Comparisons that are over when the value has come back by a tolerance. */
const WITH_TOLERANCE: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', 'between']);

const OPERATOR_EXAMPLES: Readonly<Record<string, string>> = { missing: '15', matches: '^Tel(ia|enor)' };

/** Of another parameter or comparison it would say something else. */
function withoutTolerance({ tolerance: _tolerance, ...condition }: RuleCondition): RuleCondition {
  return condition;
}

interface ConditionProps {
  condition: RuleCondition;
  items: readonly ErrorItem[];
  isLast: boolean;
  disabled: boolean;
  id?: string;
  onChange: (condition: RuleCondition) => void;
  onRemove: (() => void) | undefined;
}

/** One comparison: what is compared, how, with what, and how it is joined with the next one. */
export function ConditionEditor({ condition, items, isLast, disabled, id, onChange, onRemove }: ConditionProps) {
  const t = useT();
  const faultId = useId();
  const hintId = useId();
  // Texts are not compared.
  const collected = useCollected().flatMap(({ metric, label, isNumber }) => (isNumber ? [{ value: metric, label }] : []));
  const known = RULE_PARAMETERS.find(({ name }) => name === condition.parameter);
  const isListed = known !== undefined || collected.some(({ value }) => value === condition.parameter);
  const parameter = known ?? ruleParameterOf(condition.parameter);
  const type = parameter?.type ?? 'number';
  const operators = ruleOperatorsOf(type);
  const isWrong = items.length > 0;
  const invalid = { 'aria-invalid': isWrong || undefined, 'aria-describedby': isWrong ? faultId : undefined };

  /** Another parameter may have other comparisons and values. */
  function choose(name: string): void {
    const next = ruleParameterOf(name === OTHER ? 'pin_din1' : name);
    const nextType = next?.type ?? 'number';
    const [first = '=='] = ruleOperatorsOf(nextType);
    const isSame = nextType === type && !LISTED.has(nextType);
    onChange({
      ...withoutTolerance(condition),
      parameter: name === OTHER ? '' : name,
      operator: isSame ? condition.operator : first,
      value: isSame ? (condition.value ?? '') : (next?.values?.[0] ?? ''),
    });
  }

  return (
    <div className={styles.condition}>
      <div className={styles.row}>
        <Select
          {...(id === undefined ? {} : { id })}
          aria-label={t('fields.parameter')}
          value={isListed ? condition.parameter : OTHER}
          disabled={disabled}
          choices={[
            ...RULE_PARAMETERS.map(({ name }) => ({ value: name, label: parameterWord(name) })),
            ...collected,
            { value: OTHER, label: t('automations.edit.other_metric') },
          ]}
          onChange={choose}
          {...invalid}
        />
        {isListed ? null : (
          <TextInput
            aria-label={t('automations.edit.metric_name')}
            aria-describedby={hintId}
            value={condition.parameter}
            disabled={disabled}
            isInvalid={isWrong}
            onChange={(event) => onChange({ ...condition, parameter: event.target.value })}
          />
        )}
        <Select
          aria-label={t('fields.operator_of')}
          value={condition.operator}
          disabled={disabled}
          choices={operators.map((operator) => ({ value: operator as string, label: operatorWord(operator) }))}
          onChange={(operator) =>
            onChange(WITH_TOLERANCE.has(operator) ? { ...condition, operator } : { ...withoutTolerance(condition), operator })
          }
        />
        {RULE_OPERATORS_WITHOUT_VALUE.has(condition.operator) ? null : LISTED.has(type) && condition.operator !== 'in' ? (
          <Select
            aria-label={t('fields.value')}
            value={condition.value ?? ''}
            disabled={disabled}
            choices={(parameter?.values ?? []).map((value) => ({ value, label: valueWord(condition.parameter, value) }))}
            onChange={(value) => onChange({ ...condition, value })}
          />
        ) : (
          <div className={type === 'place' ? styles.withMap : styles.plain}>
            <TextInput
              aria-label={t('fields.value')}
              value={condition.value ?? ''}
              placeholder={OPERATOR_EXAMPLES[condition.operator] ?? EXAMPLES[type]}
              disabled={disabled}
              isInvalid={isWrong}
              {...invalid}
              onChange={(event) => onChange({ ...condition, value: event.target.value })}
            />
            {type === 'place' && condition.operator !== 'missing' ? (
              <AreaButton
                area={() => readArea(condition.value ?? '') ?? {}}
                disabled={disabled}
                onArea={(area) => onChange({ ...condition, value: areaText(area) })}
              />
            ) : null}
          </div>
        )}
        {condition.operator === 'missing' || type === 'time' ? null : (
          <ReportCount condition={condition} disabled={disabled} onChange={onChange} />
        )}
        {type === 'number' && condition.of === undefined && WITH_TOLERANCE.has(condition.operator) ? (
          <Tolerance condition={condition} disabled={disabled} onChange={onChange} />
        ) : null}
        {isLast ? null : (
          <Select
            aria-label={t('fields.joins_with')}
            value={condition.joins_with ?? '&&'}
            disabled={disabled}
            choices={[
              { value: '&&', label: t('automations.and') },
              { value: '||', label: t('automations.or') },
            ]}
            onChange={(joins) => onChange({ ...condition, joins_with: joins })}
          />
        )}
        {onRemove ? (
          <span className={styles.end}>
            <IconButton icon="x" label={t('automations.edit.remove_condition')} disabled={disabled} onClick={onRemove} />
          </span>
        ) : null}
      </div>
      {isListed ? null : (
        <p id={hintId} className={styles.hint}>
          {t('automations.edit.metric_hint')}
        </p>
      )}
      <Faults items={items} id={faultId} />
    </div>
  );
}

/** How far the value has to come back until the comparison is over; empty: the usual tolerance. */
function Tolerance({ condition, disabled, onChange }: Pick<ConditionProps, 'condition' | 'disabled' | 'onChange'>) {
  const t = useT();
  const { tolerance, ...rest } = condition;
  const [text, setText] = useState(tolerance === undefined ? '' : String(tolerance));
  return (
    <TextInput
      className={styles.count}
      inputMode="decimal"
      aria-label={t('automations.edit.tolerance')}
      title={t('automations.edit.tolerance_hint')}
      placeholder="± 2 %"
      value={text}
      disabled={disabled}
      onChange={(event) => {
        const entered = event.target.value.trim();
        const number = Number(entered.replace(',', '.'));
        setText(event.target.value);
        onChange(entered === '' ? rest : { ...rest, tolerance: Number.isNaN(number) ? entered : number });
      }}
    />
  );
}

/** In how many of how many reports the comparison has to be met. */
function ReportCount({ condition, disabled, onChange }: Pick<ConditionProps, 'condition' | 'disabled' | 'onChange'>) {
  const t = useT();
  const { times, of, ...rest } = condition;
  const numberOf = (text: string): number => Math.min(MOST_REPORTS_OF_CONDITION, Math.max(1, Math.round(Number(text)) || 1));
  return (
    <>
      <Select
        aria-label={t('automations.edit.counted')}
        value={of === undefined ? 'newest' : 'several'}
        disabled={disabled}
        choices={['newest', 'several'].map((value) => ({ value, label: t(`automations.edit.${value}`) }))}
        onChange={(value) => onChange(value === 'newest' ? rest : { ...withoutTolerance(rest), times: 3, of: 5 })}
      />
      {of === undefined ? null : (
        <>
          <TextInput
            className={styles.count}
            inputMode="numeric"
            aria-label={t('automations.edit.times')}
            value={times ?? 1}
            disabled={disabled}
            onChange={(event) => onChange({ ...condition, times: numberOf(event.target.value) })}
          />
          <span className={styles.word}>{t('automations.edit.of')}</span>
          <TextInput
            className={styles.count}
            inputMode="numeric"
            aria-label={t('automations.edit.of')}
            value={of}
            disabled={disabled}
            onChange={(event) => onChange({ ...condition, of: numberOf(event.target.value) })}
          />
        </>
      )}
    </>
  );
}
