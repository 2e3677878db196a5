import { lazy, Suspense } from 'react';
import styles from './QrCode.module.css';
import { cx } from './cx.ts';

const QRCode = lazy(() => import('antd/es/qr-code'));

interface QrCodeProps {
  text: string;
  label: string;
  className?: string;
}

/** A text as a QR code. */
export function QrCode({ text, label, className }: QrCodeProps) {
  return (
    <div className={cx(styles.code, className)}>
      <Suspense fallback={null}>
        {/* Black on white in dark mode as well: scanners expect it. */}
        <QRCode value={text} aria-label={label} type="svg" color="#000" bgColor="#fff" bordered={false} errorLevel="M" />
      </Suspense>
    </div>
  );
}
