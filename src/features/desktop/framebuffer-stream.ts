/** A recording of a desktop: a framebuffer stream (FBS 001.000), as the server keeps it. */
export interface FramebufferStream {
  /** Seconds from the start, and what the desktop sent then. */
  blocks: readonly { at: number; bytes: Uint8Array<ArrayBuffer> }[];
  seconds: number;
  /** It ends before the session did. */
  isFull: boolean;
}

const HEAD = 'FBS 001.000\n';
const FRAME_BYTES = 8;
const ALIGNMENT = 4;

/** Reads a recording; undefined when it is none. A last block that was cut off is left out. */
export function parseFramebufferStream(data: ArrayBuffer): FramebufferStream | undefined {
  if (new TextDecoder('latin1').decode(data.slice(0, HEAD.length)) !== HEAD) return undefined;
  const view = new DataView(data);
  const blocks: FramebufferStream['blocks'][number][] = [];
  let isFull = false;
  let offset = HEAD.length;
  while (!isFull && offset + FRAME_BYTES <= data.byteLength) {
    const length = view.getUint32(offset);
    const end = offset + FRAME_BYTES + Math.ceil(length / ALIGNMENT) * ALIGNMENT;
    if (end > data.byteLength) break;
    if (length === 0) isFull = true;
    else blocks.push({ at: view.getUint32(end - 4) / 1000, bytes: new Uint8Array(data, offset + 4, length) });
    offset = end;
  }
  return { blocks, seconds: blocks.at(-1)?.at ?? 0, isFull };
}
