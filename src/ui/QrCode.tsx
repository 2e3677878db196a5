import QRCode from 'qrcode';
import { useMemo } from 'react';

interface QrCodeProps {
  text: string;
  label: string;
  className?: string;
}

/** A text as a QR code, drawn as one vector path. */
export function QrCode({ text, label, className }: QrCodeProps) {
  const { size, path } = useMemo(() => {
    const { modules } = QRCode.create(text, { errorCorrectionLevel: 'M' });
    const cells: string[] = [];
    for (let y = 0; y < modules.size; y += 1) {
      for (let x = 0; x < modules.size; x += 1) if (modules.get(y, x)) cells.push(`M${x} ${y}h1v1h-1z`);
    }
    return { size: modules.size, path: cells.join('') };
  }, [text]);
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" className={className}>
      <path d={path} fill="#000" />
    </svg>
  );
}
