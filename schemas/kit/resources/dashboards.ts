/** What a dashboard can show. */
export const WIDGET_TYPES = [
  'value',
  'gauge',
  'line',
  'states',
  'bar',
  'pie',
  'map',
  'table',
  'lights',
  'top',
  'alerts',
  'availability',
  'output',
  'image',
  'text',
] as const;
export type WidgetType = (typeof WIDGET_TYPES)[number];
/** A dashboard is of the fleet, or of whichever device it is opened for. */
export const DASHBOARD_KINDS = ['fleet', 'device'] as const;
export type DashboardKind = (typeof DASHBOARD_KINDS)[number];
export const TEMPLATES = ['empty', 'overview', 'mobile', 'data', 'vpn', 'site'] as const;
export type Template = (typeof TEMPLATES)[number];

/** Width of the grid, in columns. */
export const COLUMNS = 12;
export const MOST_ROWS = 200;
export const MOST_WIDGETS = 40;
export const MOST_SPOTS = 30;
export const EXPORT_FORMAT = 'canopy-dashboard';

/** A point of an image: of a fleet a device with its state, of a device one of its values. */
export interface Spot {
  /** Percent of the image's width and height, from the upper left. */
  x: number;
  y: number;
  device_id?: number;
  /** One of `SOURCES.device.value`. */
  source?: string;
}

export interface Widget {
  /** Unique in its dashboard. */
  id: string;
  type: WidgetType;
  /** Columns and rows of the grid, from the upper left. */
  x: number;
  y: number;
  w: number;
  h: number;
  title?: string;
  /** One of `SOURCES`, or what a monitoring template collects. */
  source?: string;
  text?: string;
  /** Rows of a table or a list. */
  count?: number;
  /** Percent of the time that a device should be online. */
  target?: number;
  /** The output that is shown and switched. */
  pin?: string;
  /** The number of the image, and the points on it. */
  image?: number;
  spots?: readonly Spot[];
}

const COUNTED = ['status', 'model', 'firmware', 'operator', 'connection_type', 'signal'];
const NUMBERS = ['signal', 'temperature', 'sent', 'received'];

/** What each widget can show, by kind of dashboard; a widget that is not named is not there. `[]`: it needs no source. */
export const SOURCES: Readonly<Record<DashboardKind, Readonly<Partial<Record<WidgetType, readonly string[]>>>>> = {
  fleet: {
    value: ['devices', 'online', 'offline', 'pending', 'vpn_hubs', 'vpn_clients', 'vpn_connected'],
    gauge: ['online_share'],
    line: NUMBERS,
    bar: COUNTED,
    pie: COUNTED,
    map: [],
    table: ['all', 'offline', 'vpn_clients'],
    availability: [],
    lights: [],
    top: ['sent', 'received', 'temperature', 'router_uptime', 'load1'],
    alerts: [],
    image: [],
    text: [],
  },
  device: {
    value: [
      'signal',
      'rsrp',
      'rsrq',
      'sinr',
      'temperature',
      'router_uptime',
      'load1',
      'sent',
      'received',
      'operator',
      'connection_type',
      'firmware',
    ],
    gauge: ['signal', 'online_share'],
    line: [...NUMBERS, 'rsrp', 'rsrq', 'sinr', 'load1'],
    states: ['presence'],
    map: [],
    table: ['identity'],
    alerts: [],
    availability: [],
    output: [],
    image: [],
    text: [],
  },
};

/** Widgets that can show what monitoring templates collect. */
const COLLECTED: Readonly<Record<DashboardKind, ReadonlySet<WidgetType>>> = {
  fleet: new Set(['line']),
  device: new Set(['value', 'line']),
};
// `mt12_load`
const COLLECTED_NAME = /^mt[1-9]\d{0,9}_[a-z0-9_]{1,40}$/;
export const canShowCollected = (kind: DashboardKind, type: WidgetType): boolean => COLLECTED[kind].has(type);

/** JSON schema of the widgets of a dashboard, their sources aside. */
export const widgetsSchema = {
  type: 'array',
  maxItems: MOST_WIDGETS,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'type', 'x', 'y', 'w', 'h'],
    properties: {
      id: { type: 'string', pattern: '^[a-z0-9]{1,16}$' },
      type: { type: 'string', enum: WIDGET_TYPES },
      x: { type: 'integer', minimum: 0, maximum: COLUMNS - 1 },
      y: { type: 'integer', minimum: 0, maximum: MOST_ROWS },
      w: { type: 'integer', minimum: 1, maximum: COLUMNS },
      h: { type: 'integer', minimum: 1, maximum: 12 },
      title: { type: 'string', maxLength: 100 },
      source: { type: 'string', maxLength: 48 },
      text: { type: 'string', maxLength: 2000 },
      count: { type: 'integer', minimum: 1, maximum: 50 },
      target: { type: 'number', minimum: 0, maximum: 100 },
      pin: { type: 'string', maxLength: 40 },
      image: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      spots: {
        type: 'array',
        maxItems: MOST_SPOTS,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['x', 'y'],
          properties: {
            x: { type: 'number', minimum: 0, maximum: 100 },
            y: { type: 'number', minimum: 0, maximum: 100 },
            device_id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
            source: { type: 'string', maxLength: 40 },
          },
        },
      },
    },
  },
} as const;

/** The place of the first widget that cannot be shown; undefined when all can. */
export function faultOf(kind: DashboardKind, widgets: readonly Widget[]): string | undefined {
  const ids = new Set<string>();
  for (const [index, { id, type, x, w, source, spots = [] }] of widgets.entries()) {
    const sources = SOURCES[kind][type];
    if (!sources) return `widgets.${index}.type`;
    if (ids.has(id)) return `widgets.${index}.id`;
    if (x + w > COLUMNS) return `widgets.${index}.w`;
    const isCollected = canShowCollected(kind, type) && COLLECTED_NAME.test(source ?? '');
    if (sources.length > 0 && !isCollected && !sources.includes(source ?? '')) return `widgets.${index}.source`;
    const wrong = spots.findIndex((spot) => spot.source !== undefined && !(SOURCES[kind].value ?? []).includes(spot.source));
    if (wrong !== -1) return `widgets.${index}.spots.${wrong}.source`;
    ids.add(id);
  }
  return undefined;
}

const collides = (a: Widget, b: Widget): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/** The widgets without overlaps and gaps: `first` keeps its place as far as it can, the others move down and then up. */
export function arranged(widgets: readonly Widget[], first?: string): Widget[] {
  const order = [...widgets].sort((a, b) => a.y - b.y || Number(b.id === first) - Number(a.id === first) || a.x - b.x);
  const placed: Widget[] = [];
  for (const widget of order) {
    const next = { ...widget, x: Math.max(0, Math.min(widget.x, COLUMNS - widget.w)), y: 0 };
    while (placed.some((other) => collides(next, other))) next.y += 1;
    placed.push(next);
  }
  return placed;
}

const widget = (
  id: string,
  type: WidgetType,
  [x, y, w, h]: readonly [number, number, number, number],
  source?: string,
  count?: number,
): Widget => ({
  id,
  type,
  x,
  y,
  w,
  h,
  ...(source === undefined ? {} : { source }),
  ...(count === undefined ? {} : { count }),
});

/** What a new dashboard begins with. */
export function templateOf(kind: DashboardKind, template: Template): Widget[] {
  if (template === 'empty') return [];
  if (kind === 'device')
    return template === 'data'
      ? [
          widget('a', 'value', [0, 0, 3, 2], 'sent'),
          widget('b', 'value', [3, 0, 3, 2], 'received'),
          widget('c', 'line', [0, 2, 6, 4], 'sent'),
          widget('d', 'line', [6, 2, 6, 4], 'received'),
        ]
      : [
          widget('a', 'gauge', [0, 0, 3, 3], 'signal'),
          widget('b', 'gauge', [3, 0, 3, 3], 'online_share'),
          widget('c', 'value', [6, 0, 3, 3], 'operator'),
          widget('d', 'value', [9, 0, 3, 3], 'connection_type'),
          widget('e', 'line', [0, 3, 6, 4], 'signal'),
          widget('f', template === 'mobile' ? 'line' : 'map', [6, 3, 6, 4], template === 'mobile' ? 'rsrp' : undefined),
          widget('g', 'states', [0, 7, 12, 2], 'presence'),
        ];
  if (template === 'vpn')
    return [
      widget('a', 'value', [0, 0, 4, 2], 'vpn_hubs'),
      widget('b', 'value', [4, 0, 4, 2], 'vpn_clients'),
      widget('c', 'value', [8, 0, 4, 2], 'vpn_connected'),
      widget('d', 'table', [0, 2, 7, 5], 'vpn_clients', 10),
      widget('e', 'lights', [7, 2, 5, 5], undefined, 50),
    ];
  if (template === 'site')
    return [
      widget('a', 'value', [0, 0, 3, 2], 'devices'),
      widget('b', 'value', [3, 0, 3, 2], 'offline'),
      widget('c', 'availability', [6, 0, 6, 4], undefined, 5),
      widget('d', 'lights', [0, 2, 6, 4], undefined, 50),
      widget('e', 'map', [0, 6, 6, 4]),
      widget('f', 'table', [6, 4, 6, 6], 'offline', 10),
    ];
  if (template === 'mobile')
    return [
      widget('a', 'bar', [0, 0, 4, 4], 'signal'),
      widget('b', 'bar', [4, 0, 4, 4], 'connection_type'),
      widget('c', 'bar', [8, 0, 4, 4], 'operator'),
      widget('d', 'line', [0, 4, 12, 4], 'signal'),
    ];
  if (template === 'data')
    return [
      widget('a', 'line', [0, 0, 6, 4], 'sent'),
      widget('b', 'line', [6, 0, 6, 4], 'received'),
      widget('c', 'top', [0, 4, 6, 4], 'sent', 10),
      widget('d', 'top', [6, 4, 6, 4], 'received', 10),
    ];
  return [
    widget('a', 'value', [0, 0, 3, 2], 'devices'),
    widget('b', 'value', [3, 0, 3, 2], 'online'),
    widget('c', 'value', [6, 0, 3, 2], 'offline'),
    widget('d', 'gauge', [9, 0, 3, 2], 'online_share'),
    widget('e', 'map', [0, 2, 6, 5]),
    widget('f', 'table', [6, 2, 6, 5], 'offline', 10),
    widget('g', 'bar', [0, 7, 6, 4], 'model'),
    widget('h', 'lights', [6, 7, 6, 4], undefined, 50),
  ];
}
