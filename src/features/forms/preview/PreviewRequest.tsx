import { useSyncExternalStore } from 'react';
import type { FormModel } from '../../../engine/form/model-types.ts';
import { membersIn, prepareData } from '../../../engine/form/prepare.ts';
import { requestOf, type FormTarget } from '../../../engine/form/submit.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import type { FormFile, JsonValue } from '../../../../schemas/kit/form/types.ts';
import styles from './preview.module.css';

type Members = Record<string, JsonValue>;

/** The data with `***` for each password, in groups too: `ui` names those by path. */
function masked(data: Members, ui: FormFile['ui'] = {}, prefix = ''): Members {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]): [string, JsonValue] => {
      const path = prefix + name;
      if (Object.hasOwn(ui, path) && ui[path]?.['ui:widget'] === 'password') return [name, '***'];
      const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
      return [name, isGroup ? masked(value, ui, `${path}.`) : value];
    }),
  );
}

/** The call as it would be made now, passwords masked; `undefined` while devices are missing for it. */
function describeRequest(form: FormFile, data: JsonValue | undefined, target: FormTarget): string | undefined {
  if (
    form.submit.payload === 'devices' &&
    target.devices === undefined &&
    !('device_id' in membersIn(data) || 'selection' in membersIn(data))
  )
    return undefined;
  const { method, path, body } = requestOf(form, masked(membersIn(data), form.ui), target);
  return `${method} /api${path}${body === undefined ? '' : `\n\n${JSON.stringify(body, null, 2)}`}`;
}

/** The exact request that the form would send with what is entered. */
export function PreviewRequest({ model, target }: { model: FormModel; target: FormTarget }) {
  const t = useT();
  useSyncExternalStore(model.subscribe, model.data);
  const { form } = model.module;
  const request = describeRequest(form, prepareData(form, model.visible().data, { start: undefined }), target);
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
