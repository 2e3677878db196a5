import { useSyncExternalStore } from 'react';
import type { ChartColor } from './types.ts';

export interface ChartColors extends Record<ChartColor, string> {
  ink: string;
  muted: string;
  line: string;
  card: string;
  band: string;
}

const VARIABLES: Record<keyof ChartColors, string> = {
  accent: '--c-accent',
  good: '--c-good',
  bad: '--c-bad',
  warn: '--c-warn',
  idle: '--c-idle',
  ink: '--c-ink',
  muted: '--c-muted',
  line: '--c-line',
  card: '--c-card',
  band: '--c-accent-tint-hover',
};

/** The theme's colours as a canvas takes them: no variables, and of the mode that is on screen. */
export function readColors(): ChartColors {
  const probe = document.createElement('span');
  document.body.append(probe);
  const entries = Object.entries(VARIABLES).map(([name, variable]) => {
    probe.style.color = `var(${variable})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  // Its names are those of VARIABLES.
  return Object.fromEntries(entries) as ChartColors;
}

let shown: ChartColors | undefined;

function subscribe(onChange: () => void): () => void {
  const look = (): void => {
    shown = undefined;
    onChange();
  };
  const observer = new MutationObserver(look);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'data-theme', 'class'] });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', look);
  return () => {
    observer.disconnect();
    dark.removeEventListener('change', look);
  };
}

/** `readColors` for components; renders again when the theme or its mode changes. */
export function useChartColors(): ChartColors {
  return useSyncExternalStore(subscribe, () => (shown ??= readColors()));
}

/** Whether there are canvases here; without them a chart is its words alone. */
export function canDraw(): boolean {
  return typeof CanvasRenderingContext2D !== 'undefined';
}
