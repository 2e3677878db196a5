import type PDFDocument from 'pdfkit';
import { fileOf, runsOf, type TextRun, type Weight } from './fonts.ts';

export interface TextStyle {
  size: number;
  weight: Weight;
  color: string;
}

/** Writes single lines of any characters on the pages of a document, and breaks texts into them. */
export interface TextWriter {
  widthOf(text: string, style: TextStyle): number;
  /** At most `most` lines that fit the width; the last one ends with … where the text goes on. */
  linesOf(text: string, width: number, style: TextStyle, most?: number): string[];
  /** One line with its upper left corner there; with `end` its upper right one. */
  write(text: string, x: number, y: number, style: TextStyle & { end?: boolean }): void;
}

const MOST_LINES = 4;
const words = new Intl.Segmenter(undefined, { granularity: 'word' });
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** A writer for this document, which reads pieces of fonts as they are needed. */
export function makeTextWriter(doc: typeof PDFDocument.prototype): TextWriter {
  const registered = new Set<string>();
  const take = ({ piece }: TextRun, { size, weight }: TextStyle): void => {
    const name = `${piece}-${weight}`;
    if (!registered.has(name)) doc.registerFont(name, fileOf(piece, weight));
    registered.add(name);
    doc.font(name).fontSize(size);
  };
  // Rows of a report say much the same repeatedly.
  const widths = new Map<string, number>();
  const widthOfRun = (run: TextRun, style: TextStyle): number => {
    const key = `${style.size} ${style.weight} ${run.piece} ${run.text}`;
    const kept = widths.get(key);
    if (kept !== undefined) return kept;
    take(run, style);
    const width = doc.widthOfString(run.text);
    widths.set(key, width);
    return width;
  };
  const widthOf = (text: string, style: TextStyle): number => runsOf(text).reduce((sum, run) => sum + widthOfRun(run, style), 0);

  /** Words, and the characters of those that are wider than a line. */
  const partsOf = (text: string, width: number, style: TextStyle): string[] =>
    [...words.segment(text)].flatMap(({ segment }) =>
      widthOf(segment, style) <= width ? [segment] : [...graphemes.segment(segment)].map((part) => part.segment),
    );

  const shorten = (line: string, width: number, style: TextStyle): string => {
    const left = [...graphemes.segment(line.trimEnd())].map((part) => part.segment);
    while (left.length > 0 && widthOf(`${left.join('')}…`, style) > width) left.pop();
    return `${left.join('')}…`;
  };

  return {
    widthOf,
    linesOf(text, width, style, most = MOST_LINES) {
      if (widthOf(text, style) <= width) return [text];
      const lines = [''];
      for (const part of partsOf(text, width, style)) {
        const line = lines.at(-1) ?? '';
        if (widthOf(line + part.trimEnd(), style) <= width) lines[lines.length - 1] = line + part;
        else if (lines.length === most) return [...lines.slice(0, -1), shorten(line + part, width, style)];
        else lines.push(part.trimStart());
      }
      return lines;
    },
    write(text, x, y, { end, ...style }) {
      let at = end ? x - widthOf(text, style) : x;
      doc.fillColor(style.color);
      for (const run of runsOf(text)) {
        take(run, style);
        doc.text(run.text, at, y, { lineBreak: false });
        at += widthOfRun(run, style);
      }
    },
  };
}
