const MAX_LENGTH_BYTES = 4;

/**
 * Follows the MQTT packets in a byte stream by their fixed headers (MQTT 3.1.1, section 2.2) and says when one announces
 * more than `maxBytes`, before anybody stores it. Returns a function to feed each chunk to; false means: end the connection.
 */
export function createFrameGuard(maxBytes: number): (chunk: Uint8Array) => boolean {
  let skip = 0;
  let lengthBytes = -1;
  let length = 0;
  return (chunk) => {
    let index = 0;
    while (index < chunk.length) {
      if (skip > 0) {
        const step = Math.min(skip, chunk.length - index);
        skip -= step;
        index += step;
        continue;
      }
      const byte = chunk[index] ?? 0;
      index += 1;
      if (lengthBytes < 0) {
        lengthBytes = 0;
        length = 0;
        continue;
      }
      length += (byte & 0x7f) * 128 ** lengthBytes;
      lengthBytes += 1;
      if (length > maxBytes || (byte >= 0x80 && lengthBytes === MAX_LENGTH_BYTES)) return false;
      if (byte < 0x80) {
        skip = length;
        lengthBytes = -1;
      }
    }
    return true;
  };
}
