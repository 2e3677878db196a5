import type { FormData } from '../../../schemas/_generated/contract.ts';
import type { JobKind } from '../../domain/jobs/types.ts';

type CaptureInput = FormData['devices/capture'];

const FILE = '/tmp/canopy-capture.pcap';
const SEND_SECONDS = 10 * 60;
const MARGIN_SECONDS = 15;
/** `ulimit -f` counts blocks of 512 bytes. */
const BLOCKS_PER_MB = 2048;
/** The end of the time (124, or the signal 15), and of the room (signal 25). */
const ENDS = [124, 128 + 15, 128 + 25];

/** The form lets in nothing that could end the quotes. */
const quoted = (text: string): string => `'${text.replaceAll("'", '')}'`;

function captureCommand({ interface: name, seconds, megabytes, filter }: CaptureInput): string {
  const what = ['-i', quoted(name), '-n', '-U', '-w', FILE, ...(filter ? [quoted(filter)] : [])].join(' ');
  return `umask 077 && rm -f ${FILE} && ulimit -f ${megabytes * BLOCKS_PER_MB} && timeout ${seconds} tcpdump ${what}`;
}

/** A device records what goes over one of its interfaces, for some time and up to some size, and gives the server the file. */
export const captureKind: JobKind<CaptureInput> = {
  name: 'capture',
  permission: 'execute_device_commands',
  skipReason: () => undefined,
  runs: {
    on: 'device',
    steps: (input, device) => [
      {
        name: 'capture',
        verb: 'run',
        timeoutSeconds: input.seconds + MARGIN_SECONDS,
        body: captureCommand(input),
        acceptedCodes: ENDS,
      },
      {
        name: 'send',
        verb: 'send',
        timeoutSeconds: SEND_SECONDS,
        body: `path=${FILE}\n`,
        receives: { type: 'custom_file', name: `capture-${device.serial || device.id}-{time}.pcap` },
      },
      { name: 'remove', verb: 'run', timeoutSeconds: MARGIN_SECONDS, body: `rm -f ${FILE}`, isOptional: true },
    ],
  },
};
