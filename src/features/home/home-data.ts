import type { Job } from '../../../schemas/_generated/contract.ts';
import type { CREDIT_KINDS } from '../../../schemas/kit/resources/credits.ts';

/** The first rows of a part of the start page, and how many there are in all. */
export interface Part<R> {
  count: number;
  rows: R[];
}

interface NamedDevice {
  id: number;
  name: string;
  model: string;
  company_name: string;
}
export interface OfflineDevice extends NamedDevice {
  since: string | null;
  code: number | null;
  ended: 'silent' | 'closed' | null;
  /** The kind of a job that may have taken it down. */
  last_kind: string | null;
}
export interface FlappingDevice extends NamedDevice {
  disconnects: number;
}
export interface QuarantinedDevice extends NamedDevice {
  serial: string;
  quarantine: string;
  created_at: string | null;
}

export interface OpenAlert {
  id: number;
  device_id: number;
  device_name: string;
  company_name: string;
  name: string;
  severity: 'info' | 'warning' | 'critical';
  message: string;
  raised_at: string;
}

interface OfCredits {
  company_id: number;
  company_name: string;
  credit_kind: (typeof CREDIT_KINDS)[number];
  left: number;
}
interface OfDevice {
  id: number;
  name: string;
  company_name: string;
}
export type RunningOut =
  | ({ kind: 'credits' } & OfCredits)
  | ({ kind: 'credits_end'; at: string | null } & OfCredits)
  | ({ kind: 'device_credit'; at: string | null } & OfDevice)
  | ({ kind: 'data'; used_bytes: number; limit_bytes: number } & OfDevice)
  | ({ kind: 'sim'; used_bytes: number; limit_bytes: number } & OfDevice);

export interface FirstSteps {
  address: boolean | null;
  mail: boolean | null;
  factor: boolean | null;
  device: boolean | null;
  colleague: boolean | null;
}

/** What `GET /home` answers; parts that the user may not see are null. */
export interface HomeData {
  attention: {
    alerts: Part<OpenAlert> | null;
    offline: Part<OfflineDevice> | null;
    flapping: Part<FlappingDevice> | null;
    quarantine: Part<QuarantinedDevice> | null;
    failed_jobs: Part<Job> | null;
    held_jobs: Part<Job> | null;
    running_out: Part<RunningOut> | null;
  };
  first_steps: FirstSteps;
}
