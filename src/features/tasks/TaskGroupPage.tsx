import { useOne } from '@refinedev/core';
import { Link } from 'react-router';
import type { FormData, TaskGroup } from '../../../schemas/_generated/contract.ts';
import { PageActions } from '../../engine/actions/PageActions.tsx';
import { useLookup } from '../../engine/form/use-lookup.ts';
import { resources } from '../../engine/resources/all.ts';
import ResourceListPage from '../../engine/table/ResourceListPage.tsx';
import type { ApiError } from '../../kernel/http/index.ts';
import { useT, type Translate } from '../../kernel/i18n/index.ts';
import { formatDuration } from '../../kernel/time/relative.ts';
import { Card, PageError, PageHeader, Skeleton, SmallTable } from '../../ui/index.ts';
import styles from './tasks.module.css';

type Content = FormData['task-groups/edit'];
type Task = NonNullable<Content['tasks']>[number];
type Variable = NonNullable<Content['variables']>[number];
type FullGroup = TaskGroup & Required<Pick<Content, 'tasks' | 'variables' | 'success_tag_id' | 'failed_tag_id'>>;

const SECOND = 1000;
const NO_PARAMS: Record<string, string> = {};
const runs = resources.find(({ name }) => name === 'task-group-logs');

/** A task list: what it does in order, what it asks for, and its runs. */
export default function TaskGroupPage({ id }: { id: number }) {
  const t = useT();
  const { query } = useOne<FullGroup, ApiError>({ resource: 'task-groups', id, errorNotification: false });
  const group = query.data?.data;
  if (query.error)
    return <PageError error={query.error} onRetry={() => void query.refetch()} action={t('common.load')} item={t('entities.task_group')} />;
  if (!group) return <Skeleton height={320} />;
  return (
    <div className={styles.page}>
      <PageHeader
        title={group.name}
        subtitle={group.company_name}
        breadcrumb={[
          <Link key="above" to="/management/task-manager">
            {t('resources.task-groups.title')}
          </Link>,
        ]}
        actions={<PageActions resource="task-groups" row={{ ...group }} onDone={() => void query.refetch()} />}
      />
      <Card title={t('fields.tasks')}>
        <ol className={styles.tasks}>
          {group.tasks.map((task, index) => (
            <TaskItem key={task.id ?? index} task={task} />
          ))}
        </ol>
        <AfterRun group={group} />
      </Card>
      {group.variables.length > 0 ? <Variables variables={group.variables} /> : null}
      {runs ? <ResourceListPage resource={runs} within={{ key: 'group_id', value: id }} /> : null}
    </div>
  );
}

/** What a task does, in the words of its type. */
function TaskItem({ task: { name, type, data, timeout, stop_on_failure: stops = true } }: { task: Task }) {
  const t = useT();
  const codes = data.acceptable_codes ?? [];
  return (
    <li>
      <div className={styles.task}>
        <strong>{name}</strong>
        <span className={styles.quiet}>
          {[
            t(`values.task.type.${type}`),
            t('tasks.within', { time: formatDuration(timeout * SECOND) }),
            t(stops ? 'tasks.stops' : 'tasks.goes_on'),
            ...(codes.length === 0 ? [] : [t('tasks.codes', { codes: codes.join(', ') })]),
          ].join(' · ')}
        </span>
        <code className={styles.code}>{data.command ?? data.target_path ?? data.file}</code>
      </div>
    </li>
  );
}

function AfterRun({ group }: { group: FullGroup }) {
  const t = useT();
  const good = useLookup('tags', NO_PARAMS, group.success_tag_id).selected;
  const bad = useLookup('tags', NO_PARAMS, group.failed_tag_id).selected;
  const words = [
    { label: t('fields.success_tags'), tags: good },
    { label: t('fields.failed_tags'), tags: bad },
  ].filter(({ tags }) => tags.length > 0);
  return words.map(({ label, tags }) => (
    <p key={label} className={styles.quiet}>
      {label}: {tags.map((tag) => tag.label).join(', ')}
    </p>
  ));
}

function Variables({ variables }: { variables: Variable[] }) {
  const t = useT();
  return (
    <Card title={t('fields.variables')}>
      <SmallTable
        label={t('fields.variables')}
        className={styles.variables}
        hasRowNames
        rows={variables}
        keyOf={({ name }) => name}
        columns={[
          { key: 'name', title: t('fields.name'), render: ({ name }) => <code>{`{{${name}}}`}</code> },
          { key: 'type', title: t('fields.type'), render: (variable) => typeWords(variable, t) },
          { key: 'default', title: t('fields.default_value'), render: ({ default: usual }) => usual ?? '—' },
        ]}
      />
    </Card>
  );
}

function typeWords({ type, choices = [], field = 'name' }: Variable, t: Translate): string {
  const words = t(`forms.task-groups.type_${type}`);
  if (type === 'choice') return `${words}: ${choices.join(', ')}`;
  return type === 'device' ? `${words}: ${t(`fields.${field}`)}` : words;
}
