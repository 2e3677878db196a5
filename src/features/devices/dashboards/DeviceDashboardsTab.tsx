import { useParams } from 'react-router';
import type { DetailsPartProps } from '../DetailsParts.tsx';
import { DeviceDashboards } from './DeviceDashboards.tsx';

const ASKED = /^dashboards\/([1-9]\d{0,9})$/;

/** The dashboards of the device as a part of its page, at `dashboards` and `dashboards/{id}`. */
export function DeviceDashboardsTab({ device }: DetailsPartProps) {
  const [, asked] = ASKED.exec(useParams()['*'] ?? '') ?? [];
  return (
    <DeviceDashboards
      deviceId={device.id}
      asked={asked === undefined ? undefined : Number(asked)}
      addressOf={(id) => `/devices/${device.id}/dashboards/${id}`}
    />
  );
}
