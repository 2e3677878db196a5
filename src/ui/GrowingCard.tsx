import type { ReactNode } from 'react';
import { useT } from '../kernel/i18n/index.ts';
import { Button } from './Button.tsx';
import { Card } from './Card.tsx';
import { ErrorState } from './ErrorState.tsx';
import { Skeleton } from './Skeleton.tsx';
import styles from './GrowingCard.module.css';

const MAX_LIMIT = 100;

interface GrowingCardProps {
  title: string;
  /** What to say when there is nothing. */
  none: string;
  /** How many there are in all; undefined until they are loaded. */
  total: number | undefined;
  error: Error | null;
  onRetry: () => void;
  /** How many are asked for now; "show more" asks for `step` more, up to 100. */
  limit: number;
  step: number;
  onLimit: (limit: number) => void;
  /** Of the skeleton, px. */
  height: number;
  /** Beside the title. */
  extra?: ReactNode;
  children: ReactNode;
}

/** A card with the newest entries of something, and more of them on request. */
export function GrowingCard({ title, none, total, error, onRetry, limit, step, onLimit, height, extra, children }: GrowingCardProps) {
  const t = useT();
  return (
    <Card title={title} extra={extra} isFlush>
      {error ? <ErrorState error={error} onRetry={onRetry} action={t('common.load')} item={title} /> : null}
      {total === undefined && !error ? <Skeleton height={height} /> : null}
      {total === 0 ? <p className={styles.nothing}>{none}</p> : null}
      {children}
      {total !== undefined && total > limit && limit < MAX_LIMIT ? (
        <div className={styles.more}>
          <Button variant="link" onClick={() => onLimit(Math.min(limit + step, MAX_LIMIT))}>
            {t('common.showMore')}
          </Button>
        </div>
      ) : null}
    </Card>
  );
}
