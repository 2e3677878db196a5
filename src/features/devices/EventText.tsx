import type { DeviceEvent } from '../../../schemas/_generated/contract.ts';
import { useT } from '../../kernel/i18n/index.ts';

/** The event's kind in words; a device's own words follow it as they came, as text. */
export function EventText({ event }: { event: Pick<DeviceEvent, 'type' | 'log'> }) {
  const t = useT();
  const kind = t(`devices.events.${event.type}`);
  if (!event.log || event.type === 'connected') return <>{kind}</>;
  return (
    <>
      {kind}: {event.log}
    </>
  );
}
