import { isIP } from 'node:net';
import { packTexts } from './archive.ts';
import type { Configuration } from './configuration.ts';
import type { Identity } from './models.ts';
import type { UpdateMood } from './device-behaviours.ts';
import { failed, fieldsOf, ok, type Command, type Result } from './protocol.ts';
import { changeSettings, readSettings } from './uci.ts';
import { download, upload, type FileAddress } from './transfer.ts';
import type { Vpn } from './vpn.ts';

/** What a device does that files go to and come from. */
export interface UpdatedDevice {
  readonly identity: Identity;
  readonly updateMood: UpdateMood;
  readonly configuration: Configuration;
  readonly changes: { readonly vpn: Vpn };
  readonly signal: number | undefined;
  addressOf(commandId: string): FileAddress;
  /** Goes down and comes back; resolves once hello is said again. `times` longer than a reboot; for ever: it never comes back. */
  reboot(times?: number): Promise<number>;
  /** Ends the session as at a clean stop and opens another one; resolves once hello is said in it. */
  reconnect(): Promise<void>;
  /** Breaks the connection off and comes back by itself; resolves once hello is said again. */
  losePower(): Promise<void>;
  log(level: 'info' | 'warning', message: string): void;
  /** Says what it has now. */
  detail(): void;
}

/** The verbs that this room answers. */
export const UPDATE_VERBS: ReadonlySet<string> = new Set([
  'fetch',
  'send',
  'speed',
  'firmware',
  'restore',
  'check',
  'confirm',
  'rollback',
  'read',
  'configure',
  'vpn',
]);

const MOST_SETTINGS_BYTES = 1024 * 1024;
const SLOW_TIMES = 6;
/** A pcap file of Ethernet with one ARP request. */
const ONE_PACKET = Buffer.from(
  'd4c3b2a1020004000000000000000000ffff000001000000' +
    '00000000000000002a0000002a000000' +
    'ffffffffffff020000000001080600010800060400010200000000010a0000010000000000000a000002',
  'hex',
);

/** The interface of the first address that netifd would not take. */
function unfitInterface(body: string): string | undefined {
  for (const line of body.split('\n')) {
    // `do=set network.lan.ipaddr=299.1.1.1`
    const [, name, address = ''] = /^do=set network\.([\w-]+)\.ipaddr=(.*)$/.exec(line) ?? [];
    if (name !== undefined && isIP(address) === 0) return name;
  }
  return undefined;
}

/** Updates of a simulated device: it loads and hashes files for real and keeps nothing of them but settings. */
export class Updates {
  private readonly device: UpdatedDevice;
  private undo: (() => void) | undefined;
  private isRebooting = true;
  private timer: NodeJS.Timeout | undefined;

  constructor(device: UpdatedDevice) {
    this.device = device;
  }

  /** Does what a command asks for; never rejects. `progress` says how far it is. */
  async answer({ id, verb, body }: Command, progress: (message: string) => void): Promise<Result> {
    const fields = fieldsOf(body);
    try {
      if (verb === 'send') return await this.send(id, fields);
      if (verb === 'speed') return await this.measure(id, fields);
      if (verb === 'fetch') return await this.fetch(id, fields);
      if (verb === 'firmware') return await this.flash(id, fields, progress);
      if (verb === 'restore') return await this.restore(id, fields);
      if (verb === 'check') return this.check(fields);
      if (verb === 'read') return readSettings(this.device.configuration.files, body);
      if (verb === 'configure') return await this.configure(fields, body);
      if (verb === 'vpn') return await this.changeVpn(fields, body);
      if (verb === 'confirm') return this.confirm(fields);
      return await this.rollBack();
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error));
    }
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private async load(id: string, fields: ReadonlyMap<string, string>, keeps: number): Promise<Buffer> {
    const size = Number(fields.get('size'));
    const stopAt = this.device.updateMood === 'loses-power' ? Math.ceil(size / 2) : Infinity;
    const { bytes, sha256, content } = await download(this.device.addressOf(id), { keeps, stopAt });
    if (bytes !== size || sha256 !== fields.get('sha256') || this.device.updateMood === 'wrong-checksum')
      throw new Error('Wrong checksum: what came is not the file that was meant');
    return content;
  }

  private async fetch(id: string, fields: ReadonlyMap<string, string>): Promise<Result> {
    const path = fields.get('path') ?? '';
    if (!path.startsWith('/')) return failed('The path must be absolute');
    await this.load(id, fields, 0);
    return ok(`${path}, ${fields.get('size')} bytes`);
  }

  private async send(id: string, fields: ReadonlyMap<string, string>): Promise<Result> {
    const content = this.contentOf(fields);
    if (content === undefined) return failed(`There is no file ${fields.get('path') ?? ''}`);
    await upload(this.device.addressOf(id), content);
    // So that the server knows what the backup holds.
    if (fields.get('what') === 'backup') this.device.detail();
    return ok(`${content.length} bytes`);
  }

  /** The bytes go both ways for real; how long they took says more of this machine than of a mobile network. */
  private async measure(id: string, fields: ReadonlyMap<string, string>): Promise<Result> {
    const bytes = Number(fields.get('megabytes')) * 1024 * 1024;
    const said = (word: string, begun: number): string => {
      const seconds = Math.max(0.01, (performance.now() - begun) / 1000);
      return `${word}: ${((bytes * 8) / seconds / 1e6).toFixed(1)} Mbit/s (${(bytes / 1048576).toFixed(1)} MB in ${seconds.toFixed(2)} s)\n`;
    };
    const begun = performance.now();
    await download(this.device.addressOf(id), { keeps: 0 });
    const loaded = said('Download', begun);
    const middle = performance.now();
    await upload(this.device.addressOf(id), Buffer.alloc(bytes));
    return { state: 'ok', code: 0, output: loaded + said('Upload', middle) };
  }

  private contentOf(fields: ReadonlyMap<string, string>): Buffer | undefined {
    const { identity, configuration } = this.device;
    const what = fields.get('what') ?? '';
    const at = new Date().toISOString();
    if (what === 'backup') return configuration.pack();
    if (what === 'eventslog' || what === 'log') return Buffer.from(`${at} ${identity.name} simulated: no events are kept\n`);
    if (what === 'troubleshoot')
      return packTexts(
        new Map([
          ['troubleshoot/device.txt', `${identity.model.name} ${identity.serial} ${identity.firmware}\n`],
          ['troubleshoot/date.txt', `${at}\n`],
        ]),
      );
    if (fields.get('path') === '/tmp/canopy-capture.pcap') return ONE_PACKET;
    return fields.get('path') === '/etc/version' ? Buffer.from(`${identity.firmware}\n`) : undefined;
  }

  private async flash(id: string, fields: ReadonlyMap<string, string>, progress: (message: string) => void): Promise<Result> {
    const { identity, updateMood } = this.device;
    if (this.timer !== undefined) return failed('An earlier change waits to be confirmed');
    try {
      await this.load(id, fields, 0);
    } catch (error) {
      if (updateMood !== 'loses-power') throw error;
      await this.device.losePower();
      return failed('Interrupted: the agent stopped before the command ended');
    }
    progress('Writing the image');
    const former = identity.firmware;
    const version = fields.get('version') ?? '';
    if (updateMood !== 'old-image') identity.firmware = version === '' ? `${former}.1` : `${identity.model.family}${version}`;
    await this.device.reboot(updateMood === 'bricks' ? Infinity : updateMood === 'slow-flash' ? SLOW_TIMES : 1);
    if (updateMood === 'old-image') return failed(`It came back with ${identity.firmware}`);
    this.keepUntilConfirmed(() => void (identity.firmware = former), fields, 'firmware');
    return ok(`Runs ${identity.firmware}`);
  }

  private async restore(id: string, fields: ReadonlyMap<string, string>): Promise<Result> {
    if (this.timer !== undefined) return failed('An earlier change waits to be confirmed');
    const undo = this.device.configuration.restore(await this.load(id, fields, MOST_SETTINGS_BYTES));
    if (undo === undefined) return failed('This is no archive of settings');
    await this.device.reboot();
    this.keepUntilConfirmed(undo, fields, 'restore');
    return ok('Restored');
  }

  private async configure(fields: ReadonlyMap<string, string>, body: string): Promise<Result> {
    if (this.timer !== undefined) return failed('An earlier change waits to be confirmed');
    const { files } = this.device.configuration;
    const before = new Map(files);
    const putBack = (): void => {
      for (const [name, text] of before) files.set(name, text);
    };
    const fault = changeSettings(files, body);
    if (fault !== undefined) {
      putBack();
      return failed(`The former settings are in force: ${fault} could not be changed`);
    }
    const unfit = unfitInterface(body);
    if (unfit !== undefined) {
      putBack();
      await this.device.reconnect();
      return failed(`The former settings are in force: ${unfit}: INVALID_ADDRESS`);
    }
    this.keepUntilConfirmed(putBack, fields, 'configuration', false);
    await this.device.reconnect();
    return ok('Settings changed');
  }

  private async changeVpn(fields: ReadonlyMap<string, string>, body: string): Promise<Result> {
    const { vpn } = this.device.changes;
    if (fields.get('do') === 'key') return vpn.answer(body);
    if (this.timer !== undefined) return failed('An earlier change waits to be confirmed');
    const undo = vpn.keep();
    const result = vpn.answer(body);
    if (result.state !== 'ok') return result;
    this.keepUntilConfirmed(undo, fields, 'vpn', false);
    await this.device.reconnect();
    return result;
  }

  /** Undoes a change by itself when nobody confirms it in time. */
  private keepUntilConfirmed(undo: () => void, fields: ReadonlyMap<string, string>, what: string, isRebooting = true): void {
    this.undo = undo;
    this.isRebooting = isRebooting;
    const seconds = Number(fields.get('confirm_seconds') ?? 0);
    if (!(seconds > 0)) return;
    this.timer = setTimeout(() => {
      void this.rollBack().then(() => this.device.log('warning', `Rolled back by itself: the ${what} was not confirmed in time`));
    }, seconds * 1000);
  }

  private check(fields: ReadonlyMap<string, string>): Result {
    if (this.device.updateMood === 'fails-check') return failed('no way to the internet');
    const least = fields.get('signal_min');
    const { signal } = this.device;
    if (least !== undefined && signal === undefined) return failed('no signal is known');
    if (least !== undefined && signal !== undefined && signal < Number(least))
      return failed(`signal ${signal} dBm, at least ${least} wanted`);
    return ok('All checks hold');
  }

  private confirm(fields: ReadonlyMap<string, string>): Result {
    const waited = this.undo !== undefined;
    this.settle();
    if (waited) return ok('Confirmed');
    return fields.get('required') === '1'
      ? failed('Nothing waits to be confirmed: it was rolled back')
      : ok('Nothing waits to be confirmed');
  }

  private async rollBack(): Promise<Result> {
    const { undo } = this;
    this.settle();
    if (undo === undefined) return ok('Nothing to roll back');
    undo();
    await (this.isRebooting ? this.device.reboot() : this.device.reconnect());
    return ok('Rolled back');
  }

  private settle(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.undo = undefined;
  }
}
