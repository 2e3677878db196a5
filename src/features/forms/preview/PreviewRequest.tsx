import { useSyncExternalStore } from 'react';
import type { FormModel } from '../../../engine/form/model.ts';
import { prepareData, widgetOf } from '../../../engine/form/prepare.ts';
import { requestOf, type FormTarget } from '../../../engine/form/submit.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import type { FormFile, JsonValue } from '../../../../schemas/kit/types.ts';
import styles from './preview.module.css';

function masked(form: FormFile, data: Record<string, JsonValue>): Record<string, JsonValue> {
  const isSecret = (name: string): boolean => widgetOf(form.schema.properties[name] ?? {}, form.ui?.[name]) === 'password';
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, isSecret(name) ? '***' : value]));
}

/** The call as it would be made now, passwords masked; `undefined` while devices are missing for it. */
function describeRequest(form: FormFile, data: Record<string, JsonValue>, target: FormTarget): string | undefined {
  if (form.submit.payload === 'devices' && target.devices === undefined && !Array.isArray(data['device_id'])) return undefined;
  const { method, path, body } = requestOf(form, masked(form, data), target);
  return `${method} /api${path}${body === undefined ? '' : `\n\n${JSON.stringify(body, null, 2)}`}`;
}

/** The exact request that the form would send with what is entered. */
export function PreviewRequest({ model, target }: { model: FormModel; target: FormTarget }) {
  const t = useT();
  useSyncExternalStore(model.subscribe, model.data);
  const { form } = model.module;
  const request = describeRequest(form, prepareData(form, model.visible().data, {}), target);
  return (
    <section className={styles.request} aria-label={t('studio.preview.request')}>
      <h3>{t('studio.preview.request')}</h3>
      {request === undefined ? (
        <p className={styles.quiet}>{t('studio.preview.no_device')}</p>
      ) : (
        <pre className={styles.code}>{request}</pre>
      )}
    </section>
  );
}
