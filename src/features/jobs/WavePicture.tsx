import { useState, type CSSProperties } from 'react';
import { formatNumber, useT } from '../../kernel/i18n/index.ts';
import { formatTime, parseWire } from '../../kernel/time/index.ts';
import { Button, StatusMark } from '../../ui/index.ts';
import { countGroups, type TargetGroup } from './progress.ts';
import { gateWords, waveState } from './roll-out-words.ts';
import { SegmentBar } from './SegmentBar.tsx';
import styles from './roll-outs.module.css';
import type { Job, JobWave } from './job-api.ts';

/** Waves before and after the present one that are shown without asking. */
const AROUND = 3;

const COUNTS: readonly { group: TargetGroup; key: string }[] = [
  { group: 'done', key: 'done' },
  { group: 'running', key: 'running' },
  { group: 'failed', key: 'failed' },
  { group: 'queued', key: 'waiting' },
];

/** The waves of a job below one another, each as long as it is large, with what has to be before the next one. */
export function WavePicture({ job, waves }: { job: Job; waves: readonly JobWave[] }) {
  const t = useT();
  const [showsDone, setShowsDone] = useState(false);
  const [showsPlanned, setShowsPlanned] = useState(false);
  const started = waves.filter(({ state }) => state !== 'planned' && state !== 'dropped').length;
  const first = showsDone || started <= AROUND + 1 ? 0 : started - AROUND;
  const last = showsPlanned || waves.length - started <= AROUND + 1 ? waves.length : started + AROUND;
  const largest = Math.max(1, ...waves.map(({ total }) => total));
  return (
    <div className={styles.picture}>
      {first > 0 ? (
        <Button variant="link" onClick={() => setShowsDone(true)}>
          {t('jobs.rollout.more_done', { count: first })}
        </Button>
      ) : null}
      <ol className={styles.waves} aria-label={t('jobs.rollout.waves')}>
        {waves.slice(first, last).map((wave, index) => {
          const next = waves[first + index + 1];
          return (
            <li key={wave.number} data-state={wave.state}>
              <WaveRow wave={wave} share={wave.total / largest} isCanary={wave.number === 1 && wave.total < (next?.total ?? 0)} />
              {next ? <Gate job={job} wave={wave} next={next} /> : null}
            </li>
          );
        })}
      </ol>
      {last < waves.length ? (
        <Button variant="link" onClick={() => setShowsPlanned(true)}>
          {t('jobs.rollout.more_planned', { count: waves.length - last })}
        </Button>
      ) : null}
    </div>
  );
}

function WaveRow({ wave, share, isCanary }: { wave: JobWave; share: number; isCanary: boolean }) {
  const t = useT();
  const { kind, words } = waveState(wave);
  const groups = countGroups(wave.counts);
  const other = groups.skipped + groups.cancelled;
  const name = t('jobs.rollout.wave', { number: wave.number });
  const [began, ended] = [parseWire(wave.began_at), parseWire(wave.ended_at)];
  const times = [began, ended].flatMap((at) => (at === undefined ? [] : [formatTime(at, 'HH:mm')]));
  const style: CSSProperties & { '--share': number } = { '--share': share };
  return (
    <div className={styles.wave}>
      <div className={styles.waveHead}>
        <h3>{name}</h3>
        {isCanary ? <span className={styles.quiet}>{t('jobs.rollout.canary')}</span> : null}
        <StatusMark kind={kind}>{words}</StatusMark>
        <span className={styles.quiet}>{times.join(' – ')}</span>
      </div>
      <div className={styles.waveBar} style={style}>
        <SegmentBar job={wave} label={t('jobs.progress_of', { title: name })} />
      </div>
      <dl className={styles.counts}>
        {COUNTS.filter(({ group }) => groups[group] > 0).map(({ group, key }) => (
          <div key={group} data-group={group}>
            <dt>{t(`jobs.rollout.count.${key}`)}</dt>
            <dd>{formatNumber(groups[group])}</dd>
          </div>
        ))}
        {other > 0 ? (
          <div data-group="other">
            <dt>{t('jobs.rollout.count.other')}</dt>
            <dd>{formatNumber(other)}</dd>
          </div>
        ) : null}
      </dl>
    </div>
  );
}

function Gate({ job, wave, next }: { job: Job; wave: JobWave; next: JobWave }) {
  const t = useT();
  const words = gateWords(job, wave, next);
  if (words.length === 0) return null;
  return (
    <p className={styles.gate}>
      <span className="visually-hidden">{t('jobs.rollout.gate.title')}</span>
      {words.join(' · ')}
    </p>
  );
}
