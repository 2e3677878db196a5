import sharp, { type Metadata } from 'sharp';
import { serveHelper } from '../../kernel/costly/serve-helper.ts';
import { InvalidFields } from '../../kernel/errors.ts';

const MEGA = 1e6;
/** What an image may take unpacked: 40 megapixels of eight bits, 20 of sixteen. */
const MAX_BYTES = 160 * MEGA;
const MAX_PIXELS = 40 * MEGA;
const MAX_CHANNELS = 4;
/** Interlaced images are unpacked as a whole, in many passes: a hundred times dearer than others of their size. */
const MAX_INTERLACED_PIXELS = { png: 4 * MEGA, jpeg: 12 * MEGA };
const MAX_SIDE = 2560;
const THUMBNAIL_SIDE = 320;

// Everything else that the library can read stays closed: an upload is hostile, and PNG and JPEG are what the public API documents.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadPngFile', 'VipsForeignLoadJpegFile', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadJpegBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

export interface DrawnImage {
  type: 'image/png' | 'image/jpeg';
  /** Pixels of the upload. */
  width: number;
  height: number;
  bytes: Buffer;
  thumbnail: Buffer;
}

type Refusal = { key: 'not_image'; megapixels?: never } | { key: 'too_large' | 'interlaced'; megapixels: number };

function refuse({ key, megapixels = 0 }: Refusal): never {
  const messages = {
    not_image: 'This is not a PNG or JPEG image.',
    too_large: `An image has ${megapixels} megapixels at most.`,
    interlaced: `An interlaced (progressive) image has ${megapixels} megapixels at most. Save it without interlacing.`,
  };
  throw new InvalidFields([{ source: 'image', message: messages[key], params: { key: `forms.images.new.${key}`, megapixels } }]);
}

function requireFormat({ format }: Metadata): 'png' | 'jpeg' {
  return format === 'png' || format === 'jpeg' ? format : refuse({ key: 'not_image' });
}

function assertAffordable({ width, height, depth, isProgressive }: Metadata, format: 'png' | 'jpeg'): void {
  const maxPixels = depth === 'uchar' ? MAX_PIXELS : MAX_BYTES / MAX_CHANNELS / 2;
  if (width * height > maxPixels) refuse({ key: 'too_large', megapixels: maxPixels / MEGA });
  const maxInterlaced = MAX_INTERLACED_PIXELS[format];
  if (isProgressive && width * height > maxInterlaced) refuse({ key: 'interlaced', megapixels: maxInterlaced / MEGA });
}

/**
 * An uploaded PNG or JPEG, written once more: turned as its camera says, at most 2,560 pixels a side, without what a camera writes into it, with a
 * thumbnail of at most 320. Throws INVALID_FIELD at `image` for anything else, and for what is too large, which is never unpacked.
 */
async function drawImage(path: string): Promise<DrawnImage> {
  const found = await sharp(path, { failOn: 'error', limitInputPixels: false })
    .metadata()
    .catch(() => refuse({ key: 'not_image' }));
  const format = requireFormat(found);
  assertAffordable(found, format);
  const within = (input: string | Buffer, side: number): Promise<Buffer> =>
    sharp(input, { failOn: 'error', limitInputPixels: MAX_PIXELS })
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toFormat(format)
      .toBuffer()
      .catch(() => refuse({ key: 'not_image' }));
  const bytes = await within(path, MAX_SIDE);
  const { width, height } = found.autoOrient;
  return { type: `image/${format}`, width, height, bytes, thumbnail: await within(bytes, THUMBNAIL_SIDE) };
}

serveHelper(drawImage);
