import type { DeviceDetails } from '../../../schemas/_generated/contract.ts';

/** What a device reported of its parts, as `device_details.details` keeps it. */
export type DetailsReport = Omit<DeviceDetails, 'id' | 'received_at' | 'changed_at' | 'backed_up_at' | 'has_changed_since_backup'>;
