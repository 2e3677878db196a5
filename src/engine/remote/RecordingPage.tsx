import type { ReactNode } from 'react';
import { useT } from '../../kernel/i18n/index.ts';
import { ErrorState, Spinner } from '../../ui/index.ts';
import { Centred, ConnectFrame } from './ConnectFrame.tsx';
import { useRecording, useRecordingTitle } from './use-recording.ts';

interface RecordingPageProps<T> {
  /** Reads a recording; undefined for what is none. */
  read(file: Blob): Promise<T | undefined>;
  titleOf?(recording: T): string;
  children(recording: T): ReactNode;
}

/** The page of the recording that its address names: read, or why it could not be. */
export function RecordingPage<T>({ read, titleOf, children }: RecordingPageProps<T>) {
  const t = useT();
  const known = useRecordingTitle();
  const { data, error, refetch } = useRecording(read);
  const title = (data && titleOf?.(data)) || known;
  return (
    <ConnectFrame title={title ?? t('remote.replay.title')}>
      {error || data === null ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {data ? children(data) : null}
      {data === undefined && !error ? (
        <Centred>
          <Spinner />
        </Centred>
      ) : null}
    </ConnectFrame>
  );
}
