import { useCustom } from '@refinedev/core';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Device, DeviceEvent, JobTarget } from '../../../schemas/_generated/contract.ts';
import type { Text } from '../../../schemas/kit/form/types.ts';
import { openDialog } from '../../engine/dialogs/index.ts';
import { actionText } from '../../engine/history/sentence.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { hasText, textOf, useT, type Translate } from '../../kernel/i18n/index.ts';
import { useCan } from '../../kernel/session/index.ts';
import { live } from '../../kernel/socket/index.ts';
import {
  Button,
  Card,
  cx,
  ErrorState,
  Icon,
  RelativeTime,
  Segmented,
  Skeleton,
  StatusMark,
  type IconName,
  type StatusKind,
} from '../../ui/index.ts';
import { EventText } from './EventText.tsx';
import styles from './timeline.module.css';

interface JobEntry {
  job_id: number;
  kind: string;
  input: unknown;
  state: JobTarget['state'];
  reason: string | null;
  message: string | null;
  output: string | null;
  user_name: string;
}

interface Entry {
  id: string;
  kind: 'event' | 'job' | 'change' | 'note';
  created_at: string;
  event?: DeviceEvent;
  job?: JobEntry;
  change?: { action: string; user_name: string };
  note?: { text: string; user_name: string };
}

const PERMISSIONS = { event: 'view_device_logs', job: 'view_device_actions', change: 'view_history', note: 'view_devices' } as const;
const KINDS = ['event', 'job', 'change', 'note'] as const;
type Choice = 'all' | (typeof KINDS)[number];
const PARAM = 'show';

const STATE_KINDS: Record<JobEntry['state'], StatusKind> = {
  queued: 'idle', sent: 'info', running: 'info', ok: 'good', failed: 'bad', skipped: 'warn', 'timed-out': 'bad', cancelled: 'idle',
}; // prettier-ignore

const EVENT_ICONS: Partial<Record<DeviceEvent['type'], IconName>> = {
  connected: 'wifi',
  disconnected: 'cloud-off',
  restarted: 'rotate-ccw',
  refused: 'ban',
  quarantined: 'shield-alert',
  log: 'info',
  moved: 'folder-input',
};

function iconOf({ kind, event }: Entry): IconName {
  if (kind === 'job') return 'list-checks';
  if (kind === 'change') return 'pencil';
  if (kind === 'note') return 'file-pen';
  return (event && EVENT_ICONS[event.type]) ?? 'circle';
}

/** What a job was about: the command itself, where there is one. */
function commandOf(input: unknown): string | undefined {
  return typeof input === 'object' && input !== null && 'command' in input && typeof input.command === 'string' ? input.command : undefined;
}

function isText(value: unknown): value is Text {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' && value !== '';
  return Object.values(value).every((words) => typeof words === 'string');
}

/** What a job does: the title of the form that started it, else its kind. */
function titleOf(t: Translate, { kind, input }: JobEntry): string {
  const title = kind === 'form' && typeof input === 'object' && input !== null && 'title' in input ? input.title : undefined;
  if (isText(title)) return textOf(title);
  const key = `values.job.kind.${kind}`;
  return hasText(key) ? t(key) : kind;
}

function reasonWords(t: Translate, { reason, message, output }: JobEntry): string {
  if (message) return message;
  if (output) return output;
  const key = `jobs.skip.${reason}`;
  return reason === null ? '' : hasText(key) ? t(key) : reason;
}

function JobLine({ job }: { job: JobEntry }) {
  const t = useT();
  const command = commandOf(job.input);
  const said = reasonWords(t, job);
  return (
    <>
      <span className={styles.first}>
        <Button
          variant="link"
          size="small"
          onClick={() => void openDialog('job.status', { jobId: job.job_id }, { id: `job-${job.job_id}` })}
        >
          {titleOf(t, job)}
        </Button>
        <StatusMark kind={STATE_KINDS[job.state]}>{t(`values.job_target.state.${job.state}`)}</StatusMark>
        <span className={styles.muted}>{job.user_name}</span>
      </span>
      {command ? <code className={styles.code}>{command}</code> : null}
      {said ? <span className={styles.said}>{said}</span> : null}
    </>
  );
}

function Line({ entry }: { entry: Entry }) {
  const t = useT();
  const { event, job, change, note } = entry;
  return (
    <li className={styles.entry}>
      <span className={cx(styles.icon, event && event.level !== 'info' && styles[event.level])}>
        <Icon name={iconOf(entry)} size={14} />
      </span>
      <span className={styles.time}>
        <RelativeTime time={entry.created_at} saysAgo />
      </span>
      <span className={styles.words}>
        {event ? (
          <span className={cx(event.level !== 'info' && styles[event.level])}>
            <EventText event={event} />
          </span>
        ) : null}
        {job ? <JobLine job={job} /> : null}
        {note ? (
          <>
            <span className={styles.note}>{note.text}</span>
            <span className={styles.muted}>{note.user_name}</span>
          </>
        ) : null}
        {change ? (
          <span className={styles.first}>
            {actionText(t, change.action)} <span className={styles.muted}>{change.user_name || t('history.system')}</span>
          </span>
        ) : null}
      </span>
    </li>
  );
}

interface PageProps {
  deviceId: number;
  kinds: string | undefined;
  before: string | undefined;
  /** Only the last page asks for more. */
  onMore: ((cursor: string) => void) | undefined;
}

/** One page of the timeline; the first one grows live. */
function Page({ deviceId, kinds, before, onMore }: PageProps) {
  const t = useT();
  const { query } = useCustom<{ entries: Entry[]; next: string | null }, ApiError>({
    url: `/devices/${deviceId}/timeline`,
    method: 'get',
    config: { query: { ...(kinds ? { kinds } : {}), ...(before ? { before } : {}) } },
    errorNotification: false,
  });
  const { refetch } = query;
  useEffect(() => {
    if (before !== undefined) return undefined;
    const follow = { onEvent: () => void refetch(), onFollowed: () => void refetch() };
    return live.follow(`devices.${deviceId}.events`, follow);
  }, [deviceId, before, refetch]);
  const answer = query.data?.data;
  if (query.error) return <ErrorState error={query.error} onRetry={() => void refetch()} />;
  if (!answer) return <Skeleton height={120} />;
  return (
    <>
      {answer.entries.length === 0 ? <p className={styles.none}>{t('devices.timeline.none')}</p> : null}
      <ul className={styles.list}>
        {answer.entries.map((entry) => (
          <Line key={entry.id} entry={entry} />
        ))}
      </ul>
      {onMore && answer.next !== null ? (
        <div className={styles.more}>
          <Button variant="link" onClick={() => onMore(answer.next ?? '')}>
            {t('common.showMore')}
          </Button>
        </div>
      ) : null}
    </>
  );
}

/** All that happened to a device as one line of time: connections, events, jobs with their outcome, changes and notes. What is shown is in the address. */
export function DeviceTimeline({ device }: { device: Device }) {
  const t = useT();
  const can = useCan();
  const [search, setSearch] = useSearchParams();
  const kinds = KINDS.filter((kind) => can(PERMISSIONS[kind]));
  const choice: Choice = kinds.find((kind) => kind === search.get(PARAM)) ?? 'all';
  const [pages, setPages] = useState<{ choice: Choice; cursors: string[] }>({ choice, cursors: [] });
  const cursors = pages.choice === choice ? pages.cursors : [];
  if (kinds.length === 0) return null;
  const choose = (value: Choice) =>
    setSearch(
      (former) => {
        if (value === 'all') former.delete(PARAM);
        else former.set(PARAM, value);
        return former;
      },
      { replace: true },
    );
  const all: (string | undefined)[] = [undefined, ...cursors];
  return (
    <Card title={t('devices.timeline.title')} isFlush>
      {kinds.length > 1 ? (
        <div className={styles.filter}>
          <Segmented<Choice>
            label={t('devices.timeline.filter')}
            value={choice}
            options={(['all', ...kinds] as const).map((value) => ({ value, label: t(`devices.timeline.${value}`) }))}
            onChange={choose}
          />
        </div>
      ) : null}
      {all.map((before, index) => (
        <Page
          key={`${choice} ${before}`}
          deviceId={device.id}
          kinds={choice === 'all' ? undefined : choice}
          before={before}
          onMore={index === all.length - 1 ? (cursor) => setPages({ choice, cursors: [...cursors, cursor] }) : undefined}
        />
      ))}
    </Card>
  );
}
