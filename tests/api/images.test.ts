import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { as, type Answer, type Caller } from '../helpers/as.ts';
import { makeCompany } from '../helpers/factories.ts';
import { sendParts } from '../helpers/multipart.ts';
import { makeWorld, type World } from '../helpers/world.ts';

let world: World;
let company: Awaited<ReturnType<typeof makeCompany>>;
let ann: Caller;

beforeAll(async () => {
  world = await makeWorld();
  company = await makeCompany(world);
  ann = await as(world, 'admin', { company });
});
afterAll(() => world[Symbol.asyncDispose]());

const picture = (width: number, height: number, format: 'png' | 'jpeg' | 'webp' = 'png'): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#0958d9' } })
    .toFormat(format)
    .toBuffer();

function upload(caller: Caller, bytes: Buffer, fileName = 'plan.png'): Promise<Answer> {
  return sendParts(world, caller, '/images', [
    { name: 'type', text: 'device_dashboard' },
    { name: 'description', text: 'Harbour' },
    { name: 'image', text: bytes, fileName },
  ]);
}

async function bytesOf(path: string): Promise<{ type: unknown; bytes: Buffer }> {
  const answer = await world.app.fastify.inject({ url: `/api${path}`, headers: ann.headers });
  return { type: answer.headers['content-type'], bytes: answer.rawPayload };
}

test('an image is kept within 2,560 pixels with a thumbnail, listed with what the upload was, changed and removed', async () => {
  const answer = await upload(ann, await picture(3000, 1500));
  expect(answer.status).toBe(201);
  const { id } = answer.data;
  const [row] = (await ann.get('/images')).data;
  expect(row).toMatchObject({
    id,
    company_id: company.id,
    name: 'plan.png',
    description: 'Harbour',
    type: 'device_dashboard',
    original_width: 3000,
    original_height: 1500,
  });
  const whole = await bytesOf(`/images/${id}`);
  expect(whole.type).toBe('image/png');
  const small = await bytesOf(`/images/${id}/thumbnail`);
  expect(await sharp(small.bytes).metadata()).toMatchObject({ width: 320, height: 160 });
  expect(await sharp(whole.bytes).metadata()).toMatchObject({ width: 2560, height: 1280 });
  expect((await ann.put(`/images/${id}`, { description: 'Quay' })).status).toBe(200);
  expect((await ann.get(`/images/${id}/info`)).data.description).toBe('Quay');
  expect((await ann.delete(`/images/${id}`)).status).toBe(200);
  expect((await ann.get(`/images/${id}`)).status).toBe(404);
});

test('what a camera writes into a photo is not kept', async () => {
  const photo = await sharp(await picture(40, 20, 'jpeg'))
    .withExif({ IFD0: { Copyright: 'Ann Moe' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  const { data } = await upload(ann, photo, 'quay.jpg');
  const { bytes } = await bytesOf(`/images/${data.id}`);
  const kept = await sharp(bytes).metadata();
  expect([kept.exif, kept.width, kept.height]).toEqual([undefined, 20, 40]);
});

test('no image, another format and one of 100 megapixels are refused at the file', async () => {
  const huge = await picture(10_000, 10_000);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  for (const wrong of [Buffer.from('no image'), svg, await picture(10, 10, 'webp'), huge, (await picture(200, 200)).subarray(0, 80)]) {
    const answer = await upload(ann, wrong);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.errors[0]?.source).toBe('image');
  }
  expect((await upload(ann, huge)).errors[0]?.message).toContain('40');
});

test('images of other companies are not there, and guests change none', async () => {
  const { data } = await upload(ann, await picture(20, 20));
  const stranger = await as(world, 'admin', { company: await makeCompany(world) });
  for (const path of ['', '/thumbnail', '/info']) expect((await stranger.get(`/images/${data.id}${path}`)).status).toBe(404);
  expect((await stranger.delete(`/images/${data.id}`)).status).toBe(404);
  const guest = await as(world, 'read_only', { company });
  expect((await guest.get(`/images/${data.id}`)).status).toBe(200);
  expect((await upload(guest, await picture(20, 20))).status).toBe(403);
});
