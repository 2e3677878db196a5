import { parentPort } from 'node:worker_threads';
import { drawPdf } from './draw.ts';
import type { PdfDocument } from './types.ts';

parentPort?.on('message', (report: PdfDocument) => {
  void drawPdf(report).then((file) => parentPort?.postMessage(new Uint8Array(file)));
});
