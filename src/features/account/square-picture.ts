/** Pixels of each side; the largest avatar on a page is 64, on dense screens three times that. */
const SIDE = 256;
const QUALITY = 0.9;

/** The middle of a picture as a square of 256 pixels, without the file's metadata (position, camera). Throws Error for what is no picture. */
export async function squarePicture(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file);
  try {
    const side = Math.min(picture.width, picture.height);
    const canvas = document.createElement('canvas');
    canvas.width = SIDE;
    canvas.height = SIDE;
    const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2];
    canvas.getContext('2d')?.drawImage(picture, left, top, side, side, 0, 0, SIDE, SIDE);
    // Browsers that write no WebP answer a PNG.
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', QUALITY));
    if (!blob) throw new Error('The picture could not be drawn.');
    return blob;
  } finally {
    picture.close();
  }
}
