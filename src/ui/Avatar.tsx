import AntAvatar from 'antd/es/avatar/Avatar';
import styles from './Avatar.module.css';

const GOLDEN_ANGLE = 137.508;
const SIDE = 5;
/** The left half with the middle; the right half is its mirror image. */
const DRAWN_COLUMNS = 3;

interface AvatarProps {
  /** The person's id. */
  seed: number;
  /** The picture that the person chose, in place of the drawn one. */
  url?: string | null;
  size?: number;
}

/** The person's picture, or else a small face of pixels that is always the same for the same person; their name is next to it or in the button's label. */
export function Avatar({ seed, url, size = 26 }: AvatarProps) {
  return <AntAvatar shape="square" size={size} src={url ?? <Face seed={seed} />} alt="" className={styles.avatar} />;
}

function Face({ seed }: { seed: number }) {
  const hue = Math.round((210 + (seed - 1) * GOLDEN_ANGLE) % 360);
  return (
    <svg viewBox="-0.5 -0.5 6 6" shapeRendering="crispEdges" aria-hidden="true">
      <rect x="-0.5" y="-0.5" width="6" height="6" fill={`hsl(${hue} 38% 88%)`} />
      <path d={pixels(seed)} fill={`hsl(${hue} 48% 42%)`} />
    </svg>
  );
}

/** The squares that are filled, from the bits of the scattered seed. */
function pixels(seed: number): string {
  // Knuth's multiplicative hash: ids that follow each other look nothing alike.
  const bits = Math.imul(seed, 2_654_435_761) >>> 0;
  let path = '';
  for (let row = 0; row < SIDE; row += 1) {
    for (let column = 0; column < DRAWN_COLUMNS; column += 1) {
      if (((bits >>> (31 - (row * DRAWN_COLUMNS + column))) & 1) === 0) continue;
      for (const x of new Set([column, SIDE - 1 - column])) path += `M${x} ${row}h1v1h-1z`;
    }
  }
  return path;
}
