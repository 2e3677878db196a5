import { useId, useRef, useState } from 'react';
import type { JobTarget, MonitoringTemplate } from '../../../schemas/_generated/contract.ts';
import { openForm } from '../../engine/form/index.ts';
import { useComboboxLabels } from '../../engine/form/theme/widgets/combobox-labels.ts';
import { useLookup } from '../../engine/form/use-lookup.ts';
import type { JsonValue } from '../../../schemas/kit/form/types.ts';
import { api, isCancelled } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Button, Card, Code, Combobox, ErrorState, FieldFrame, TextInput } from '../../ui/index.ts';
import { KnownSources } from './KnownSources.tsx';
import { answerTree, hasVariable, withVariable, type AnswerNode } from './answer-paths.ts';
import styles from './monitoring.module.css';

const POLL_MS = 1000;
const MOST_POLLS = 60;
const OVER = new Set(['ok', 'failed', 'skipped', 'timed-out', 'cancelled']);

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MS));

/** Asks one device for a source now; its target when it is over, undefined when it did not answer in time. */
async function askDevice(deviceId: number, url: string): Promise<JobTarget | undefined> {
  const { meta } = await api.post<undefined>('/data-collect/test', { url, device_id: [deviceId] });
  for (let poll = 0; poll < MOST_POLLS; poll += 1) {
    const { data } = await api.get<JobTarget[]>(`/jobs/${String(meta['job_id'])}/targets`);
    const [target] = data;
    if (target && OVER.has(target.state)) return target;
    await pause();
  }
  return undefined;
}

/** A source of the template asked of one device: its answer as a tree, each value of which becomes a variable with a press; below it what devices are known to answer. */
export function TryCard({ template, onAdded }: { template: MonitoringTemplate; onAdded: () => void }) {
  const t = useT();
  const id = useId();
  const [deviceId, setDeviceId] = useState<number>();
  const [url, setUrl] = useState(template.data[0]?.url ?? '/file/proc/loadavg');
  const [answer, setAnswer] = useState<{ url: string; target: JobTarget | undefined }>();
  const [failure, setFailure] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const lookup = useLookup('devices', {}, deviceId === undefined ? [] : [deviceId]);
  const labels = useComboboxLabels(t('monitoring.try.device'));
  const latest = useRef(0);

  async function run(): Promise<void> {
    if (deviceId === undefined) return;
    const own = (latest.current += 1);
    setBusy(true);
    setFailure(undefined);
    try {
      const target = await askDevice(deviceId, url);
      if (own === latest.current) setAnswer({ url, target });
    } catch (error) {
      if (!isCancelled(error)) setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  async function add(source: string, { path, type }: Pick<AnswerNode, 'path' | 'type'>): Promise<void> {
    const data = withVariable(template.data, source, { path, type });
    const initial = { data: data as unknown as JsonValue };
    if (await openForm('monitoring-templates/edit', { record: { ...template }, initial })) onAdded();
  }

  return (
    <Card title={t('monitoring.try.title')}>
      <div className={styles.page}>
        <p className={styles.quiet}>{t('monitoring.try.about')}</p>
        <div className={styles.asking}>
          <FieldFrame label={t('monitoring.try.device')}>
            {(control) => (
              <Combobox
                {...control}
                hasAutofocus={false}
                disabled={false}
                onBlur={() => undefined}
                label={t('monitoring.try.device')}
                labels={labels}
                selected={lookup.selected}
                isMultiple={false}
                isClearable
                query={lookup.query}
                source={lookup.source}
                onQuery={lookup.setQuery}
                onOpen={lookup.open}
                onSelect={(selected) => {
                  lookup.remember(selected);
                  setDeviceId(selected[0] === undefined ? undefined : Number(selected[0].value));
                }}
              />
            )}
          </FieldFrame>
          <FieldFrame label={t('fields.source_url')}>
            {(control) => <TextInput {...control} list={`${id}-urls`} value={url} onChange={(event) => setUrl(event.target.value)} />}
          </FieldFrame>
          <datalist id={`${id}-urls`}>
            {template.data.map((one) => (
              <option key={one.url} value={one.url}>
                {one.url}
              </option>
            ))}
          </datalist>
          <Button isBusy={isBusy} disabled={deviceId === undefined} onClick={() => void run()}>
            {t('monitoring.try.run')}
          </Button>
        </div>
        {failure === undefined ? null : <ErrorState error={failure} onRetry={() => void run()} />}
        {answer ? <Answer target={answer.target} onAdd={(node) => void add(answer.url, node)} /> : null}
        <KnownSources
          has={(one, filter) => hasVariable(template.data, one, filter)}
          onAsk={setUrl}
          onAdd={(source, { filter, type }) => void add(source, { path: filter, type })}
        />
      </div>
    </Card>
  );
}

function Answer({ target, onAdd }: { target: JobTarget | undefined; onAdd: (node: AnswerNode) => void }) {
  const t = useT();
  if (target?.state === 'ok' && target.output !== null)
    return (
      <div role="status">
        <ul className={styles.tree} aria-label={t('monitoring.try.answer')}>
          <Branch node={answerTree(target.output)} onAdd={onAdd} />
        </ul>
      </div>
    );
  return <p role="status">{t('monitoring.try.no_answer', { why: target?.message ?? target?.output ?? target?.state ?? '' })}</p>;
}

function Branch({ node, onAdd }: { node: AnswerNode; onAdd: (node: AnswerNode) => void }) {
  const t = useT();
  const { name, path, text, type, children } = node;
  if (text !== undefined)
    return (
      <li className={styles.leaf}>
        <Code>{name}</Code> <span className={styles.value}>{text}</span>
        {type === undefined ? null : (
          <Button size="small" variant="link" aria-label={t('monitoring.try.use_path', { path })} onClick={() => onAdd(node)}>
            {t('monitoring.try.use')}
          </Button>
        )}
      </li>
    );
  if (children.length === 0) return null;
  return (
    <li>
      <details open={path.length < 24}>
        <summary>
          <Code>{name}</Code>
        </summary>
        <ul className={styles.tree}>
          {children.map((child) => (
            <Branch key={child.path} node={child} onAdd={onAdd} />
          ))}
        </ul>
      </details>
    </li>
  );
}
