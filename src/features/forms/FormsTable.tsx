import { Link } from 'react-router';
import { currentLanguage, useT, useText } from '../../kernel/i18n/index.ts';
import { IconButton, Menu, RelativeTime, SmallTable, type SmallTableColumn, type StatusKind, StatusMark, Tag } from '../../ui/index.ts';
import { permissionText } from './permission-text.ts';
import { placeText } from './place-text.ts';
import type { FormSummary } from './studio-api.ts';
import styles from './studio.module.css';
import type { QualityLevel, FormQuality } from '../../../schemas/kit/lint/form-quality.ts';

const HEALTH: Record<FormSummary['health'], StatusKind> = { ok: 'good', broken: 'warn', unusable: 'bad' };

/** The list of forms. */
export function FormsTable({ rows }: { rows: readonly FormSummary[] }) {
  const t = useT();
  const text = useText();
  const titleOf = (form: FormSummary) => text(form.title) || form.id;
  const columns: SmallTableColumn<FormSummary>[] = [
    { key: 'form', title: t('studio.columns.form'), render: (form) => <FormName form={form} title={titleOf(form)} /> },
    { key: 'health', title: t('studio.columns.health'), render: (form) => <FormHealth form={form} /> },
    {
      key: 'quality',
      title: t('studio.columns.quality'),
      render: ({ quality, origin }) => (quality ? <QualityBadge quality={quality} hidesNext={origin !== 'added'} /> : '—'),
    },
    {
      key: 'origin',
      title: t('studio.columns.origin'),
      className: styles.oneLine,
      render: ({ origin, replaces }) => t(replaces ? 'studio.origin.replaces' : `studio.origin.${origin}`),
    },
    { key: 'version', title: t('studio.columns.version'), render: ({ version }) => version ?? '—' },
    {
      key: 'permission',
      title: t('studio.columns.permission'),
      render: ({ permission }) => (permission === null ? '—' : permissionText(permission, t)),
    },
    {
      key: 'place',
      title: t('studio.columns.place'),
      render: ({ place }) => (place ? placeText(place, t, currentLanguage()) || '—' : '—'),
    },
    { key: 'changed', title: t('studio.columns.changed'), render: (form) => <FormChange form={form} /> },
    {
      key: 'more',
      title: t('studio.columns.more'),
      hidesTitle: true,
      className: styles.more,
      render: (form) => <FormMenu form={form} title={titleOf(form)} />,
    },
  ];
  return (
    // Focusable, because a region that scrolls must be reachable without a mouse.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.scroll} role="region" aria-label={t('studio.title')} tabIndex={0}>
      <SmallTable className={styles.forms} hasRowNames columns={columns} rows={rows} keyOf={(form) => form.id} />
    </div>
  );
}

interface NamedForm {
  form: FormSummary;
  title: string;
}

function FormName({ form, title }: NamedForm) {
  return (
    <>
      <Link className={styles.name} to={`/forms/edit/${form.id}`}>
        {title}
      </Link>
      <code className={styles.id}>{form.id}</code>
    </>
  );
}

function FormHealth({ form }: { form: FormSummary }) {
  const t = useT();
  const [first] = form.findings;
  return (
    <>
      <StatusMark kind={HEALTH[form.health]}>{t(`studio.health.${form.health}`)}</StatusMark>
      {first ? <div className={styles.quiet}>{`${first.line}:${first.column} ${first.message}`}</div> : null}
    </>
  );
}

function FormChange({ form }: { form: FormSummary }) {
  return (
    <>
      <RelativeTime time={form.updated_at} saysAgo />
      {form.updated_by ? <div className={styles.quiet}>{form.updated_by}</div> : null}
    </>
  );
}

function FormMenu({ form, title }: NamedForm) {
  const t = useT();
  return (
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
  );
}

const COLORS: Record<QualityLevel, string | null> = { bronze: '#a8612a', silver: null, gold: '#c79a00', platinum: '#2f8f9d' };

interface QualityBadgeProps {
  quality: FormQuality;
  /** Of forms that nobody here can make better. */
  hidesNext: boolean;
}

/** How good a form is, and what it needs to be better (docs/checks.md G9). */
function QualityBadge({ quality: { level, next, missing }, hidesNext }: QualityBadgeProps) {
  const t = useT();
  const checks = missing.map((check) => t(`studio.quality.checks.${check}`)).join(' · ');
  return (
    <>
      <Tag color={COLORS[level]}>{t(`studio.quality.${level}`)}</Tag>
      {next === null || hidesNext ? null : (
        <div className={styles.quiet}>{t('studio.quality.next', { level: t(`studio.quality.${next}`), checks })}</div>
      )}
    </>
  );
}
