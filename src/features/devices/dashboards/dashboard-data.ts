import { useCustom, type BaseRecord } from '@refinedev/core';
import { keepPreviousData } from '@tanstack/react-query';
import type { Device } from '../../../../schemas/_generated/contract.ts';
import type { DashboardKind, Widget } from '../../../../schemas/kit/resources/dashboards.ts';
import type { ApiError } from '../../../kernel/http/index.ts';
import { DAY, toWire } from '../../../kernel/time/index.ts';

/** What all widgets of a dashboard show: of whom, how far back, and when they are read again. */
export interface DashboardContext {
  kind: DashboardKind;
  /** Of a dashboard of a device. */
  deviceId: number | undefined;
  companyId: number;
  tagId: number | undefined;
  /** Filters of the list of devices. */
  filters: Readonly<Record<string, string>>;
  days: number;
  openedAt: number;
  refreshMs: number | false;
}

export interface WidgetProps {
  widget: Widget;
  around: DashboardContext;
}

/** What the settings of a widget get. */
export interface WidgetSettingsProps extends WidgetProps {
  onChange(widget: Widget): void;
}

/** A call of a widget, read again as often as the dashboard says. */
export function useWidgetData<T extends BaseRecord>(url: string, query: Record<string, unknown>, around: DashboardContext) {
  return useCustom<T, ApiError>({
    url,
    method: 'get',
    config: { query },
    queryOptions: { refetchInterval: around.refreshMs, placeholderData: keepPreviousData },
    errorNotification: false,
  }).query;
}

export const startOf = ({ days, openedAt }: DashboardContext): string => toWire(openedAt - days * DAY);

/** A page of the list of devices. */
export function useDevices(around: DashboardContext, query: Record<string, string>) {
  return useWidgetData<Device[]>('/devices', { ...around.filters, ...query }, around);
}
