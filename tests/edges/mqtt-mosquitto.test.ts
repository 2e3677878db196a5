import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { as } from '../helpers/as.ts';
import { makeCompany, makeEnrolmentCode } from '../helpers/factories.ts';
import { connect, join, newIdentity, startDevice } from '../helpers/mqtt-device.ts';
import { freePort } from '../helpers/free-port.ts';
import { until } from '../helpers/until.ts';
import { makeWorld, type World } from '../helpers/world.ts';

const PLUGIN = '/usr/lib/x86_64-linux-gnu/mosquitto_dynamic_security.so';

/** A real mosquitto with its dynamic security plugin, set up as in the docs. */
class Mosquitto {
  readonly folder = mkdtempSync(joinPath(tmpdir(), 'canopy-mosquitto-'));
  port = 0;
  private child: ChildProcess | undefined;

  async prepare(): Promise<void> {
    this.port = await freePort();
    const rules = joinPath(this.folder, 'dynsec.json');
    execFileSync('mosquitto_ctrl', ['dynsec', 'init', rules, 'canopy', 'administrator-password']);
    const lines = [`listener ${this.port} 127.0.0.1`, 'per_listener_settings false', 'allow_anonymous false', `plugin ${PLUGIN}`];
    writeFileSync(joinPath(this.folder, 'm.conf'), [...lines, `plugin_opt_config_file ${rules}`, 'max_packet_size 132096', ''].join('\n'));
    // mosquitto gives up root and must still write its rules.
    chmodSync(this.folder, 0o777);
    chmodSync(rules, 0o666);
  }

  async start(): Promise<void> {
    const child = spawn('mosquitto', ['-v', '-c', joinPath(this.folder, 'm.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.child = child;
    const said: string[] = [];
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stderr }).on('line', (line) => {
        said.push(line);
        if (line.includes(' running')) resolve();
      });
      child.once('exit', () => reject(new Error(said.join('\n'))));
    });
  }

  async stop(): Promise<void> {
    if (!this.child || this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  get url(): string {
    return `mqtt://canopy:administrator-password@127.0.0.1:${this.port}`;
  }
}

const broker = new Mosquitto();
beforeAll(async () => {
  await broker.prepare();
  await broker.start();
});
afterAll(async () => {
  await broker.stop();
  rmSync(broker.folder, { recursive: true, force: true });
});

async function start(): Promise<{ world: World; code: string; company: { id: number } }> {
  const world = await makeWorld({ listen: true, broker: true, config: { mqttUrl: broker.url } });
  const company = await makeCompany(world);
  return { world, company, code: (await makeEnrolmentCode(world, { company })).code };
}

const statusOf = async (world: World, key: string) =>
  (await world.ctx.db.selectFrom('devices').select('status').where('device_key', '=', key).executeTakeFirst())?.status;

describe('devices over mosquitto', () => {
  test('a device joins, is online, runs a command and goes offline with its last will', async () => {
    const { world, code, company } = await start();
    await using _end = world;
    await using device = await startDevice(world.url, code);
    const key = device.credentials.device_key;
    await until('online', async () => (await statusOf(world, key)) === 1);
    device.answer = (command, self) => self.say('result', { id: command.id, state: 'ok', code: 0, output: `ran ${command.body}` });
    const admin = await as(world, 'admin', { company });
    const [row] = await world.ctx.db.selectFrom('devices').select('id').execute();
    const { meta } = await admin.post(`/devices/${row?.id}/command`, { command: 'uptime' });
    const job = await until('the job', async () => {
      const { data } = await admin.get(`/jobs/${meta['job_id']}/targets`);
      return data[0].state === 'ok' && data[0];
    });
    expect(job).toMatchObject({ output: 'ran uptime', code: 0 });
    await device.drop();
    await until('offline', async () => (await statusOf(world, key)) === 0);
  });

  test('mosquitto lets a device use its own topics only, and nobody in without its password [DV2]', async () => {
    const { world, code } = await start();
    await using _end = world;
    await using device = await startDevice(world.url, code);
    await using other = await startDevice(world.url, code);
    const { device_key: foreign } = other.credentials;
    await until('both online', async () => (await statusOf(world, foreign)) === 1);
    for (const filter of [`canopy/${foreign}/down/command`, 'canopy/+/down/command', '#', '$CONTROL/#'])
      await expect(device.client.subscribeAsync(filter, { qos: 1 })).rejects.toThrow(/./);
    await device.client.publishAsync(`canopy/${foreign}/up/status`, '{"online":false}', { qos: 1 });
    await device.say('telemetry', { values: { marker: 1 } });
    await until('the marker', async () => (await world.ctx.db.selectFrom('device_samples').selectAll().execute()).length === 1);
    expect(await statusOf(world, foreign)).toBe(1);
    await expect(connect(device.credentials, device.identity, { password: 'guessed' })).rejects.toThrow(/./);
  });

  test('a device that is expelled is disconnected and cannot come back', async () => {
    const { world, code } = await start();
    await using _end = world;
    const identity = newIdentity();
    const credentials = await join(world.url, code, identity);
    await using device = await connect(credentials, identity);
    const closed = device.ended();
    await world.ctx.devices.disconnect(credentials.device_key);
    await closed;
    await using again = await connect(credentials, identity);
    const closedAgain = again.ended();
    await world.ctx.devices.expel(credentials.device_key);
    await closedAgain;
    await expect(connect(credentials, identity)).rejects.toThrow(/./);
  });

  test('a removed device is disconnected and cannot come back before it is restored', async () => {
    const { world, code } = await start();
    await using _end = world;
    const identity = newIdentity();
    const credentials = await join(world.url, code, identity);
    await using device = await connect(credentials, identity);
    const closed = device.ended();
    await world.ctx.devices.suspend(credentials.device_key);
    await closed;
    await expect(connect(credentials, identity)).rejects.toThrow(/./);
    await world.ctx.devices.resume(credentials.device_key);
    await using _again = await connect(credentials, identity);
  });

  test('the server finds back to a broker that was restarted, and hears its devices again', async () => {
    const { world, code } = await start();
    await using _end = world;
    const device = await startDevice(world.url, code);
    const key = device.credentials.device_key;
    await until('online', async () => (await statusOf(world, key)) === 1);
    await broker.stop();
    await expect(
      world.ctx.devices.send(key, { id: 'x', verb: 'refresh', deadlineAt: world.clock.now() + 1000, timeoutSeconds: 1, body: '' }),
    ).rejects.toThrow(/./);
    await broker.start();
    await device[Symbol.asyncDispose]();
    await using back = await until('the broker', () => connect(device.credentials, device.identity).catch(() => undefined));
    await until('the telemetry', async () => {
      await back.say('telemetry', { values: { marker: 2 } });
      return (await world.ctx.db.selectFrom('device_samples').selectAll().execute()).length > 0;
    });
  });
});
