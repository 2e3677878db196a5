import { createHash } from 'node:crypto';
import type { Identity } from './models.ts';
import { packTexts, unpackTexts } from './archive.ts';

const SETTINGS = 'etc/config/settings';
/** The first rules of an OpenWrt firewall: from the internet, as far as they are named. */
const RULES = [
  ['ping', 'Allow-Ping', 'icmp'],
  ['dhcp', 'Allow-DHCP-Renew', 'udp'],
  ['igmp', 'Allow-IGMP', 'igmp'],
].map(
  ([id, name, proto]) =>
    `config rule '${id}'\n\toption name '${name}'\n\toption src 'wan'\n\toption proto '${proto}'\n\toption target 'ACCEPT'\n`,
);

/** What a simulated device is set to: files as on a router of its own, and what `uci` has set. */
export class Configuration {
  /** What `uci` keeps, by its name. */
  readonly settings = new Map<string, string[]>();
  /** As in `/etc/config`, by their path. */
  readonly files: Map<string, string>;
  private said = '';

  constructor({ name, serial, model, network }: Identity, lanIp: string) {
    const system = `config system 'system'\n\toption hostname '${name.replaceAll("'", '')}'\n\toption serial '${serial}'\n`;
    const apn =
      model.modem === undefined ? '' : `\nconfig interface 'mob1s1a1'\n\toption proto 'wwan'\n\toption operator '${network.plmn}'\n`;
    const lan = `config interface 'lan'\n\toption ipaddr '${lanIp}'\n\toption netmask '255.255.255.0'\n${apn}`;
    const radio = model.wifi
      ? `config wifi-device 'radio0'\n\toption band '2g'\n\toption channel 'auto'\n\nconfig wifi-iface 'wifi0'\n\toption device 'radio0'\n\toption mode 'ap'\n\toption ssid '${model.name}_${serial.slice(-4)}'\n\toption encryption 'psk2'\n\toption key 'canopy-${serial.slice(-6)}'\n`
      : '';
    const zone = (name: string, input: string) =>
      `config zone '${name}'\n\toption name '${name}'\n\toption input '${input}'\n\toption output 'ACCEPT'\n\toption forward '${input}'\n\tlist network '${name}'\n`;
    const ntp = `\nconfig timeserver 'ntp'\n\toption enabled '1'\n\tlist server '0.openwrt.pool.ntp.org'\n\tlist server '1.openwrt.pool.ntp.org'\n`;
    this.files = new Map([
      ['etc/config/network', lan],
      ['etc/config/system', system + ntp],
      ['etc/config/wireless', radio],
      [
        'etc/config/dhcp',
        `config dhcp 'lan'\n\toption interface 'lan'\n\toption start '100'\n\toption limit '150'\n\toption leasetime '12h'\n`,
      ],
      ['etc/config/firewall', [zone('lan', 'ACCEPT'), zone('wan', 'REJECT'), ...RULES].join('\n')],
    ]);
  }

  /** All of it as a tar.gz. */
  pack(): Buffer {
    const lines = [...this.settings].map(([name, values]) => `${name}=${JSON.stringify(values)}\n`).sort();
    return packTexts(new Map([...this.files, [SETTINGS, lines.join('')]]));
  }

  /** Whether the server knows the checksum of now. */
  get isSaid(): boolean {
    return this.said === this.sum();
  }

  /** A checksum of all of it, as it is reported now. */
  say(): string {
    this.said = this.sum();
    return this.said;
  }

  private sum(): string {
    const all = JSON.stringify([[...this.files].toSorted(), [...this.settings].toSorted()]);
    return createHash('sha256').update(all).digest('hex').slice(0, 16);
  }

  /** Takes over what is in an archive and answers how to undo that; undefined when it is no archive of settings. */
  restore(archive: Buffer): (() => void) | undefined {
    const incoming = unpackTexts(archive);
    if (incoming === undefined || incoming.size === 0) return undefined;
    const [files, settings] = [new Map(this.files), new Map(this.settings)];
    for (const [name, text] of incoming) if (name !== SETTINGS) this.files.set(name, text);
    const kept = incoming.get(SETTINGS);
    if (kept !== undefined) replace(this.settings, readSettings(kept));
    return () => {
      replace(this.files, files);
      replace(this.settings, settings);
    };
  }
}

function readSettings(text: string): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [name = '', values = ''] = line.split(/=(.*)/s);
    if (name === '') continue;
    try {
      const parsed: unknown = JSON.parse(values);
      if (Array.isArray(parsed)) settings.set(name, parsed.map(String));
    } catch {
      // A line that somebody changed by hand.
    }
  }
  return settings;
}

function replace<K, V>(map: Map<K, V>, by: ReadonlyMap<K, V>): void {
  map.clear();
  for (const [key, value] of by) map.set(key, value);
}
