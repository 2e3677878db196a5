import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { JobKind } from '../../domain/jobs/types.ts';
import { sourceLine } from './sources.ts';

type TestInput = FormData['devices/test-endpoint'];

const TIMEOUT_SECONDS = 30;

/** A device answers one source of a template now; the answer is the output of the job. */
export const testKind: JobKind<TestInput> = {
  name: 'test_endpoint',
  permission: 'update_monitoring',
  skipReason: () => undefined,
  runs: {
    on: 'device',
    steps: ({ url, query_parameters = [] }) => [
      { name: 'probe', verb: 'probe', timeoutSeconds: TIMEOUT_SECONDS, body: `source=${sourceLine({ url, query_parameters })}\n` },
    ],
  },
};
