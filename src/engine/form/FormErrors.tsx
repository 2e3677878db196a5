import { useSyncExternalStore } from 'react';
import { useT, useText, type Translate } from '../../kernel/i18n/index.ts';
import { Banner } from '../../ui/index.ts';
import { summaryLabel, summaryMessage } from './field-texts.ts';
import { focusNode, nodeElementId } from './focus-node.ts';
import styles from './form.module.css';
import type { FormController } from './use-form-controller.ts';
import type { FormModel } from './model-types.ts';

/**
 * What is wrong, above the fields: a summary with a link to each wrong field when there are several, and what belongs to no field.
 * The summary appears after a refused attempt and shrinks as fields are fixed; it never grows while one types.
 */
export function FormErrors({ controller }: { controller: FormController }) {
  const { model, formId, phase, attempts } = controller;
  const t = useT();
  const text = useText();
  const paths = useSyncExternalStore(model.subscribe, () => wrongPaths(model, t));
  const wrong = paths === '' ? [] : paths.split('\n');
  const rest = phase.state === 'error' ? phase.rest : [];
  const hasSummary = attempts > 0 && wrong.length > 1;
  if (!hasSummary && rest.length === 0) return null;
  return (
    <div className={styles.errors} tabIndex={-1} data-form-errors>
      {rest.length > 0 ? (
        <Banner kind="bad">
          {rest.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Banner>
      ) : null}
      {hasSummary ? (
        <Banner kind="bad" title={t('form.summary', { count: wrong.length })}>
          <ul className={styles.summary}>
            {wrong.map((path) => (
              <li key={path}>
                <a
                  href={`#${nodeElementId(formId, path)}`}
                  onClick={(event) => {
                    event.preventDefault();
                    focusNode(formId, path);
                  }}
                >
                  {summaryLabel(model, path, text)}
                </a>
                {': '}
                {summaryMessage(model, path, t)}
              </li>
            ))}
          </ul>
        </Banner>
      ) : null}
    </div>
  );
}

/** Paths of wrong fields that have a sentence of their own, as one text, so that React can compare it. */
function wrongPaths(model: FormModel, t: Translate): string {
  return model
    .wrongNodes()
    .filter((path) => summaryMessage(model, path, t) !== '')
    .join('\n');
}
