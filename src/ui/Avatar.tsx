import styles from './Avatar.module.css';

const GOLDEN_ANGLE = 137.508;
const CELLS = [0, 1, 2, 3] as const;

/** A small pattern that is always the same for the same person; their name stands beside it or in the button's label. */
export function Avatar({ seed, size = 26 }: { seed: number; size?: number }) {
  const hue = Math.round((210 + (seed - 1) * GOLDEN_ANGLE) % 360);
  const colors = [`hsl(${hue} 45% 52%)`, `hsl(${(hue + 300) % 360} 40% 58%)`] as const;
  // One of the six ways to colour four cells with two colours, two each.
  const pattern = [0b0110, 0b1001, 0b0011, 0b1100, 0b0101, 0b1010][seed % 6] ?? 0b0110;
  return (
    <svg width={size} height={size} viewBox="0 0 2 2" shapeRendering="crispEdges" aria-hidden="true" className={styles.avatar}>
      {CELLS.map((cell) => (
        <rect key={cell} x={cell % 2} y={cell >> 1} width="1" height="1" fill={colors[(pattern >> cell) & 1]} />
      ))}
    </svg>
  );
}
