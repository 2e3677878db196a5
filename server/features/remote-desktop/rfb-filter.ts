import { RemoteFault } from '../../domain/remote/ssh-client.ts';

/** What a parser wants of the bytes that come: some to look at, or some to hand on or leave out unseen; `give` is handed on. */
type Step = { take: number } | { pass: number } | { drop: number } | { give: Buffer };
type Parser = Generator<Step, never, Buffer>;

const NOTHING = Buffer.alloc(0);

/** Hands bytes on piece by piece, without what its parser leaves out. */
class ByteFilter {
  readonly #parser: Parser;
  #step: Step;
  /** Of what the step passes or drops. */
  #left = 0;
  #held = NOTHING;

  constructor(parser: Parser) {
    this.#parser = parser;
    this.#step = this.#next(NOTHING);
  }

  #next(taken: Buffer): Step {
    const step = this.#parser.next(taken).value;
    this.#left = 'pass' in step ? step.pass : 'drop' in step ? step.drop : 0;
    return step;
  }

  /** Throws RemoteFault for a message that is not known, behind which nothing can be told apart. */
  push(bytes: Buffer): Buffer {
    const given: Buffer[] = [];
    let rest = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    this.#held = NOTHING;
    for (;;) {
      if ('give' in this.#step) {
        given.push(this.#step.give);
        this.#step = this.#next(NOTHING);
      } else if ('take' in this.#step) {
        if (rest.length < this.#step.take) break;
        const taken = rest.subarray(0, this.#step.take);
        rest = rest.subarray(taken.length);
        this.#step = this.#next(taken);
      } else {
        const part = rest.subarray(0, this.#left);
        if ('pass' in this.#step && part.length > 0) given.push(part);
        rest = rest.subarray(part.length);
        this.#left -= part.length;
        if (this.#left > 0) break;
        this.#step = this.#next(NOTHING);
      }
    }
    this.#held = Buffer.from(rest);
    return Buffer.concat(given);
  }
}

/** What both directions have to know of each other. */
interface Shared {
  bytesPerPixel: number;
  hasPicture: boolean;
}

const unknown = (what: string, type: number): RemoteFault => new RemoteFault('protocol', `The ${what} ${type} is not known here.`);

const RAW = 0;
const COPY_RECT = 1;
const ZRLE = 16;
const DESKTOP_SIZE = -223;
const LAST_RECT = -224;
const CURSOR = -239;
const QEMU_KEYS = -258;
const DESKTOP_NAME = -307;
const DESKTOP_SIZES = -308;
const FENCE = -312;
const CONTINUOUS = -313;
/** Those whose length is known without drawing them; the clipboard's own (0xC0A1E5CE) is not among them. */
const ENCODINGS = new Set([
  ...[RAW, COPY_RECT, ZRLE, DESKTOP_SIZE, LAST_RECT, CURSOR, QEMU_KEYS],
  ...[DESKTOP_NAME, DESKTOP_SIZES, FENCE, CONTINUOUS],
]);

/** Fixed lengths behind the type, by type: FramebufferUpdateRequest, KeyEvent, PointerEvent, EnableContinuousUpdates, xvp. */
const FIXED_OF_CLIENT: Readonly<Record<number, number>> = { 3: 9, 4: 7, 5: 5, 150: 9, 250: 3 };

const BITS_PER_PIXEL: ReadonlySet<number> = new Set([8, 16, 32]);

/** The bytes of a pixel (RFC 6143 7.4). Throws RemoteFault for other sizes: a length that is no whole number would never be reached, and all that comes be held. */
function bytesOfPixel(bits = 0): number {
  if (!BITS_PER_PIXEL.has(bits)) throw unknown('pixel size', bits);
  return bits / 8;
}

function* pass(head: Buffer, more: number): Generator<Step, void, Buffer> {
  yield { give: Buffer.from(head) };
  yield { pass: more };
}

/** From ClientInit on (RFC 6143 7.5, and the extensions that the RFB community documents). */
function* fromBrowser(shared: Shared): Parser {
  yield { pass: 1 };
  for (;;) {
    const first = Buffer.from(yield { take: 1 });
    const [type = 0] = first;
    const fixed = FIXED_OF_CLIENT[type];
    if (fixed !== undefined) yield* pass(first, fixed);
    else if (type === 0) {
      const format = Buffer.from(yield { take: 19 });
      // A picture that was asked for before would be measured by the wrong size.
      if (shared.hasPicture) throw unknown('change of pixels', type);
      shared.bytesPerPixel = bytesOfPixel(format[3]);
      yield { give: Buffer.concat([first, format]) };
    } else if (type === 2) {
      const count = Buffer.from(yield { take: 3 }).readUInt16BE(1);
      const list = Buffer.from(yield { take: count * 4 });
      const kept = Array.from({ length: count }, (_, index) => list.readInt32BE(index * 4)).filter((one) => ENCODINGS.has(one));
      const message = Buffer.alloc(4 + kept.length * 4);
      message[0] = type;
      message.writeUInt16BE(kept.length, 2);
      kept.forEach((one, index) => message.writeInt32BE(one, 4 + index * 4));
      yield { give: message };
    } else if (type === 6) {
      // Negative for the extended clipboard.
      yield { drop: Math.abs(Buffer.from(yield { take: 7 }).readInt32BE(3)) };
    } else if (type === 248) {
      const head = Buffer.from(yield { take: 8 });
      yield* pass(Buffer.concat([first, head]), head[7] ?? 0);
    } else if (type === 251) {
      const head = Buffer.from(yield { take: 7 });
      yield* pass(Buffer.concat([first, head]), (head[5] ?? 0) * 16);
    } else if (type === 255) {
      const kind = Buffer.from(yield { take: 1 });
      if (kind[0] !== 0) throw unknown('message 255', kind[0] ?? 0);
      yield* pass(Buffer.concat([first, kind]), 10);
    } else throw unknown('message', type);
  }
}

/** How many bytes follow the head of a rectangle, or how many more have to be looked at to know. */
function lengthOf(encoding: number, { width, height }: { width: number; height: number }, { bytesPerPixel }: Shared): number | 'counted' {
  if (encoding === RAW) return width * height * bytesPerPixel;
  if (encoding === COPY_RECT) return 4;
  if (encoding === CURSOR) return width * height * bytesPerPixel + Math.ceil(width / 8) * height;
  if (encoding === DESKTOP_SIZE || encoding === LAST_RECT || encoding === QEMU_KEYS) return 0;
  if (encoding === ZRLE || encoding === DESKTOP_NAME) return 'counted';
  throw unknown('encoding', encoding);
}

function* rectangles(count: number, shared: Shared): Generator<Step, void, Buffer> {
  for (let done = 0; done < count; done += 1) {
    const head = Buffer.from(yield { take: 12 });
    const encoding = head.readInt32BE(8);
    yield { give: head };
    if (encoding === DESKTOP_SIZES) {
      const screens = Buffer.from(yield { take: 4 });
      yield* pass(screens, (screens[0] ?? 0) * 16);
    } else {
      const length = lengthOf(encoding, { width: head.readUInt16BE(4), height: head.readUInt16BE(6) }, shared);
      if (length !== 'counted') yield { pass: length };
      else {
        const counted = Buffer.from(yield { take: 4 });
        yield* pass(counted, counted.readUInt32BE(0));
      }
    }
    if (encoding === LAST_RECT) return;
  }
}

/** From ServerInit on. */
function* fromDesktop(shared: Shared): Parser {
  const init = Buffer.from(yield { take: 24 });
  shared.bytesPerPixel = bytesOfPixel(init[4]);
  yield* pass(init, init.readUInt32BE(20));
  for (;;) {
    const first = Buffer.from(yield { take: 1 });
    const [type = 0] = first;
    if (type === 0) {
      const head = Buffer.from(yield { take: 3 });
      shared.hasPicture = true;
      yield { give: Buffer.concat([first, head]) };
      yield* rectangles(head.readUInt16BE(1), shared);
    } else if (type === 1) {
      const head = Buffer.from(yield { take: 5 });
      yield* pass(Buffer.concat([first, head]), head.readUInt16BE(3) * 6);
    } else if (type === 2 || type === 150) yield { give: first };
    else if (type === 3) yield { drop: Math.abs(Buffer.from(yield { take: 7 }).readInt32BE(3)) };
    else if (type === 248) {
      const head = Buffer.from(yield { take: 8 });
      yield* pass(Buffer.concat([first, head]), head[7] ?? 0);
    } else if (type === 250) yield* pass(first, 3);
    else throw unknown('message', type);
  }
}

/** Both directions of a VNC desktop without its clipboard, from ClientInit and ServerInit on. */
export function withoutClipboard(): { fromBrowser(bytes: Buffer): Buffer; fromDesktop(bytes: Buffer): Buffer } {
  const shared: Shared = { bytesPerPixel: 4, hasPicture: false };
  const [browser, desktop] = [new ByteFilter(fromBrowser(shared)), new ByteFilter(fromDesktop(shared))];
  return { fromBrowser: (bytes) => browser.push(bytes), fromDesktop: (bytes) => desktop.push(bytes) };
}
