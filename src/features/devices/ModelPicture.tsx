import { useT } from '../../kernel/i18n/index.ts';
import { brandedModel, modelPicture, useTheme } from '../../kernel/theme/index.ts';
import { cx } from '../../ui/index.ts';
import { modelShape, type ModelShape } from './model-shape.ts';
import styles from './model-picture.module.css';

const WIDTH = 96;
const MOST_PORTS = 10;

const evenly = (count: number, from: number, to: number): number[] =>
  Array.from({ length: count }, (_, index) => from + ((to - from) * (index + 0.5)) / count);

/** The back of a device: antennas above, sockets and SIM slots in it. */
function Drawing({ shape: { body, ports, antennas, sims, isFacelift } }: { shape: ModelShape }) {
  const round = isFacelift ? 9 : 4;
  if (body === 'panel')
    return (
      <>
        <circle className={styles.body} cx="48" cy="32" r="26" />
        <circle className={styles.line} cx="48" cy="32" r="15" />
        <circle className={styles.light} cx="48" cy="32" r="3" />
      </>
    );
  if (body === 'unknown')
    return (
      <>
        <rect className={styles.body} x="14" y="20" width="68" height="30" rx="6" />
        <circle className={styles.light} cx="26" cy="35" r="3" />
        <path className={styles.line} d="M38 35h34" />
      </>
    );
  const isRack = body === 'rack';
  const [left, right] = isRack ? [4, 92] : [12, 84];
  const size = isRack ? 6.4 : 8;
  const shown = Math.min(ports, MOST_PORTS);
  const room = (sims > 0 ? right - 20 : right - 4) - (left + 4);
  return (
    <>
      {evenly(antennas, left + 2, right - 2).map((x) => (
        <path key={x} className={styles.antenna} d={`M${x.toFixed(1)} 28V6`} />
      ))}
      <rect className={styles.body} x={left} y="26" width={right - left} height={isRack ? 22 : 28} rx={round} />
      {evenly(shown, left + 4, left + 4 + Math.min(room, shown * (size + 3))).map((x) => (
        <rect key={x} className={styles.port} x={(x - size / 2).toFixed(1)} y="34" width={size} height={size} rx="1.2" />
      ))}
      {evenly(sims, right - 18, right - 2).map((x) => (
        <rect key={x} className={styles.sim} x={(x - 2.4).toFixed(1)} y="35" width="4.8" height="7" rx="1" />
      ))}
      <circle className={styles.light} cx={right - 6} cy={isRack ? 30 : 49} r="1.6" />
    </>
  );
}

/** The picture of a model: the one that the company's theme has for it, else a drawing of what it has. */
export function ModelPicture({ model, size = WIDTH, isMuted = false }: { model: string | null; size?: number; isMuted?: boolean }) {
  const t = useT();
  const theme = useTheme();
  const name = model ? brandedModel(model, theme) : t('devices.model.unknown');
  const picture = modelPicture(model ?? '', theme);
  if (picture) return <img className={styles.branded} src={picture} alt={name} width={size} height={(size * 2) / 3} />;
  return (
    <svg
      role="img"
      aria-label={name}
      viewBox="0 0 96 64"
      width={size}
      height={(size * 2) / 3}
      className={cx(styles.picture, isMuted && styles.muted)}
    >
      <title>{name}</title>
      <Drawing shape={modelShape(model ?? '')} />
    </svg>
  );
}
