import type { ReactNode } from 'react';
import type { DialogPropsOf } from '../../engine/dialogs/registry.ts';
import { JobPreview } from './JobPreview.tsx';
import { ReasonChoice } from './ReasonChoice.tsx';
import { ScheduleChoice } from './ScheduleChoice.tsx';
import { runsOnDevices, type Waves } from './start-job.ts';
import type { JobStart, Step } from './use-job-start.ts';
import { WaveChoice } from './WaveChoice.tsx';
import { WindowChoice } from './WindowChoice.tsx';
import styles from './jobs.module.css';

interface JobChoicesProps extends Pick<DialogPropsOf<'job.start'>, 'kind' | 'risk' | 'name'> {
  job: JobStart;
  step: Extract<Step, { at: 'preview' }>;
  /** What the job was asked for. */
  input: Readonly<Record<string, unknown>>;
  waves: Waves | undefined;
  reason: { value: string; isMissing: boolean };
  isForQuery: boolean;
  typedField: ReactNode;
  onWaves(waves: Waves | undefined): void;
  onReason(value: string): void;
  onStart(): void;
}

/** What a job would do, and what can still be chosen: when, in which waves, in whose windows, and why. */
export function JobChoices({
  job,
  step,
  kind,
  risk,
  name,
  input,
  waves,
  reason,
  isForQuery,
  typedField,
  onWaves,
  onReason,
  onStart,
}: JobChoicesProps) {
  const willRun = step.preview.will_run;
  return (
    <>
      {kind === 'run' && typeof input['command'] === 'string' ? (
        <div className={styles.input}>
          <pre>{input['command']}</pre>
        </div>
      ) : null}
      <JobPreview
        kind={kind}
        preview={step.preview}
        name={name}
        isInWaves={waves !== undefined}
        companyId={kind === 'move' ? Number(input['company_id']) : undefined}
      />
      <ScheduleChoice schedule={job.schedule ?? {}} canWait={runsOnDevices(kind)} onChange={(next) => void job.handleSchedule(next)} />
      {step.preview.windows ? <WindowChoice windows={step.preview.windows} onChange={(window) => void job.showAgain({ window })} /> : null}
      {willRun > 1 && runsOnDevices(kind) ? (
        <WaveChoice willRun={willRun} waves={waves} isForQuery={isForQuery} onChange={onWaves} />
      ) : null}
      {willRun > 0 && (risk !== 'low' || step.preview.asks_reason === true) ? (
        <ReasonChoice {...reason} isRequired={step.preview.asks_reason === true} onChange={onReason} />
      ) : null}
      {typedField ? (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            onStart();
          }}
        >
          {typedField}
        </form>
      ) : null}
    </>
  );
}
