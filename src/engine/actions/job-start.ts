import type { JsonValue, SelectionInput } from '../../../schemas/kit/form/types.ts';

/** What the dialog that starts a job is given. */
export interface JobStartProps {
  /** A job kind known to the server. */
  kind: string;
  /** The form that asks for the job's input first; none when there is nothing to ask. */
  form?: string;
  /** What the form would ask, known already: the window begins with the preview. */
  data?: Record<string, JsonValue>;
  risk: 'low' | 'disruptive' | 'destructive';
  selection: SelectionInput;
  /** The job whose devices are put back to what they had; in place of a selection. */
  undoes?: number;
  /** The job whose failed devices, or chosen targets, try again; in place of a selection. */
  retries?: JobRetry;
  /** Called when the job is over. */
  onCompleted?: (() => void) | undefined;
  /** How many records the user chose. */
  count: number;
  /** The name of the record when it is one. */
  name?: string;
}

/** What is tried again. */
export interface JobRetry {
  jobId: number;
  /** The job's own input, to show what is done again. */
  input: Record<string, unknown>;
  /** Default: all that failed. */
  targetIds?: readonly number[] | undefined;
}

declare module '../dialogs/registry.ts' {
  interface DialogTypes {
    'job.start': { props: JobStartProps; result: { channel: string } };
  }
}
