import { hardwareOf } from '../../schemas/kit/devices/device-models.ts';
import { otherNetwork, type Identity } from './models.ts';
import type { Random } from './random.ts';

const DAY_SECONDS = 86_400;

/** The values that change: signal and temperature walk, counters grow with the hour of the day. */
export class Vitals {
  bootId = '';
  private readonly identity: Identity;
  private readonly random: Random;
  private readonly site: number;
  private readonly weak: boolean;
  private bootedAt = 0;
  signal: number;
  /** Of the second modem, where there is one. */
  private secondSignal: number;
  private secondBytes = 0;
  private readonly hasSecondModem: boolean;
  private temperature: number;
  private rxBytes = 0;
  private txBytes = 0;
  private countedAt = 0;

  constructor(identity: Identity, random: Random, { weak, isBooting = false }: { weak: boolean; isBooting?: boolean }) {
    this.identity = identity;
    this.random = random;
    this.weak = weak;
    this.site = random.between(1, 250);
    this.signal = weak ? random.between(-112, -95) : random.between(-92, -56);
    this.temperature = random.between(310, 520);
    this.secondSignal = this.signal - 9;
    this.hasSecondModem = hardwareOf(identity.model.name).modems > 1;
    const upFor = random.between(600, 40 * DAY_SECONDS);
    this.boot(isBooting ? 0 : upFor);
  }

  get uptimeSeconds(): number {
    return Math.floor((Date.now() - this.bootedAt) / 1000);
  }

  get lanIp(): string {
    return `192.168.${this.site}.1`;
  }

  get wanIp(): string {
    return this.identity.model.modem === undefined ? `203.0.113.${this.site}` : `100.${64 + (this.site % 64)}.${this.site}.${this.site}`;
  }

  get wanInterface(): string {
    return this.identity.model.modem === undefined ? 'eth1' : 'wwan0';
  }

  get received(): number {
    return Math.floor(this.rxBytes);
  }

  get sent(): number {
    return Math.floor(this.txBytes);
  }

  /** Starts again with counters at zero, or as if it had been up for a while. */
  boot(upForSeconds: number): void {
    this.bootId =
      `${this.random.hex(8)}-${this.random.hex(4)}-4${this.random.hex(3)}-a${this.random.hex(3)}-${this.random.hex(12)}`.toLowerCase();
    this.bootedAt = Date.now() - upForSeconds * 1000;
    this.countedAt = Date.now();
    this.rxBytes = upForSeconds * this.random.between(2_000, 30_000);
    this.txBytes = this.rxBytes * (0.1 + this.random.next() * 0.3);
    this.secondBytes = 0;
  }

  /** Moves everything to now and answers the payload of `up/status`. */
  report(): Record<string, unknown> {
    this.move();
    const { model, network, roaming } = this.identity;
    const values: Record<string, unknown> = {
      uptime: this.uptimeSeconds,
      load1: Number((0.05 + this.random.next() * 0.6).toFixed(2)),
      mem_total_kb: model.memoryKb,
      mem_available_kb: Math.round(model.memoryKb * (0.35 + this.random.next() * 0.1)),
      wan_ip: this.wanIp,
      lan_ip: this.lanIp,
      wan_state: model.modem === undefined ? 'Wired' : 'Mobile',
      rx_bytes: this.received,
      tx_bytes: this.sent,
      temperature: this.temperature,
    };
    if (model.modem !== undefined)
      Object.assign(values, {
        signal: this.signal,
        rsrp: this.signal - 27,
        rsrq: Math.round(-6 - (-this.signal - 50) / 6),
        sinr: Math.round((this.signal + 113) / 2.5),
        operator: network.operator,
        connection_type: this.signal < -105 && model.modem === '5G' ? 'LTE' : model.modem,
        network_state: roaming ? 'Roaming' : 'Home',
        sim_slot: 1,
        imsi: `${network.plmn}${this.identity.serial}`,
        iccid: `89${network.plmn}00${this.identity.serial}`,
        operator_number: network.plmn,
        ...this.cell(this.signal, ''),
      });
    if (this.hasSecondModem) Object.assign(values, this.second());
    values['interfaces'] = [
      { name: this.wanInterface, rx_bytes: this.received, tx_bytes: this.sent, ip: this.wanIp },
      { name: model.ports[0], rx_bytes: this.sent * 2, tx_bytes: this.received * 2, ip: this.lanIp },
    ];
    return values;
  }

  /** The cell changes with the strength of the signal, as it does where somebody moves. */
  private cell(signal: number, end: string): Record<string, string> {
    const number = Number(this.identity.serial.slice(-6)) * 16 + (Math.floor(-signal / 12) % 16);
    return { [`cell_id${end}`]: number.toString(16).toUpperCase(), [`lac${end}`]: String(1000 + this.site) };
  }

  /** What a second modem says, which is on standby in another network. */
  second(): Record<string, unknown> {
    const { operator, plmn } = otherNetwork(this.identity.network);
    return {
      signal_2: this.secondSignal,
      rsrp_2: this.secondSignal - 27,
      rsrq_2: Math.round(-6 - (-this.secondSignal - 50) / 6),
      sinr_2: Math.round((this.secondSignal + 113) / 2.5),
      operator_2: operator,
      operator_number_2: plmn,
      connection_type_2: 'LTE',
      network_state_2: 'Home',
      sim_slot_2: 2,
      imsi_2: `${plmn}${this.identity.serial}`,
      iccid_2: `89${plmn}01${this.identity.serial}`,
      mobile_ip_2: `100.96.${this.site}.2`,
      rx_bytes_2: Math.floor(this.secondBytes),
      tx_bytes_2: Math.floor(this.secondBytes / 4),
      ...this.cell(this.secondSignal, '_2'),
    };
  }

  /** The payload of `up/telemetry`. */
  measure(): { at: number; values: Record<string, number> } {
    return {
      at: Math.floor(Date.now() / 1000),
      values: { processes: 60 + this.random.between(0, 25), disk_used_kb: 6_000 + Math.round(this.uptimeSeconds / 900) },
    };
  }

  private move(): void {
    const now = Date.now();
    const [low, high] = this.weak ? [-113, -93] : [-95, -52];
    this.signal = Math.max(low, Math.min(high, this.signal + this.random.between(-3, 3)));
    if (this.hasSecondModem) this.secondSignal = Math.max(low, Math.min(high, this.secondSignal + this.random.between(-2, 2)));
    this.temperature = Math.max(240, Math.min(680, this.temperature + this.random.between(-6, 6)));
    // Quiet at 4 in the morning, busy at 4 in the afternoon.
    const hour = ((now / 1000) % DAY_SECONDS) / 3600;
    const rhythm = 1.1 - Math.cos(((hour - 4) / 24) * 2 * Math.PI);
    const bytes = ((now - this.countedAt) / 1000) * 14_000 * rhythm * (0.3 + this.random.next());
    this.rxBytes += bytes;
    if (this.hasSecondModem) this.secondBytes += bytes / 20;
    this.txBytes += bytes * (0.1 + this.random.next() * 0.2);
    this.countedAt = now;
  }
}
