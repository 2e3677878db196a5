import PDFDocument from 'pdfkit';
import { shownText } from './fonts.ts';
import { makeTextWriter, type TextWriter, type TextStyle } from './text-writer.ts';
import type { PdfColumn, PdfDocument, PdfTable } from './types.ts';

const PAGE = { width: 595.28, height: 841.89, margin: 44, foot: 64 };
const WIDTH = PAGE.width - 2 * PAGE.margin;
const BOTTOM = PAGE.height - PAGE.foot;
const INK = '#1c2024';
const MUTED = '#60646c';
const LINE = '#d9dce1';
const STYLES = {
  title: { size: 18, weight: 700, color: INK },
  heading: { size: 11.5, weight: 700, color: INK },
  label: { size: 8.5, weight: 400, color: MUTED },
  columns: { size: 8, weight: 700, color: MUTED },
  text: { size: 8.5, weight: 400, color: INK },
} satisfies Record<string, TextStyle>;
const LINE_HEIGHT = 1.4;
const GAP = 8;
const heightOf = (lines: number, { size }: TextStyle): number => lines * size * LINE_HEIGHT;

interface Sheet {
  doc: typeof PDFDocument.prototype;
  writer: TextWriter;
  y: number;
}

/** Begins another page where this much does not fit any more; answers whether it did. */
function makeRoom(sheet: Sheet, height: number): boolean {
  if (sheet.y + height <= BOTTOM) return false;
  sheet.doc.addPage();
  sheet.y = PAGE.margin;
  return true;
}

function rule({ doc, y }: Sheet): void {
  doc
    .moveTo(PAGE.margin, y)
    .lineTo(PAGE.margin + WIDTH, y)
    .lineWidth(0.5)
    .strokeColor(LINE)
    .stroke();
}

function writeLines(sheet: Sheet, lines: readonly string[], style: TextStyle): void {
  for (const line of lines) {
    sheet.writer.write(line, PAGE.margin, sheet.y, style);
    sheet.y += heightOf(1, style);
  }
}

interface Column {
  x: number;
  width: number;
  end: boolean;
}

function placesOf(columns: readonly PdfColumn[]): Column[] {
  const all = columns.reduce((sum, column) => sum + column.share, 0);
  let x = PAGE.margin;
  return columns.map((column) => {
    const width = (WIDTH * column.share) / all;
    const place = { x, width: width - GAP, end: column.align === 'end' };
    x += width;
    return place;
  });
}

function writeRow(sheet: Sheet, places: readonly Column[], cells: readonly string[][], style: TextStyle): void {
  for (const [index, { x, width, end }] of places.entries())
    for (const [line, text] of (cells[index] ?? []).entries())
      sheet.writer.write(text, end ? x + width : x, sheet.y + heightOf(line, style), { ...style, end });
  sheet.y += heightOf(Math.max(1, ...cells.map((lines) => lines.length)), style) + 3;
}

function drawTable(sheet: Sheet, { title, columns, rows, empty, note }: PdfTable): void {
  const { writer } = sheet;
  const { text, columns: headStyle, heading } = STYLES;
  const places = placesOf(columns);
  const fit = (cells: readonly string[], style: TextStyle): string[][] =>
    places.map(({ width }, index) => writer.linesOf(cells[index] ?? '', width, style));
  const head = fit(
    columns.map((column) => column.title),
    headStyle,
  );
  const drawHead = (): void => {
    writeRow(sheet, places, head, headStyle);
    rule(sheet);
    sheet.y += 4;
  };
  makeRoom(sheet, 80);
  writeLines(sheet, writer.linesOf(title, WIDTH, heading), heading);
  sheet.y += 4;
  if (rows.length === 0) writeLines(sheet, writer.linesOf(empty, WIDTH, STYLES.label), STYLES.label);
  else drawHead();
  for (const row of rows) {
    const cells = fit(row, text);
    if (makeRoom(sheet, heightOf(Math.max(...cells.map((lines) => lines.length)), text))) drawHead();
    writeRow(sheet, places, cells, text);
  }
  if (note !== undefined) {
    makeRoom(sheet, heightOf(2, STYLES.label));
    writeLines(sheet, writer.linesOf(note, WIDTH, STYLES.label), STYLES.label);
  }
  sheet.y += 18;
}

function drawTop(sheet: Sheet, { title, subtitle, facts }: PdfDocument): void {
  const { writer } = sheet;
  writeLines(sheet, writer.linesOf(title, WIDTH, STYLES.title), STYLES.title);
  writeLines(sheet, writer.linesOf(subtitle, WIDTH, STYLES.label), STYLES.label);
  sheet.y += 12;
  const places = placesOf([
    { title: '', share: 3 },
    { title: '', share: 2, align: 'end' },
  ]);
  for (const { label, value } of facts) {
    rule(sheet);
    sheet.y += 4;
    writeRow(sheet, places, [writer.linesOf(label, places[0]?.width ?? WIDTH, STYLES.text), [value]], STYLES.text);
  }
  rule(sheet);
  sheet.y += 24;
}

function drawFeet({ doc, writer }: Sheet, footer: string): void {
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    doc.switchToPage(page);
    const text = footer.replaceAll('{page}', String(page + 1)).replaceAll('{pages}', String(count));
    writer.write(text, PAGE.margin, PAGE.height - PAGE.foot / 2 - 4, STYLES.label);
  }
}

/** Draws a report on A4 pages. Keeps its thread busy for as long as that takes, so it runs in one of its own. */
export async function drawPdf(report: PdfDocument): Promise<Buffer<ArrayBuffer>> {
  const date = new Date(report.madeAt);
  const doc = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    bufferPages: true,
    // Nothing is written with the built-in font.
    font: '',
    lang: report.language,
    info: { Title: shownText(report.title), Creator: 'Canopy', Producer: 'Canopy', CreationDate: date, ModDate: date },
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => void chunks.push(chunk));
    doc.on('end', () => resolve());
    doc.on('error', reject);
  });
  const sheet: Sheet = { doc, writer: makeTextWriter(doc), y: PAGE.margin };
  drawTop(sheet, report);
  for (const table of report.tables) drawTable(sheet, table);
  drawFeet(sheet, report.footer);
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}
