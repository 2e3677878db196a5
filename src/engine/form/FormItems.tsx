import { use } from 'react';
import { fieldsOf } from '../../../schemas/kit/form-fields.ts';
import { useText } from '../../kernel/i18n/index.ts';
import { Banner } from '../../ui/Banner.tsx';
import { ShownContext, useForm } from './form-context.ts';
import { FormField } from './FormField.tsx';
import { useFieldLabel, useFieldMessage } from './field-texts.ts';
import styles from './form.module.css';
import type { LayoutItem } from '../../../schemas/kit/form-layout.ts';
import type { FormAlert as Alert } from '../../../schemas/kit/types.ts';
import type { BannerKind } from '../../ui/Banner.tsx';
import type { Shown } from './form-context.ts';

const BANNERS: Record<Alert['type'], BannerKind> = { info: 'info', success: 'good', warning: 'warn', error: 'bad' };

/** Whether anything of these items is drawn. */
export function hasShown(items: readonly LayoutItem[], shown: Shown): boolean {
  return items.some((item) => {
    if (item.kind === 'alert') return shown.alerts.has(item.name);
    return shown.fields.has(item.path) && (item.kind === 'field' || hasShown(item.items, shown));
  });
}

/** Fields, groups and messages one below the other, those that exist now. */
export function FormItems({ items }: { items: readonly LayoutItem[] }) {
  const shown = use(ShownContext);
  return (
    <div className={styles.grid}>
      {items.map((item) => {
        if (item.kind === 'alert') return shown.alerts.has(item.name) ? <FormAlert key={`alert ${item.name}`} name={item.name} /> : null;
        if (!hasShown([item], shown)) return null;
        if (item.kind === 'field') return <FormField key={item.path} path={item.path} />;
        return <FormGroup key={item.path} path={item.path} items={item.items} />;
      })}
    </div>
  );
}

function FormAlert({ name }: { name: string }) {
  const { model } = useForm();
  const text = useText();
  const alert = model.module.form.alerts?.[name];
  if (!alert) return null;
  return (
    <div className={styles.cell}>
      <Banner kind={BANNERS[alert.type]}>{text(alert.text)}</Banner>
    </div>
  );
}

/** A property that holds fields of its own, under its label. */
function FormGroup({ path, items }: { path: string; items: readonly LayoutItem[] }) {
  const { model, idPrefix } = useForm();
  const text = useText();
  const { form } = model.module;
  const ui = fieldsOf(form).get(path)?.ui ?? {};
  const label = useFieldLabel(form, path);
  const message = useFieldMessage(path);
  const hint = text(ui['ui:hint']);
  const id = `${idPrefix}-${path}`;
  const describedBy = [message && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ');
  return (
    <fieldset id={id} className={styles.group} tabIndex={-1} aria-describedby={describedBy || undefined} data-group={path}>
      <legend className={styles.legend}>{label}</legend>
      {hint ? (
        <p id={`${id}-hint`} className={styles.note}>
          {hint}
        </p>
      ) : null}
      <div aria-live="polite">
        {message ? (
          <p id={`${id}-error`} className={styles.wrong}>
            {message}
          </p>
        ) : null}
      </div>
      <FormItems items={items} />
    </fieldset>
  );
}
