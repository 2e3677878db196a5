import { Link } from 'react-router';
import { currentLanguage, useT, useText } from '../../kernel/i18n/index.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusMark, type StatusKind } from '../../ui/StatusMark.tsx';
import { QualityBadge } from './QualityBadge.tsx';
import { permissionText } from './permission-text.ts';
import { placeText } from './place-text.ts';
import type { FormSummary } from './studio-api.ts';
import styles from './studio.module.css';

const COLUMNS = ['form', 'health', 'quality', 'origin', 'version', 'permission', 'place', 'changed'] as const;
const HEALTH: Record<FormSummary['health'], StatusKind> = { ok: 'good', broken: 'warn', unusable: 'bad' };

/** The list of forms. */
export function FormsTable({ rows }: { rows: readonly FormSummary[] }) {
  const t = useT();
  return (
    // Focusable, because a region that scrolls must be reachable without a mouse.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.scroll} role="region" aria-label={t('studio.title')} tabIndex={0}>
      <table className={styles.forms}>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {t(`studio.columns.${column}`)}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">{t('studio.columns.more')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((form) => (
            <FormRow key={form.id} form={form} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function FormRow({ form }: { form: FormSummary }) {
  const t = useT();
  const text = useText();
  const title = text(form.title) || form.id;
  const [first] = form.findings;
  return (
    <tr>
      <th scope="row">
        <Link to={`/forms/edit/${form.id}`}>{title}</Link>
        <code className={styles.id}>{form.id}</code>
      </th>
      <td>
        <StatusMark kind={HEALTH[form.health]}>{t(`studio.health.${form.health}`)}</StatusMark>
        {first ? <div className={styles.quiet}>{`${first.line}:${first.column} ${first.message}`}</div> : null}
      </td>
      <td>{form.quality ? <QualityBadge quality={form.quality} /> : '—'}</td>
      <td>{t(form.replaces ? 'studio.origin.replaces' : `studio.origin.${form.origin}`)}</td>
      <td>{form.version ?? '—'}</td>
      <td>{form.permission === null ? '—' : permissionText(form.permission, t)}</td>
      <td>{form.place ? placeText(form.place, t, currentLanguage()) || '—' : '—'}</td>
      <td>
        <RelativeTime time={form.updated_at} />
        {form.updated_by ? <div className={styles.quiet}>{form.updated_by}</div> : null}
      </td>
      <td className={styles.more}>
        <Menu
          label={t('studio.more', { form: title })}
          entries={[
            { id: 'edit', label: t('studio.edit'), icon: 'pencil', to: `/forms/edit/${form.id}` },
            { id: 'open', label: t('form_docs.open'), icon: 'file', to: `/forms/${form.id}` },
            { id: 'docs', label: t('form_docs.title'), icon: 'info', to: `/forms/docs/${form.id}` },
          ]}
        >
          <IconButton icon="ellipsis" label={t('studio.more', { form: title })} />
        </Menu>
      </td>
    </tr>
  );
}
