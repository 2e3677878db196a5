import { useT } from '../../kernel/i18n/index.ts';
import { actionWords, expressionWords, keyed, type RuleBranch } from './rule-words.ts';
import { useParameterName } from './use-parameter-name.ts';
import styles from './automations.module.css';

/** A rule in words: each branch as a sentence, what is inside another one below it. */
export function RulePicture({ branches }: { branches: readonly RuleBranch[] }) {
  const t = useT();
  const nameOf = useParameterName();
  return (
    <ul className={styles.branches}>
      {keyed(branches).map(({ key, item: branch }) => (
        <li key={key} className={styles.branch}>
          <p className={styles.sentence}>
            <strong>{t(branch.type === 'if' ? 'automations.when' : 'automations.otherwise')}</strong>{' '}
            {branch.type === 'if' ? expressionWords(branch.expression ?? [], nameOf) : null}
          </p>
          {(branch.actions ?? []).length > 0 ? (
            <ul className={styles.actions}>
              {keyed(branch.actions ?? []).map(({ key: actionKey, item: action }) => (
                <li key={actionKey}>
                  → {actionWords(action)}
                  {action.options?.message ? <span className={styles.quiet}> “{action.options.message}”</span> : null}
                </li>
              ))}
            </ul>
          ) : null}
          {(branch.conditions ?? []).length > 0 ? <RulePicture branches={branch.conditions ?? []} /> : null}
        </li>
      ))}
    </ul>
  );
}
