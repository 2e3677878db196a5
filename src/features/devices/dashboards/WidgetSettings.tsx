import { canShowCollected, SOURCES, WIDGET_TYPES, type Widget, type WidgetType } from '../../../../schemas/kit/resources/dashboards.ts';
import { useCollected } from '../../../engine/readings/collected.ts';
import { useT } from '../../../kernel/i18n/index.ts';
import { FieldFrame, NumberField, Select, TextAreaField, TextInput } from '../../../ui/index.ts';
import type { WidgetSettingsProps } from './dashboard-data.ts';
import { ImageSettings } from './ImageSettings.tsx';
import { sourceName } from './source-names.ts';
import { DEFAULT_TARGET, PinChoice } from './state-widgets.tsx';
import styles from './dashboards.module.css';

const HAVE_ROWS: ReadonlySet<WidgetType> = new Set(['table', 'top', 'lights', 'alerts', 'availability']);

/** What a widget shows. */
export function WidgetSettings({ widget, around, onChange }: WidgetSettingsProps) {
  const t = useT();
  const offered = SOURCES[around.kind];
  const sources = offered[widget.type] ?? [];
  const isOpen = canShowCollected(around.kind, widget.type);
  // Only numbers can be a line.
  const collected = useCollected(isOpen).filter(({ isNumber }) => isOpen && (isNumber || widget.type !== 'line'));
  const typed = (type: Widget['type']): Widget => {
    const { source: _source, pin: _pin, image: _image, spots: _spots, ...rest } = widget;
    const [first] = offered[type] ?? [];
    return { ...rest, type, ...(first === undefined ? {} : { source: first }) };
  };
  return (
    <div className={styles.settings}>
      <FieldFrame label={t('dashboards.widget.type')}>
        {({ id }) => (
          <Select
            id={id}
            value={widget.type}
            choices={WIDGET_TYPES.filter((type) => offered[type]).map((type) => ({ value: type, label: t(`dashboards.type.${type}`) }))}
            onChange={(type) => onChange(typed(type))}
          />
        )}
      </FieldFrame>
      {sources.length > 0 ? (
        <FieldFrame label={t('dashboards.widget.source')}>
          {({ id }) => (
            <Select
              id={id}
              value={widget.source}
              choices={[
                ...sources.map((source) => ({ value: source, label: sourceName(t, source) })),
                ...collected.map(({ metric, label }) => ({ value: metric, label })),
              ]}
              onChange={(source) => onChange({ ...widget, source })}
            />
          )}
        </FieldFrame>
      ) : null}
      <FieldFrame label={t('dashboards.widget.title')}>
        {(control) => (
          <TextInput
            {...control}
            maxLength={100}
            value={widget.title ?? ''}
            onChange={(event) => onChange({ ...widget, title: event.target.value })}
          />
        )}
      </FieldFrame>
      {widget.type === 'text' ? (
        <FieldFrame label={t('dashboards.widget.text')}>
          {(control) => (
            <TextAreaField
              {...control}
              rows={3}
              maxLength={2000}
              value={widget.text ?? ''}
              onChange={(text) => onChange({ ...widget, text })}
            />
          )}
        </FieldFrame>
      ) : null}
      {HAVE_ROWS.has(widget.type) && !(widget.type === 'availability' && around.kind === 'device') ? (
        <FieldFrame label={t('dashboards.widget.count')}>
          {(control) => (
            <NumberField
              {...control}
              format={String}
              value={widget.count ?? 10}
              onChange={(count) => onChange({ ...widget, count: Math.max(1, Math.min(50, Math.round(Number(count) || 1))) })}
            />
          )}
        </FieldFrame>
      ) : null}
      {widget.type === 'availability' ? (
        <FieldFrame label={t('dashboards.widget.target')}>
          {(control) => (
            <NumberField
              {...control}
              format={String}
              value={widget.target ?? DEFAULT_TARGET}
              onChange={(target) => onChange({ ...widget, target: Math.max(0, Math.min(100, Number(target) || 0)) })}
            />
          )}
        </FieldFrame>
      ) : null}
      {widget.type === 'output' ? <PinChoice widget={widget} around={around} onChange={onChange} /> : null}
      {widget.type === 'image' ? <ImageSettings widget={widget} around={around} onChange={onChange} /> : null}
    </div>
  );
}
