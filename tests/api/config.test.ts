import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { ConfigError, describeSettings, loadConfig, settingsTable } from '../../server/config.ts';
import { createLog } from '../../server/kernel/log.ts';
import { loadSecretKey } from '../../server/kernel/secret-key.ts';
import { startServer } from '../../server/main.ts';

const NO_FILE = '/nowhere/canopy.config.json';

function makeFolder(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), 'canopy-config-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

describe('settings', () => {
  const wrong: Record<string, string> = {
    PORT: 'eighty',
    MQTT_PORT: '70000',
    DATABASE_URL: 'mysql://db/canopy',
    PUBLIC_URL: 'fleet.example.org',
    MQTT_URL: 'http://broker',
    SMTP_URL: 'mail',
    MAIL_SERVERS_PRIVATE: 'maybe',
    REPORT_SECONDS: '0',
    LOG_LEVEL: 'loud',
    MAP_TILES_URL: 'https://tiles.example/map.png',
  };

  test.each(Object.entries(wrong))('a wrong %s is named with its value and what is expected', (name, value) => {
    expect(() => loadConfig({ [name]: value }, NO_FILE)).toThrow(ConfigError);
    expect(() => loadConfig({ [name]: value }, NO_FILE)).toThrow(new RegExp(`^${name}="${value.replaceAll('/', '\\/')}": expected .+`));
  });

  test.each([
    ['SMTP_URL', 'smpt://user:MAIL-SECRET@mail.example:25'],
    ['DATABASE_URL', 'postgre://canopy:DB@SECRET@db.example/canopy'],
    ['MQTT_URL', 'user:MQTT-SECRET@broker.example'],
  ])('a wrong %s is named without the password in it [OP1]', (name, value) => {
    const read = (): unknown => loadConfig({ [name]: value }, NO_FILE);
    expect(read).toThrow(/^\w+="(?:\w+:\/*)?…@\w+\.example/);
    expect(read).not.toThrow(/SECRET/);
  });

  test('a zone takes what its hub agent prints, and one that is wrong is named without the key in it', () => {
    const agent = { device: 'd1', port: 4790, key: 'KEY-'.padEnd(43, 'x') };
    const zonesOf = (oslo: object) =>
      loadConfig({ VPN_ZONES: JSON.stringify({ oslo: { host: 'vpn.example.org', ...oslo } }) }, NO_FILE).vpnZones;
    expect(zonesOf({ agent })[1]).toMatchObject({ name: 'oslo', agent, helper: undefined });
    const asPrinted = '"oslo": expected "agent" as the helper prints it';
    const wrongOnes = [{ ...agent, port: 0 }, { ...agent, key: 'KEY-short' }, { ...agent, device: 1 }, { ...agent, host: 'x' }, 'KEY-'];
    for (const one of wrongOnes) {
      expect(() => zonesOf({ agent: one })).toThrow(asPrinted);
      expect(() => zonesOf({ agent: one })).not.toThrow(/KEY-/);
    }
    expect(() => zonesOf({ agent, helper: '/run/oslo.sock' })).toThrow('not both');
  });

  test('the environment goes before the file, the file before the defaults', () => {
    using folder = makeFolder();
    const file = join(folder.path, 'canopy.config.json');
    writeFileSync(file, JSON.stringify({ PORT: 9000, HOST: '0.0.0.0' }));
    expect(loadConfig({ PORT: '9001' }, file)).toMatchObject({ port: 9001, host: '0.0.0.0', mqttPort: 1883 });
  });

  test('a broken file, an unknown name in it and a value of a wrong kind are named with the file', () => {
    using folder = makeFolder();
    const file = join(folder.path, 'canopy.config.json');
    const messageOf = (text: string): string => {
      writeFileSync(file, text);
      try {
        loadConfig({}, file);
        return 'no error';
      } catch (error) {
        return String(error);
      }
    };
    expect(messageOf('{ "PORT": ')).toContain(`${file}: not valid JSON`);
    expect(messageOf('{ "PROT": 1 }')).toContain('unknown setting "PROT"');
    expect(messageOf('{ "PORT": true }')).toContain('PORT must be a text or a number');
    expect(messageOf('[]')).toContain('expected an object');
  });

  test('the help has a line for every setting', () => {
    for (const setting of settingsTable) expect(describeSettings()).toMatch(new RegExp(`^ {2}${setting.name} +\\S.*\\S$`, 'm'));
  });
});

describe('the secret key', () => {
  test('is made on first start, for its owner only, and stays the same [OP1]', () => {
    using folder = makeFolder();
    const file = join(folder.path, 'keys', 'secret.key');
    const key = loadSecretKey(file);
    expect(key).toHaveLength(32);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(loadSecretKey(file)).toEqual(key);
  });

  test('a file with something else is refused by name, not replaced', () => {
    using folder = makeFolder();
    const file = join(folder.path, 'secret.key');
    writeFileSync(file, 'short');
    expect(() => loadSecretKey(file)).toThrow(`SECRET_KEY_FILE="${file}": expected 32 bytes as base64`);
  });
});

describe('starting', () => {
  test('a port in use is named', async () => {
    using folder = makeFolder();
    const other = createServer();
    await new Promise<void>((resolve) => {
      other.listen(0, '127.0.0.1', resolve);
    });
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const config = loadConfig({ DATA_DIR: folder.path, PORT: String(port), MQTT_PORT: '0', LOG_LEVEL: 'silent' }, NO_FILE);
    await expect(startServer(config)).rejects.toThrow(`PORT="${port}": another program listens there already`);
    await new Promise((resolve) => {
      other.close(resolve);
    });
  });

  test('a second server on the same SQLite folder is refused, and may start when the first has ended [FT6]', async () => {
    using folder = makeFolder();
    const config = loadConfig({ DATA_DIR: folder.path, PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'silent' }, NO_FILE);
    const first = await startServer(config);
    await expect(startServer(config)).rejects.toThrow(`DATA_DIR="${folder.path}": another server runs on this folder`);
    await first.close();
    await (await startServer(config)).close();
  });

  test('an emptied database beside the key of an installation is warned of, a first start is not [OP1]', async () => {
    using folder = makeFolder();
    const config = loadConfig({ DATA_DIR: folder.path, PORT: '0', MQTT_PORT: '0' }, NO_FILE);
    let said = '';
    const log = createLog('warn', { write: (line: string) => void (said += line) });
    await (await startServer(config, { log })).close();
    expect(said).not.toContain('The database is empty');
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(folder.path, `canopy.db${suffix}`), { force: true });
    writeFileSync(join(folder.path, 'canopy.db'), '');
    await (await startServer(config, { log })).close();
    expect(said).toContain('The database is empty, but there is the key of an installation');
  });

  test('a data folder that cannot be made is named', async () => {
    using folder = makeFolder();
    writeFileSync(join(folder.path, 'file'), '');
    const config = loadConfig({ DATA_DIR: join(folder.path, 'file', 'data'), PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'silent' }, NO_FILE);
    await expect(startServer(config)).rejects.toThrow(/^DATA_DIR=.*cannot be made/);
  });

  test.each([
    ['DATA_DIR', '/proc/no-such/data'],
    ['DATA_DIR', fileURLToPath(import.meta.url)],
    ['SECRET_KEY_FILE', '/proc/no-such/secret.key'],
    ['SECRET_KEY_FILE', '/proc'],
  ])('%s=%s, where nothing can be kept, is named and ends the start [OP1]', async (name, value) => {
    using folder = makeFolder();
    const settings = { DATA_DIR: folder.path, PORT: '0', MQTT_PORT: '0', LOG_LEVEL: 'silent' };
    await expect(startServer(loadConfig({ ...settings, [name]: value }, NO_FILE))).rejects.toThrow(new RegExp(`^${name}="${value}"`));
  });

  test('from the command line a wrong setting is one line and exit code 1', () => {
    const root = fileURLToPath(new URL('../..', import.meta.url));
    const result = spawnSync(process.execPath, ['server/main.ts'], {
      cwd: root,
      env: { ...process.env, PORT: 'eighty' },
      encoding: 'utf8',
    });
    expect([result.status, result.stdout, result.stderr.split('\n').filter(Boolean)]).toEqual([
      1,
      '',
      [expect.stringMatching(/^PORT="eighty": expected a port/)],
    ]);
  });
});
