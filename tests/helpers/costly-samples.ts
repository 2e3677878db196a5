import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { DAY } from '../../server/kernel/clock.ts';
import { makeDevice, type Place } from './factories.ts';

const TWO_DIGITS = 2;
const clock = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(TWO_DIGITS, '0')).join(':');

/** A rule of ten branches that looks at a device some four hundred times a day, with `count` conditions at each. */
export function dearConditions(count: number): object[] {
  const branches = 10;
  const each = count / branches;
  return Array.from({ length: branches }, (_branch, branch) => ({
    type: 'if',
    expression: Array.from({ length: each }, (_condition, index) => {
      const start = 7 * (branch * each + index);
      const isName = branch === 0 && index === 0;
      return isName
        ? { parameter: 'hostname', operator: '!=', value: 'x', joins_with: '&&' }
        : { parameter: 'time', operator: 'between', value: `${clock(start)}-${clock(start + 3)}`, joins_with: '||' };
    }),
    actions: [{ name: 'RaiseAlert', options: { severity: 'warning' } }],
  }));
}

/** Devices of which it is kept how they are named, which is enough to test a rule by the clock. */
export async function makeNamedDevices(place: Place, company: { id: number }, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const device = await makeDevice(place, { company });
    const at = place.ctx.clock.now() - 40 * DAY;
    await place.ctx.db.insertInto('device_states').values({ device_id: device.id, name: 'hostname', at, value: 'router' }).execute();
  }
}

/** A tar.gz with these files. */
export function packArchive(files: ReadonlyMap<string, Buffer>): Buffer {
  const BLOCK = 512;
  const blocks: Buffer[] = [];
  for (const [name, content] of files) {
    const header = Buffer.alloc(BLOCK);
    header.write(name, 0);
    header.write(content.length.toString(8).padStart(11, '0'), 124);
    header.write('0', 156);
    header.write('ustar\u000000', 257);
    blocks.push(header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK));
  }
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]));
}

/** Two archives with as many texts as may be unpacked, of which each differs in `changes` lines. */
export function dearArchives(texts = 120, changes = 450): [Buffer, Buffer] {
  const TEXT_BYTES = 512 * 1024;
  const lines = Array.from({ length: TEXT_BYTES / 16 }, (_line, index) => `option ${String(index).padStart(8, '0')}`);
  const first = Buffer.from(`${lines.join('\n')}\n`.slice(0, TEXT_BYTES));
  const step = Math.floor(lines.length / changes);
  const second = Buffer.from(
    `${lines.map((line, index) => (index % step === 0 ? line.replace('option', 'change') : line)).join('\n')}\n`.slice(0, TEXT_BYTES),
  );
  const files = (content: Buffer) => new Map(Array.from({ length: texts }, (_text, index) => [`etc/config/${index}`, content]));
  return [packArchive(files(first)), packArchive(files(second))];
}

/** A PNG of one colour. */
export function plainPicture(
  side: number,
  { isInterlaced = false, bits = 8 }: { isInterlaced?: boolean; bits?: 8 | 16 } = {},
): Promise<Buffer> {
  const image = sharp({
    create: { width: side, height: side, channels: 4, background: { r: 9, g: 88, b: 217, alpha: 0.5 } },
    limitInputPixels: false,
  });
  return (bits === 16 ? image.toColourspace('rgb16') : image).png({ progressive: isInterlaced, compressionLevel: 9 }).toBuffer();
}
