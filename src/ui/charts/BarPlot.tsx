import { BarChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { init, use as useParts } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useImperativeHandle, useRef, type Ref } from 'react';
import type { Bar } from './BarChart.tsx';
import { canDraw, useChartColors } from './colors.ts';
import type { PlotHandle } from './types.ts';
import styles from './charts.module.css';

useParts([BarChart, GridComponent, TooltipComponent, CanvasRenderer]);

/** The least height of a bar whose name does not touch the next one. */
const NAME_PX = 14;
/** Room for a value below the axis, with that of the names beside it. */
const PX_PER_VALUE = 120;

interface BarPlotProps {
  label: string;
  bars: readonly Bar[];
  format(value: number): string;
  height: number;
  ref: Ref<PlotHandle>;
  onChoose?(index: number): void;
}

/** The drawing of a BarChart by ECharts. */
export default function BarPlot({ label, bars, format, height, ref, onChoose }: BarPlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const colors = useChartColors();
  useImperativeHandle(ref, () => ({ canvas: () => place.current?.querySelector('canvas') ?? undefined, reset: () => undefined }), []);
  // Callers make these again at each drawing; a chart is made again only for other values.
  const calls = useRef({ format, onChoose });
  useEffect(() => void (calls.current = { format, onChoose }));

  useEffect(() => {
    const frame = place.current;
    if (!frame || !canDraw()) return undefined;
    const chart = init(frame, null, { renderer: 'canvas', height });
    const words = (value: unknown): string => calls.current.format(Number(value));
    const parts = (): number => Math.max(2, Math.floor(frame.clientWidth / PX_PER_VALUE));
    chart.setOption({
      animation: false,
      textStyle: { fontFamily: 'sans-serif', color: colors.ink },
      grid: { left: 8, right: 24, top: 8, bottom: 8, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
      // Drawn on the canvas: a tooltip of elements would bring styles that the content policy refuses.
      tooltip: {
        trigger: 'item',
        renderMode: 'richText',
        backgroundColor: colors.card,
        borderColor: colors.line,
        textStyle: { color: colors.ink },
        valueFormatter: words,
      },
      xAxis: {
        type: 'value',
        minInterval: 1,
        splitNumber: parts(),
        axisLabel: { color: colors.muted, formatter: words, hideOverlap: true },
        splitLine: { lineStyle: { color: colors.line } },
      },
      yAxis: {
        type: 'category',
        inverse: true,
        data: bars.map((bar) => bar.label),
        // By default some names are left out where all would fit.
        axisLabel: { color: colors.muted, interval: height >= bars.length * NAME_PX ? 0 : 'auto' },
        axisTick: { show: false },
      },
      series: [
        {
          type: 'bar',
          name: label,
          barMaxWidth: 18,
          data: bars.map((bar) => ({ value: bar.value, name: bar.label, itemStyle: { color: colors[bar.color] } })),
        },
      ],
    });
    chart.on('click', ({ dataIndex }) => calls.current.onChoose?.(dataIndex));
    const observer = new ResizeObserver(() => {
      chart.setOption({ xAxis: { splitNumber: parts() } });
      chart.resize({ height });
    });
    observer.observe(frame);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [bars, colors, height, label]);

  const said = bars.map((bar) => `${bar.label} ${format(bar.value)}`).join(', ');
  return <div ref={place} className={styles.plot} role="img" aria-label={`${label}: ${said}`} />;
}
