import { useEffect, useRef, useState } from 'react';
import { useT } from '../../../../kernel/i18n/index.ts';
import { Button } from '../../../../ui/index.ts';
import { scannedLine } from './scanned-line.ts';
import styles from '../theme.module.css';

const SCAN_MS = 250;

interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
type DetectorClass = new () => Detector;

/** The browser's own reader of QR codes and barcodes; most desktop browsers have none. */
function detectorClass(): DetectorClass | undefined {
  const found: unknown = Reflect.get(globalThis, 'BarcodeDetector');
  return typeof found === 'function' && 'mediaDevices' in navigator ? (found as DetectorClass) : undefined;
}

/** Adds a line for each code that the camera sees, where the browser can read codes; else nothing. */
export function CodeScanner({ onLines }: { onLines: (lines: readonly string[]) => void }) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const Detector = detectorClass();
  if (!Detector) return null;
  return (
    <div className={styles.scanner}>
      <Button
        size="small"
        aria-expanded={isOpen}
        onClick={() => {
          setFailed(false);
          setOpen(!isOpen);
        }}
      >
        {t(isOpen ? 'form.scan.stop' : 'form.scan.start')}
      </Button>
      {hasFailed ? <p role="alert">{t('form.scan.failed')}</p> : null}
      {isOpen ? (
        <Camera
          Detector={Detector}
          onLines={onLines}
          onFailure={() => {
            setFailed(true);
            setOpen(false);
          }}
        />
      ) : null}
    </div>
  );
}

interface CameraProps {
  Detector: DetectorClass;
  onLines: (lines: readonly string[]) => void;
  onFailure: () => void;
}

function Camera({ Detector, onLines, onFailure }: CameraProps) {
  const t = useT();
  const video = useRef<HTMLVideoElement>(null);
  const [last, setLast] = useState('');
  const call = useRef({ onLines, onFailure });
  useEffect(() => {
    call.current = { onLines, onFailure };
  });
  useEffect(() => {
    const seen = new Set<string>();
    const detector = new Detector();
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    async function scan(): Promise<void> {
      if (isOver || !video.current) return;
      // A picture that cannot be read is followed by the next one.
      const codes = await detector.detect(video.current).catch(() => []);
      const fresh = codes.map(({ rawValue }) => rawValue).filter((code) => code !== '' && !seen.has(code));
      for (const code of fresh) seen.add(code);
      const lines = [...new Set(fresh)].map(scannedLine);
      if (!isOver && lines.length > 0) {
        setLast(lines.join(' · '));
        call.current.onLines(lines);
      }
      timer = setTimeout(() => void scan(), SCAN_MS);
    }
    async function open(): Promise<void> {
      try {
        stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
        if (isOver || !video.current) {
          for (const track of stream.getTracks()) track.stop();
          return;
        }
        video.current.srcObject = stream;
        await video.current.play();
        await scan();
      } catch {
        if (!isOver) call.current.onFailure();
      }
    }
    void open();
    return () => {
      isOver = true;
      clearTimeout(timer);
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
  }, [Detector]);
  return (
    <>
      <video ref={video} className={styles.camera} muted playsInline aria-label={t('form.scan.picture')} />
      <p role="status">{last === '' ? t('form.scan.hint') : t('form.scan.added', { line: last })}</p>
    </>
  );
}
