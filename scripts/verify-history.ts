import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** What is wrong with an exported history; undefined when each line follows the one before it and the end is there. */
export function findBreak(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line !== '');
  let previous = '';
  for (const [index, line] of lines.entries()) {
    let record: { previous?: unknown; kind?: unknown; count?: unknown };
    try {
      record = JSON.parse(line);
    } catch {
      return `line ${index + 1} is no JSON`;
    }
    if (record.previous !== previous) return `line ${index + 1} does not follow the line before it`;
    previous = createHash('sha256').update(line).digest('hex');
    const isEnd = record.kind === 'end';
    if (isEnd && record.count !== index - 1) return `line ${index + 1} counts ${String(record.count)} entries, there are ${index - 1}`;
    if (isEnd !== (index === lines.length - 1)) return isEnd ? `there are lines after the end` : 'the end is missing';
  }
  return lines.length === 0 ? 'the file is empty' : undefined;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = process.argv[2];
  if (file === undefined) {
    console.error('node scripts/verify-history.ts <file>');
    process.exit(2);
  }
  const broken = findBreak(readFileSync(file, 'utf8'));
  console.log(broken ?? 'The chain is whole.');
  process.exit(broken === undefined ? 0 : 1);
}
