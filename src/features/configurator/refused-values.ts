import { ApiError, itemMessage } from '../../kernel/http/index.ts';
import type { ErrorItem } from '../../../schemas/kit/form/types.ts';
import type { ConfigureCall } from './values.ts';

interface Entered {
  /** As they were sent. */
  calls: readonly ConfigureCall[];
  devices: readonly { id: number; name: string }[];
  labelOf(option: string): string;
}

/** An error about calls as one about what was entered: values for all devices are at their field, those of a single device name it and the option. */
export function asEntered(error: unknown, entered: Entered): unknown {
  if (!(error instanceof ApiError)) return error;
  const { kind, status, meta, requestId } = error;
  const items = error.items.map((item) => itemAsEntered(item, entered));
  return new ApiError({
    kind,
    meta,
    items,
    ...(status === undefined ? {} : { status }),
    ...(requestId === undefined ? {} : { requestId }),
  });
}

function itemAsEntered(item: ErrorItem, { calls, devices, labelOf }: Entered): ErrorItem {
  const [, index, option] = /^configuration\.(\d+)\.request_data\.data\.(.+)$/.exec(item.source ?? '') ?? [];
  const call = calls[Number(index)];
  if (!call || option === undefined) return item;
  const device = call.device_id.length === 1 && devices.length > 1 ? devices.find(({ id }) => id === call.device_id[0]) : undefined;
  if (!device) return { ...item, source: option };
  const { source: _source, ...rest } = item;
  const name = option.split('.')[0] ?? option;
  return {
    ...rest,
    params: { key: 'configurator.refused.of_device', device: device.name, option: labelOf(name), fault: itemMessage(item) },
  };
}
