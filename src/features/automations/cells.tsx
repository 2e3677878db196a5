import type { AutomationLog } from '../../../schemas/_generated/contract.ts';
import { openDialog } from '../../engine/dialogs/index.ts';
import type { CellProps } from '../../engine/resources/registry.ts';
import { hasText, translate } from '../../kernel/i18n/index.ts';
import { can } from '../../kernel/session/index.ts';
import { Button } from '../../ui/index.ts';
import { conditionWords, keyed, valueWord } from './rule-words.ts';
import { useParameterName } from './use-parameter-name.ts';
import styles from './automations.module.css';

type Condition = AutomationLog['evaluated_conditions'][number];
type Action = AutomationLog['actions'][number];

const CLASSES = { true: styles.holds, false: styles.fails, null: styles.unknown } as const;

/** Conditions with the value that each saw. */
export function ConditionList({ conditions }: { conditions: readonly Condition[] }) {
  const nameOf = useParameterName();
  return (
    <ul className={styles.conditions}>
      {conditions.map(({ key, value, parameter, operator, expected, actual }) => (
        <li key={key} className={CLASSES[String(value) as keyof typeof CLASSES]}>
          {conditionWords({ parameter, operator, value: expected }, nameOf)}{' '}
          <span className={styles.quiet}>
            {actual === null
              ? translate('automations.unknown')
              : translate('automations.was', { value: actual === '' ? translate('automations.none') : valueWord(parameter, actual) })}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Why it acted: every condition with the value of that moment. */
export function ConditionsCell({ value }: CellProps) {
  return Array.isArray(value) ? <ConditionList conditions={value as Condition[]} /> : null;
}

function resultWord({ status, message, job_id }: Action): string {
  // Whether the job went well is for the job to say: it may still wait for the device.
  if (message === null && status === 'ok' && job_id !== null) return translate('automations.result.started');
  if (message === null) return translate(`automations.result.${status}`);
  // `loop: ` and the names of the other automations of the circle.
  if (message.startsWith('loop: ')) return translate('automations.message.loop_with', { names: message.slice('loop: '.length) });
  if (message.startsWith('behind: ')) return translate('automations.message.behind_router', { name: message.slice('behind: '.length) });
  const key = `automations.message.${message}`;
  return hasText(key) ? translate(key) : message;
}

/** The result of an action, with a link to the job that it started. */
function Result({ action, name }: { action: Action; name: string }) {
  const { job_id: jobId } = action;
  const word = resultWord(action);
  if (jobId === null || !can('view_device_actions')) return <span className={styles.quiet}>{word}</span>;
  const open = () => void openDialog('job.status', { jobId }, { id: `job-${jobId}` });
  return (
    <Button variant="link" size="small" className={styles.job} aria-label={`${name}: ${word}`} onClick={open}>
      {word}
    </Button>
  );
}

/** What it did, and what became of each action. */
export function ActionsCell({ value }: CellProps) {
  if (!Array.isArray(value)) return null;
  return (
    <ul className={styles.conditions}>
      {keyed(value as Action[]).map(({ key, item: action }) => {
        const name = translate(`values.automation.action.${action.name}`);
        return (
          <li key={key} className={action.status === 'ok' ? styles.holds : styles.fails}>
            {name} <Result action={action} name={name} />
          </li>
        );
      })}
    </ul>
  );
}
