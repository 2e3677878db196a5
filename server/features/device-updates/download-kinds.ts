import type { FileType } from '../../db/file-tables.ts';
import type { JobKind } from '../../domain/jobs/types.ts';

const SEND_SECONDS = 10 * 60;

/** A device makes a file and gives it to the server, where it is kept as a file of the device. */
function downloadKind(what: string, type: FileType, end: string): JobKind<Record<string, never>> {
  return {
    name: `download_${what}`,
    permission: 'execute_device_actions',
    skipReason: () => undefined,
    runs: {
      on: 'device',
      steps: (_input, device) => [
        {
          name: 'send',
          verb: 'send',
          timeoutSeconds: SEND_SECONDS,
          body: `what=${what}\n`,
          receives: { type, name: `${what}-${device.serial || device.id}-{time}.${end}` },
        },
      ],
    },
  };
}

export const downloadKinds = [
  downloadKind('backup', 'config', 'tar.gz'),
  downloadKind('troubleshoot', 'troubleshoot', 'tar.gz'),
  downloadKind('eventslog', 'eventslog', 'txt'),
];
