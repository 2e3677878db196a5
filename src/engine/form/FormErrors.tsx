import { useSyncExternalStore } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner } from '../../ui/Banner.tsx';
import { itemText } from './item-text.ts';
import { widgetOf } from './prepare.ts';
import { useFieldLabel } from './templates.tsx';
import styles from './form.module.css';
import type { FormController } from './use-form-controller.ts';
import type { FormModel } from './model.ts';

/**
 * What is wrong, above the fields: a summary with a link to each wrong field when there are several, and what belongs to no field.
 * The summary appears after a refused attempt and shrinks as fields are mended; it never grows while one types.
 */
export function FormErrors({ controller }: { controller: FormController }) {
  const { model, formId, phase, attempts } = controller;
  const t = useT();
  const labelOf = useFieldLabel();
  const names = useSyncExternalStore(model.subscribe, () => wrongNames(model));
  const wrong = names === '' ? [] : names.split(' ');
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
            {wrong.map((name) => (
              <li key={name}>
                <a
                  href={`#${formId}-${name}`}
                  onClick={(event) => {
                    event.preventDefault();
                    document.getElementById(`${formId}-${name}`)?.focus();
                  }}
                >
                  {labelOf(model.module.form, name)}
                </a>
                {': '}
                {sentenceOf(model, name)}
              </li>
            ))}
          </ul>
        </Banner>
      ) : null}
    </div>
  );
}

/** Names of wrong fields that have a sentence of their own, as one text, so that React can compare it. */
function wrongNames(model: FormModel): string {
  return model
    .wrongFields()
    .filter((name) => sentenceOf(model, name) !== '')
    .join(' ');
}

function sentenceOf(model: FormModel, name: string): string {
  const { client, server } = model.field(name);
  const { schema, ui } = model.module.form;
  const widget = widgetOf(schema.properties[name] ?? {}, ui?.[name]);
  return [...server, ...(client ? [client] : [])]
    .map((item) => itemText(item, widget))
    .filter(Boolean)
    .join(' ');
}
