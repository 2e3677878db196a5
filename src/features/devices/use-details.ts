import { useCustom } from '@refinedev/core';
import { useEffect } from 'react';
import type { Device, DeviceDetails } from '../../../schemas/_generated/contract.ts';
import { openDialog } from '../../engine/dialogs/index.ts';
import type { ApiError } from '../../kernel/http/index.ts';
import { live } from '../../kernel/socket/index.ts';

/** What the device reported last of its parts, read again each time that it reports. */
export function useDetails(id: number) {
  const { query } = useCustom<DeviceDetails, ApiError>({ url: `/devices/${id}/details`, method: 'get', errorNotification: false });
  const { refetch } = query;
  useEffect(() => live.follow(`devices.${id}.details`, { onEvent: () => void refetch(), onFollowed: () => void refetch() }), [id, refetch]);
  return query;
}

/** Asks the device for a report now. */
export function askForReport(device: Device): void {
  void openDialog('job.start', { kind: 'refresh', risk: 'low', selection: { device_id: [device.id] }, count: 1, name: device.name });
}

/** Switches an output, after a confirmation. */
export function switchOutput(device: Device, pin: string, state: 'on' | 'off', words: string): void {
  void openDialog('job.start', {
    kind: 'io',
    form: 'devices/switch-output',
    data: { pin, state },
    risk: 'disruptive',
    selection: { device_id: [device.id] },
    count: 1,
    name: `${device.name} · ${words}`,
  });
}
