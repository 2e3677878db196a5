import sharp from 'sharp';
import { InvalidFields } from '../../kernel/errors.ts';

const MOST_PIXELS = 40_000_000;
const MOST_SIDE = 2560;
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

function refuse(key: 'not_image' | 'too_large'): never {
  const message = key === 'not_image' ? 'This is not a PNG or JPEG image.' : `An image has ${MOST_PIXELS / 1e6} megapixels at most.`;
  throw new InvalidFields([{ source: 'image', message, params: { key: `forms.images.new.${key}`, megapixels: MOST_PIXELS / 1e6 } }]);
}

/**
 * An uploaded PNG or JPEG, written once more: turned as its camera says, at most 2,560 pixels a side, without what a camera writes into it, with a
 * thumbnail of at most 320. Throws INVALID_FIELD at `image` for anything else, and for more than 40 megapixels, which are never unpacked.
 */
export async function drawImage(path: string): Promise<DrawnImage> {
  const options = { limitInputPixels: MOST_PIXELS, failOn: 'error' } as const;
  const found = await sharp(path, { ...options, limitInputPixels: false })
    .metadata()
    .catch(() => refuse('not_image'));
  const { format, autoOrient } = found;
  if (format !== 'png' && format !== 'jpeg') return refuse('not_image');
  if (found.width * found.height > MOST_PIXELS) return refuse('too_large');
  const within = (side: number): Promise<Buffer> =>
    sharp(path, options)
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toFormat(format)
      .toBuffer()
      .catch(() => refuse('not_image'));
  const bytes = await within(MOST_SIDE);
  return { type: `image/${format}`, width: autoOrient.width, height: autoOrient.height, bytes, thumbnail: await within(THUMBNAIL_SIDE) };
}
