import { BarChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { init, use as useParts } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react';
import { canDraw, useChartColors } from './colors.ts';
import type { Layer } from './StackedChart.tsx';
import type { PlotHandle } from './types.ts';
import styles from './charts.module.css';

useParts([BarChart, GridComponent, TooltipComponent, CanvasRenderer]);

interface StackedPlotProps {
  label: string;
  columns: readonly string[];
  layers: readonly Layer[];
  format(value: number): string;
  height: number;
  ref: Ref<PlotHandle>;
}

/** The drawing of a StackedChart by ECharts. */
export default function StackedPlot({ label, columns, layers, format, height, ref }: StackedPlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const colors = useChartColors();
  useImperativeHandle(ref, () => ({ canvas: () => place.current?.querySelector('canvas') ?? undefined, reset: () => undefined }), []);
  // Callers make it again at each drawing; a chart is made again only for other values.
  const words = useRef(format);
  useEffect(() => void (words.current = format));

  useEffect(() => {
    const frame = place.current;
    if (!frame || !canDraw()) return undefined;
    const chart = init(frame, null, { renderer: 'canvas', height });
    const wordsOf = (value: unknown): string => words.current(Number(value));
    chart.setOption({
      animation: false,
      textStyle: { fontFamily: 'sans-serif', color: colors.ink },
      grid: { left: 8, right: 8, top: 12, bottom: 8, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
      // Drawn on the canvas: a tooltip of elements would bring styles that the content policy refuses.
      tooltip: {
        trigger: 'axis',
        renderMode: 'richText',
        backgroundColor: colors.card,
        borderColor: colors.line,
        textStyle: { color: colors.ink },
        valueFormatter: wordsOf,
      },
      xAxis: { type: 'category', data: [...columns], axisLabel: { color: colors.muted, hideOverlap: true }, axisTick: { show: false } },
      yAxis: {
        type: 'value',
        splitNumber: 3,
        axisLabel: { color: colors.muted, formatter: wordsOf },
        splitLine: { lineStyle: { color: colors.line } },
      },
      series: layers.map((layer) => ({
        type: 'bar',
        stack: 'all',
        name: layer.label,
        barMaxWidth: 22,
        itemStyle: { color: colors[layer.color] },
        data: [...layer.values],
      })),
    });
    const observer = new ResizeObserver(() => chart.resize({ height }));
    observer.observe(frame);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [columns, layers, colors, height]);

  const totals = columns.map((column, index) => `${column} ${format(layers.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))}`);
  return <div ref={place} className={styles.plot} role="img" aria-label={`${label}: ${totals.join(', ')}`} />;
}
