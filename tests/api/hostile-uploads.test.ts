import { request as openRequest } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeTree } from '../helpers/factories.ts';
import { download, namesBelow, upload } from '../helpers/files.ts';
import { filePart, multipartBody, multipartHeaders, sendParts, type Part } from '../helpers/multipart.ts';
import { makeWorld } from '../helpers/world.ts';

const world = await makeWorld({ listen: true });
const { top } = await makeTree(world);
const admin = await as(world, 'admin', { company: top });
afterAll(() => world[Symbol.asyncDispose]());

const MEGABYTE = 1024 * 1024;
const fields: Part[] = [
  { name: 'company_id', text: String(top.id) },
  { name: 'type', text: 'config' },
];
const kept = () => [...namesBelow(world, 'files'), ...namesBelow(world, 'uploads')];
const NOTHING_KEPT = kept();

/** Sends a body in chunks, without saying how long it is, as long as it is read; answers the status. */
function sendChunks(path: string, headers: Record<string, string>, chunks: Iterable<Buffer>): Promise<number | undefined> {
  return new Promise((resolve) => {
    const call = openRequest(`${world.url}/api${path}`, { method: 'POST', headers }, (answer) => {
      body.destroy();
      answer.resume();
      resolve(answer.statusCode);
      call.destroy();
    });
    // The server hangs up on who goes on sending.
    call.on('error', () => resolve(undefined));
    const body = Readable.from(chunks).on('error', () => undefined);
    body.pipe(call);
  });
}

function* endless(head: Buffer): Generator<Buffer> {
  yield head;
  const chunk = Buffer.alloc(MEGABYTE, 'x');
  // Far beyond every limit, so that a server that reads on is distinguished from one that stops.
  for (let count = 0; count < 400; count += 1) yield chunk;
}

describe('how much is sent [IN4]', () => {
  const head = multipartBody([...fields, filePart('', 'ferry.cfg')]);
  const untilContent = head.subarray(0, head.lastIndexOf('\r\n--'));

  test('a file of one byte more than 80 MB is refused at its field, and nothing of it stays [IN4]', async () => {
    const answer = await upload(world, admin, top, Buffer.alloc(80 * MEGABYTE + 1));
    expect(answer).toMatchObject({ status: 413, codes: ['FILE_TOO_LARGE'], errors: [{ source: 'file', params: { size: '80 MB' } }] });
    expect(kept()).toEqual(NOTHING_KEPT);
  });

  test('so is one that comes in chunks and never says how long it is [IN4]', async () => {
    expect(await sendChunks('/files', multipartHeaders(admin.headers), endless(untilContent))).toBe(413);
    expect(kept()).toEqual(NOTHING_KEPT);
  });

  test('JSON that comes in chunks ends at its limit too [IN4]', async () => {
    const headers = { ...admin.headers, 'content-type': 'application/json' };
    expect(await sendChunks('/tags', headers, endless(Buffer.from('{"name":"')))).toBe(413);
  });

  test('many texts are no way around the limit of one [IN4]', async () => {
    const texts = Array.from({ length: 12 }, (_, index) => ({ name: `text${index}`, text: 'x'.repeat(100_000) }));
    expect(await sendParts(world, admin, '/files', [...fields, ...texts])).toMatchObject({ status: 413, codes: ['BODY_TOO_LARGE'] });
  });

  test.each<[string, Part[]]>([
    ['ten thousand texts', Array.from({ length: 10_000 }, (_, index) => ({ name: `x${index}`, text: '1' }))],
    ['ten thousand files', Array.from({ length: 10_000 }, () => filePart('x', 'a.cfg'))],
    ['a file in a field that takes none', [{ name: 'other', text: 'x', fileName: 'a.cfg' }]],
    ['two files where there is one', [filePart('x', 'a.cfg'), filePart('y', 'b.cfg')]],
    ['a field name of a megabyte', [{ name: 'x'.repeat(MEGABYTE), text: '1' }]],
    ['a field name of 300 characters', [{ name: 'x'.repeat(300), text: '1' }]],
    ['names of prototypes', [{ name: '__proto__[polluted]', text: '1' }]],
    ['names of constructors', [{ name: 'description[constructor]', text: '1' }]],
    ['a name that nests very deep', [{ name: `a${'[b]'.repeat(50)}`, text: '1' }]],
    ['a list with a billion places', [{ name: 'tags[999999999]', text: '1' }]],
  ])('%s: refused, and nothing stays [IN4]', async (_what, parts) => {
    const answer = await sendParts(world, admin, '/files', [...fields, ...parts]);
    expect([400, 413]).toContain(answer.status);
    expect(kept()).toEqual(NOTHING_KEPT);
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  test.each([
    ['without an end', Buffer.from('--canopy-test\r\ncontent-disposition: form-data; name="type"\r\n\r\nconfig')],
    ['without a name', Buffer.from('--canopy-test\r\ncontent-disposition: form-data\r\n\r\nx\r\n--canopy-test--\r\n')],
    ['with a header of a megabyte', Buffer.from(`--canopy-test\r\nx: ${'x'.repeat(MEGABYTE)}\r\n\r\nx\r\n--canopy-test--\r\n`)],
    [
      'with parts within a part',
      Buffer.from(
        '--canopy-test\r\ncontent-disposition: form-data; name="file"\r\ncontent-type: multipart/mixed; boundary=inner\r\n\r\n' +
          '--inner\r\ncontent-disposition: attachment; filename="a.cfg"\r\n\r\nx\r\n--inner--\r\n--canopy-test--\r\n',
      ),
    ],
    ['with nothing in it', Buffer.from('--canopy-test--\r\n')],
  ])('parts %s make no file [IN4]', async (_what, body) => {
    const answer = await admin.post('/files', body, multipartHeaders({}));
    expect(answer.status).toBe(400);
    expect(kept()).toEqual(NOTHING_KEPT);
  });
});

describe('what a file is called [IN4]', () => {
  test.each([
    ['..\\..\\evil.cfg', 'evil.cfg'],
    ['C:\\windows\\evil.cfg', 'evil.cfg'],
    ['/etc/evil.cfg', 'evil.cfg'],
    ['%2e%2e%2fevil.cfg', '%2e%2e%2fevil.cfg'],
    ['..%5cevil.cfg', '..%5cevil.cfg'],
    ['evil.php.cfg', 'evil.php.cfg'],
    ['CON', 'CON'],
    ['nul.cfg', 'nul.cfg'],
    ['.htaccess', '.htaccess'],
    ['A\u030Alesund.cfg', '\u00C5lesund.cfg'],
    ['e\u0301'.repeat(200), '\u00E9'.repeat(200)],
    ['=cmd()', '=cmd()'],
  ])('%j is kept as the text %j, and the bytes under a name of ours [IN4]', async (given, name) => {
    const made = await upload(world, admin, top, 'x', given);
    expect(made.status).toBe(201);
    const { data } = await admin.get(`/files/${made.data.id}`);
    expect(data.name).toBe(name);
    expect(namesBelow(world, 'files').every((one) => /^[0-9a-f-]{36}$/.test(one))).toBe(true);
    const { headers } = await download(world, admin, `/files/${made.data.id}/download`);
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(String(headers['content-disposition'])).toMatch(/^attachment; filename="[^"\\/]+"/);
    expect((await admin.post('/files/remove', { files: [made.data.id] })).status).toBe(200);
  });

  test.each(['a\0.cfg', 'x'.repeat(300), '', '.', '...\u202Egpj.exe'])('%j is refused [IN4]', async (name) => {
    expect((await upload(world, admin, top, 'x', name)).status).toBe(400);
    expect(kept()).toEqual(NOTHING_KEPT);
  });

  test('a second ending makes nothing a firmware [IN4]', async () => {
    for (const name of ['firmware.bin.exe', 'firmware.bin.', 'firmware.bin%00.exe', 'firmware.bin;.exe'])
      expect([name, (await upload(world, admin, top, 'x', name, 'firmware')).codes]).toEqual([name, ['FILE_KIND']]);
    expect(kept()).toEqual(NOTHING_KEPT);
  });
});
