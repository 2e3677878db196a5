import { createHash } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';

/** Where the file of a command is, and who asks for it. */
export interface FileAddress {
  /** The server, for example `http://127.0.0.1:8080`. */
  url: string;
  commandId: string;
  key: string;
  password: string;
}

const IDLE_SECONDS = 60;
const BOUNDARY = 'canopy-fleet-file';

function call(
  { url, commandId, key, password }: FileAddress,
  method: 'GET' | 'POST',
  headers: Record<string, string | number>,
): http.ClientRequest {
  const address = new URL(`/api/device-files/${commandId}`, url);
  const send = address.protocol === 'https:' ? https.request : http.request;
  const authorization = `Basic ${Buffer.from(`${key}:${password}`).toString('base64')}`;
  const request = send(address, { method, headers: { authorization, ...headers }, timeout: IDLE_SECONDS * 1000 });
  return request.on('timeout', () => request.destroy(new Error('timeout')));
}

/** What came of a download: its content is hashed as it passes, and kept only where it is asked for. */
export interface Download {
  bytes: number;
  sha256: string;
  content: Buffer;
}

/** Gets the file of a command. `stopAt`: breaks off behind so many bytes, as a power cut would. Throws in words. */
export async function download(address: FileAddress, { keeps = 0, stopAt = Infinity } = {}): Promise<Download> {
  return await new Promise((resolve, reject) => {
    const request = call(address, 'GET', {});
    request.on('error', (error) => reject(new Error(`The file could not be fetched: ${error.message}`)));
    request.on('response', (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        return reject(new Error(`The server does not give the file: HTTP ${response.statusCode}`));
      }
      const hash = createHash('sha256');
      const kept: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        hash.update(chunk);
        if (bytes <= keeps) kept.push(chunk);
        if (bytes < stopAt) return;
        reject(new Error('The file could not be fetched: the power went away'));
        // @NOTE Without the error: the socket of a small file is the pool's again by now, where nobody listens for one.
        request.destroy();
      });
      response.on('end', () => resolve({ bytes, sha256: hash.digest('hex'), content: Buffer.concat(kept) }));
      response.on('error', (error) => reject(new Error(`The file could not be fetched: ${error.message}`)));
    });
    request.end();
  });
}

/** Gives the server the file of a command. Throws in words. */
export async function upload(address: FileAddress, content: Buffer): Promise<void> {
  const head = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="file"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  await new Promise<void>((resolve, reject) => {
    const request = call(address, 'POST', { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': body.length });
    request.on('error', (error) => reject(new Error(`The server did not take the file: ${error.message}`)));
    request.on('response', (response) => {
      response.resume();
      if (response.statusCode === 200) resolve();
      else reject(new Error(`The server did not take the file: HTTP ${response.statusCode}`));
    });
    request.end(body);
  });
}
