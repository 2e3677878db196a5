import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, IconButton, Select } from '../../ui/index.ts';
import { ActionEditor } from './ActionEditor.tsx';
import { ConditionEditor } from './ConditionEditor.tsx';
import { Faults } from './Faults.tsx';
import { type RuleAction, type RuleBranch, type RuleCondition } from './rule-words.ts';
import styles from './editor.module.css';

const MOST_LEVELS = 3;
const FIRST_CONDITION: RuleCondition = { parameter: 'signal', operator: '<', value: '-100', joins_with: '&&' };
const FIRST_ACTION: RuleAction = { name: 'RaiseAlert', options: { severity: 'warning' } };
const FIRST_BRANCH: RuleBranch = { type: 'if', expression: [FIRST_CONDITION], actions: [FIRST_ACTION] };

/** Of faults with places inside a value, those at or inside one part of it, with the rest of the way. */
function faultsAt(items: readonly ErrorItem[], part: string): ErrorItem[] {
  return items.flatMap((item) => {
    const { source = '' } = item;
    if (source === part) return [{ ...item, source: '' }];
    return source.startsWith(`${part}.`) ? [{ ...item, source: source.slice(part.length + 1) }] : [];
  });
}

const replaced = <T,>(list: readonly T[], index: number, item: T): T[] => list.map((one, at) => (at === index ? item : one));
const without = <T,>(list: readonly T[], index: number): T[] => list.filter((_, at) => at !== index);

interface BranchesProps {
  branches: readonly RuleBranch[];
  items: readonly ErrorItem[];
  level: number;
  disabled: boolean;
  /** Of the first control, for the error summary. */
  id?: string;
  onChange: (branches: RuleBranch[]) => void;
}

/** The branches of a rule on one level; each with its conditions, its actions, and the branches inside it. */
export function BranchesEditor({ branches, items, level, disabled, id, onChange }: BranchesProps) {
  const t = useT();
  return (
    <div className={styles.branches}>
      {branches.map((branch, index) => (
        <BranchEditor
          // oxlint-disable-next-line react/no-array-index-key -- a key made of what it says would lose the focus with each letter
          key={index}
          branch={branch}
          items={faultsAt(items, String(index))}
          level={level}
          disabled={disabled}
          canBeElse={branches[index - 1]?.type === 'if'}
          {...(index === 0 && id !== undefined ? { id } : {})}
          onChange={(next) => onChange(replaced(branches, index, next))}
          onRemove={branches.length > 1 || level > 1 ? () => onChange(without(branches, index)) : undefined}
        />
      ))}
      <div className={styles.bar}>
        <Button size="small" icon="plus" disabled={disabled} onClick={() => onChange([...branches, FIRST_BRANCH])}>
          {t(level === 1 ? 'automations.edit.add_branch' : 'automations.edit.add_inner')}
        </Button>
        {branches.at(-1)?.type === 'if' ? (
          <Button
            size="small"
            icon="plus"
            disabled={disabled}
            onClick={() => onChange([...branches, { type: 'else', actions: [FIRST_ACTION] }])}
          >
            {t('automations.edit.add_else')}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

interface BranchProps {
  branch: RuleBranch;
  items: readonly ErrorItem[];
  level: number;
  disabled: boolean;
  canBeElse: boolean;
  id?: string;
  onChange: (branch: RuleBranch) => void;
  onRemove: (() => void) | undefined;
}

function BranchEditor({ branch, items, level, disabled, canBeElse, id, onChange, onRemove }: BranchProps) {
  const t = useT();
  const { expression = [], actions = [], conditions = [] } = branch;
  const isIf = branch.type === 'if';
  return (
    <section className={styles.branch} aria-label={t(isIf ? 'automations.when' : 'automations.otherwise')}>
      <div className={styles.head}>
        {canBeElse ? (
          <Select
            aria-label={t('fields.branch_type')}
            value={branch.type}
            disabled={disabled}
            choices={[
              { value: 'if', label: t('automations.when') },
              { value: 'else', label: t('automations.otherwise') },
            ]}
            onChange={(type) =>
              onChange(
                type === 'if'
                  ? { ...branch, type, expression: expression.length > 0 ? expression : [FIRST_CONDITION] }
                  : { ...branch, type, expression: [] },
              )
            }
          />
        ) : (
          <strong>{t(isIf ? 'automations.when' : 'automations.otherwise')}</strong>
        )}
        {onRemove ? <IconButton icon="trash-2" label={t('automations.edit.remove_branch')} disabled={disabled} onClick={onRemove} /> : null}
      </div>
      {isIf ? (
        <>
          {expression.map((condition, index) => (
            <ConditionEditor
              // oxlint-disable-next-line react/no-array-index-key -- a key made of what it says would lose the focus with each letter
              key={index}
              condition={condition}
              items={faultsAt(items, `expression.${index}`)}
              isLast={index === expression.length - 1}
              disabled={disabled}
              {...(index === 0 && id !== undefined ? { id } : {})}
              onChange={(next) => onChange({ ...branch, expression: replaced(expression, index, next) })}
              onRemove={expression.length > 1 ? () => onChange({ ...branch, expression: without(expression, index) }) : undefined}
            />
          ))}
          <Faults items={items.filter(({ source }) => source === 'expression')} />
          <Button
            size="small"
            icon="plus"
            disabled={disabled}
            onClick={() => onChange({ ...branch, expression: [...expression, FIRST_CONDITION] })}
          >
            {t('automations.edit.add_condition')}
          </Button>
        </>
      ) : null}
      <div className={styles.then}>
        <strong>{t('automations.edit.then')}</strong>
        {actions.map((action, index) => (
          <ActionEditor
            // oxlint-disable-next-line react/no-array-index-key -- a key made of what it says would lose the focus with each letter
            key={index}
            action={action}
            items={faultsAt(items, `actions.${index}`)}
            disabled={disabled}
            onChange={(next) => onChange({ ...branch, actions: replaced(actions, index, next) })}
            onRemove={() => onChange({ ...branch, actions: without(actions, index) })}
          />
        ))}
        <Faults items={items.filter(({ source }) => source === 'actions' || source === '' || source === 'type')} />
        <Button size="small" icon="plus" disabled={disabled} onClick={() => onChange({ ...branch, actions: [...actions, FIRST_ACTION] })}>
          {t('automations.edit.add_action')}
        </Button>
      </div>
      {level < MOST_LEVELS && (conditions.length > 0 || isIf) ? (
        <BranchesEditor
          branches={conditions}
          items={faultsAt(items, 'conditions')}
          level={level + 1}
          disabled={disabled}
          onChange={(next) => {
            const { conditions: _former, ...rest } = branch;
            onChange(next.length > 0 ? { ...branch, conditions: next } : rest);
          }}
        />
      ) : null}
    </section>
  );
}
