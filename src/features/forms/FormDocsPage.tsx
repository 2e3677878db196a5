import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { loadForm, permissionOf, UnknownForm } from '../../engine/form/load-form.ts';
import { currentLanguage, hasText, useT, useText } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { Card, EmptyState, ErrorState, PageHeader, SmallTable, Spinner } from '../../ui/index.ts';
import { describeForm, type FieldDescription } from '../../../schemas/kit/form/describe-form.ts';
import { labelKeyOf } from '../../../schemas/kit/form/text-keys.ts';
import type { FormFile } from '../../../schemas/kit/form/types.ts';
import { curlOf } from './curl.ts';
import { permissionText } from './permission-text.ts';
import { placeText } from './place-text.ts';
import styles from './forms.module.css';

/** `/forms/docs/<room>/<name>`: what a form takes, from whom, and how a program sends it (docs/checks.md G6). Made from its file alone. */
export default function FormDocsPage() {
  const { room = '', name = '' } = useParams();
  const t = useT();
  const can = useCan();
  const id = `${room}/${name}`;
  const { data, error, refetch } = useQuery({
    queryKey: ['form-docs', id],
    retry: false,
    gcTime: 0,
    queryFn: async () => (await loadForm(id)).form,
  });
  if (error instanceof UnknownForm) return <EmptyState icon="file" title={t('form.unknown')} text={t('form.unknown_hint')} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Spinner size={24} />;
  const needed = permissionOf(data);
  if (needed !== undefined && !can(needed)) {
    return <EmptyState icon="lock" title={t('form.forbidden')} text={t('form.forbidden_hint')} />;
  }
  return <Documentation form={data} />;
}

function Documentation({ form }: { form: FormFile }) {
  const t = useT();
  const text = useText();
  const can = useCan();
  const about = describeForm(form, can);
  const curl = curlOf(about.request, location.origin);
  return (
    <div className={styles.page}>
      <PageHeader
        title={text(about.title)}
        subtitle={<code>{about.id}</code>}
        breadcrumb={[
          about.request.path.includes('{id}') ? (
            t('form_docs.title')
          ) : (
            <Link key="form" to={`/forms/${about.id}`}>
              {t('form_docs.open')}
            </Link>
          ),
        ]}
      />
      <Card title={t('form_docs.about')}>
        {about.description ? <p>{text(about.description)}</p> : null}
        <dl className={styles.facts}>
          <dt>{t('form_docs.permission')}</dt>
          <dd>{permissionText(about.permission, t)}</dd>
          <dt>{t('form_docs.version')}</dt>
          <dd>{about.version}</dd>
          <dt>{t('form_docs.request')}</dt>
          <dd>
            <code>{`${about.request.method} /api${about.request.path}`}</code>
          </dd>
          {about.place ? (
            <>
              <dt>{t('form_docs.place')}</dt>
              <dd>{placeText(about.place, t, currentLanguage())}</dd>
            </>
          ) : null}
        </dl>
      </Card>
      <Card title={t('form_docs.fields')} isFlush>
        {about.fields.length === 0 ? (
          <p className={styles.nothing}>{t('form_docs.no_fields')}</p>
        ) : (
          // Focusable, because a region that scrolls must be reachable without a mouse.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          <div className={styles.scroll} role="region" aria-label={t('form_docs.fields')} tabIndex={0}>
            <SmallTable
              className={styles.fields}
              hasRowNames
              columns={[
                { key: 'field', title: t('form_docs.columns.field'), render: (field) => <FieldName field={field} form={form} /> },
                { key: 'name', title: t('form_docs.columns.name'), render: ({ name }) => <code>{name}</code> },
                { key: 'type', title: t('form_docs.columns.type'), render: ({ type }) => type },
                { key: 'rules', title: t('form_docs.columns.rules'), render: (field) => <FieldRules field={field} /> },
              ]}
              rows={about.fields}
              keyOf={({ name }) => name}
            />
          </div>
        )}
      </Card>
      <Card title={t('form_docs.program')}>
        <p>{t('form_docs.program_hint')}</p>
        <pre className={styles.code}>{curl}</pre>
      </Card>
    </div>
  );
}

function FieldName({ field, form }: { field: FieldDescription; form: FormFile }) {
  const t = useT();
  const text = useText();
  const key = labelKeyOf(form, field.name);
  return (
    <>
      {field.label === undefined && key !== undefined ? (hasText(key) ? t(key) : field.name) : text(field.label)}
      {field.hint === undefined ? null : <div className={styles.hint}>{text(field.hint)}</div>}
    </>
  );
}

function FieldRules({ field }: { field: FieldDescription }) {
  const t = useT();
  const text = useText();
  const conditions = Object.entries(field.depends).map(([name, values]) =>
    t('form_docs.depends', { name, values: values.map((value) => JSON.stringify(value)).join(', ') }),
  );
  const rules = [
    t(field.required ? 'form_docs.required' : 'form_docs.optional'),
    ...conditions,
    ...field.rules.map(({ key: rule, params }) => t(rule, params)),
    ...(field.permission === undefined ? [] : [t('form_docs.needs', { permission: permissionText(field.permission, t) })]),
    ...(field.since === undefined ? [] : [t('form_docs.since', { version: field.since })]),
    ...(field.deprecated === undefined ? [] : [text(field.deprecated)]),
  ];
  return (
    <ul className={styles.rules}>
      {rules.map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
  );
}
