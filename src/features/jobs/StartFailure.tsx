import { openDialog } from '../../engine/dialogs/index.ts';
import { jobOfChannel } from '../../engine/form/job-channel.ts';
import { ApiError, failureMessage } from '../../kernel/http/index.ts';
import { useT } from '../../kernel/i18n/index.ts';
import { Banner, Button, ErrorState } from '../../ui/index.ts';

/** Why the job was not started; the same job running already leads to it. */
export function StartFailure({ failure, onRetry }: { failure: unknown; onRetry: (() => void) | undefined }) {
  const t = useT();
  const running = failure instanceof ApiError && failure.code === 'JOB_ALREADY_RUNNING' ? jobOfChannel(failure.meta.channel) : undefined;
  if (onRetry) return <ErrorState error={failure} onRetry={onRetry} />;
  return (
    <Banner
      kind="bad"
      actions={
        running === undefined ? null : (
          <Button size="small" onClick={() => void openDialog('job.status', { jobId: running }, { id: `job-${running}` })}>
            {t('jobs.open')}
          </Button>
        )
      }
    >
      {failureMessage(failure)}
    </Banner>
  );
}
