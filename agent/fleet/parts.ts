import { hardwareOf, type Hardware } from '../../schemas/kit/devices/device-models.ts';
import { Hotspot } from './hotspot.ts';
import type { Identity } from './models.ts';
import { makeRandom, type Random } from './random.ts';
import type { Vitals } from './vitals.ts';

type Modem = readonly [manufacturer: string, model: string, firmware: string];
const FAST_MODEM: Modem = ['Quectel', 'RG520N-EU', 'RG520NEUDAR03A05M4G'];
const LTE_MODEMS: readonly [Modem, ...Modem[]] = [
  ['Quectel', 'EG06', 'EG06ELAR04A08M4G'],
  ['MEIG', 'SLM750', 'SLM750_4.0.6_EQ101'],
];
const HOSTS = ['camera', 'plc', 'till', 'printer', 'meter', 'laptop', 'panel', 'nvr'] as const;
/** Degrees: where the networks of a simulated device are, roughly. */
const PLACES: Record<string, readonly [latitude: number, longitude: number]> = { '242': [60.39, 5.32], '440': [35.44, 139.64], '255': [50.45, 30.52], '234': [53.8, -1.55] }; // prettier-ignore
const LEASE_SECONDS = 43_200;
const STEP_DEGREES = 0.0004;

interface Host {
  mac: string;
  ip: string;
  name: string;
  port: number;
}

interface Pin {
  name: string;
  direction: 'in' | 'out';
  kind: 'digital' | 'analog' | 'relay';
  state: number;
  unit?: string;
}

const pinsOf = (random: Random): Pin[] => [
  { name: 'din1', direction: 'in', kind: 'digital', state: random.between(0, 1) },
  { name: 'din2', direction: 'in', kind: 'digital', state: 0 },
  { name: 'acl0', direction: 'in', kind: 'analog', state: random.between(40, 200) / 10, unit: 'mA' },
  { name: 'dout1', direction: 'out', kind: 'digital', state: 0 },
  { name: 'relay0', direction: 'out', kind: 'relay', state: 0 },
];

/** What a simulated device has: ports with hosts behind them, inputs and outputs, a place, modems. Its own random numbers, so that the rest of the fleet stays as it was. */
export class Parts {
  private readonly identity: Identity;
  private readonly vitals: Vitals;
  private readonly random: Random;
  private readonly hardware: Hardware;
  private readonly hosts: Host[];
  private readonly pins: Pin[];
  private readonly modem: Modem;
  /** Every third device with Wi-Fi has one. */
  readonly hotspot: Hotspot | undefined;
  /** MAC addresses of who comes and goes on its Wi-Fi. */
  private readonly phones: readonly string[];
  private wifiBytes: readonly [received: number, sent: number];
  /** It is installed in a vehicle. */
  private readonly isMoving: boolean;
  private latitude: number;
  private longitude: number;
  private course: number;

  constructor(identity: Identity, vitals: Vitals) {
    this.identity = identity;
    this.vitals = vitals;
    this.random = makeRandom(`parts of ${identity.serial}`);
    this.hardware = hardwareOf(identity.model.name);
    const { random } = this;
    const ports = Math.max(1, this.hardware.ports);
    this.hosts = Array.from({ length: random.between(0, Math.min(6, ports * 2)) }, (_, index) => ({
      mac: `02:00:${random.hex(8).replace(/(..)(?=.)/g, '$1:')}`,
      ip: vitals.lanIp.replace(/\d+$/, String(20 + index)),
      name: `${random.pick(HOSTS)}-${index + 1}`,
      port: random.between(1, ports),
    }));
    this.pins = this.hardware.hasIo ? pinsOf(random) : [];
    this.modem = identity.model.modem === '5G' ? FAST_MODEM : random.pick(LTE_MODEMS);
    this.isMoving = random.next() < 0.2;
    const people = makeRandom(`hotspot of ${identity.serial}`);
    this.hotspot = identity.model.wifi && people.next() < 0.34 ? new Hotspot(people, vitals.lanIp) : undefined;
    this.wifiBytes = [people.between(1e6, 9e8), people.between(1e6, 9e8)];
    this.phones = Array.from({ length: 5 }, () => `02:01:${people.hex(8).replace(/(..)(?=.)/g, '$1:')}`);
    const [latitude, longitude] = PLACES[identity.network.plmn.slice(0, 3)] ?? [0, 0];
    this.latitude = latitude + (random.next() - 0.5) / 2;
    this.longitude = longitude + (random.next() - 0.5) / 2;
    this.course = random.between(0, 359);
  }

  /** It has to say where it is with every report. */
  get isUnderWay(): boolean {
    return this.isMoving && this.hardware.hasGps;
  }

  /** Switches an output; false when there is none of this name. */
  switch(name: string, state: number): boolean {
    const pin = this.pins.find((one) => one.name === name && one.direction === 'out');
    if (pin) pin.state = state;
    return pin !== undefined;
  }

  /** The payload of `up/details`. */
  report(): Record<string, unknown> {
    const { model } = this.identity;
    this.move();
    return {
      ports: this.ports(),
      interfaces: this.interfaces(),
      leases: this.hosts.map(({ mac, ip, name }) => ({ mac, ip, name, expires_at: Math.floor(Date.now() / 1000) + LEASE_SECONDS })),
      routes: [
        { to: 'default', via: model.modem === undefined ? '203.0.113.254' : undefined, interface: this.vitals.wanInterface, metric: 1 },
        { to: this.vitals.lanIp.replace(/\d+$/, '0/24'), interface: model.ports[0], metric: 0 },
      ],
      dns: ['1.1.1.1', '9.9.9.9'],
      ...(this.pins.length > 0 ? { pins: this.pins } : {}),
      ...(this.hardware.hasGps ? { position: this.position() } : {}),
      ...(model.modem === undefined ? {} : { modems: this.modems() }),
      ...(model.wifi ? { wireless: this.wireless() } : {}),
      ...(this.hotspot ? { hotspots: [this.hotspot.report()] } : {}),
    };
  }

  private ports(): object[] {
    return Array.from({ length: Math.max(1, this.hardware.ports) }, (_, index) => {
      const hosts = this.hosts.filter(({ port }) => port === index + 1).map(({ mac, ip, name }) => ({ mac, ip, name }));
      const link = hosts.length > 0;
      const isFeeding = this.identity.model.name.startsWith('TSW') && index < 8;
      return {
        name: `port${index + 1}`,
        link,
        ...(link ? { speed: hosts.length > 1 ? 1000 : 100, duplex: 'full' } : {}),
        ...(isFeeding ? { poe: link, poe_watts: link ? 4 + index / 2 : 0 } : {}),
        hosts,
      };
    });
  }

  private interfaces(): object[] {
    const { vitals, identity } = this;
    return [
      { name: vitals.wanInterface, up: true, mtu: 1500, addresses: [`${vitals.wanIp}/24`] },
      {
        name: identity.model.ports[0],
        up: true,
        mac: identity.mac,
        mtu: 1500,
        addresses: [`${vitals.lanIp}/24`, 'fe80::21e:42ff:fe00:1/64'],
      },
      ...(identity.model.wifi ? [{ name: 'wlan0', up: true, mac: identity.mac, mtu: 1500, addresses: [] }] : []),
    ];
  }

  private modems(): object[] {
    const { imei, network, roaming, serial } = this.identity;
    const { signal, rsrp, rsrq, sinr, connection_type, operator_number, cell_id, lac } = this.vitals.report();
    const [manufacturer, model, firmware] = this.modem;
    const states = { sim_state: 'inserted', pin_state: 'READY', connection_state: 'connected' };
    const first = { name: '1', manufacturer, model, firmware, imei, operator: network.operator, network_state: roaming ? 'Roaming' : 'Home', sim_slot: 1, signal, rsrp, rsrq, sinr, connection_type, operator_number, cell_id, lac, iccid: `89${network.plmn}00${serial}`, imsi: `${network.plmn}${serial}`, ...states }; // prettier-ignore
    if (this.hardware.modems < 2) return [first];
    const named = Object.entries(this.vitals.second()).filter(([name]) => !/bytes|mobile_ip/.test(name));
    const radio = Object.fromEntries(named.map(([name, value]) => [name.replace(/_2$/, ''), value]));
    return [first, { name: '2', manufacturer, model, firmware, imei: imei?.replace(/.$/, (last) => String((Number(last) + 1) % 10)), temperature: 380, ...radio, ...states }]; // prettier-ignore
  }

  private wireless(): object[] {
    const clients = this.random.between(0, 5);
    const macs = this.phones.slice(0, clients);
    const [received, sent] = this.wifiBytes;
    this.wifiBytes = [received + clients * this.random.between(1e5, 9e6), sent + clients * this.random.between(1e5, 4e7)];
    const counted = { rx_bytes: this.wifiBytes[0], tx_bytes: this.wifiBytes[1] };
    return [
      {
        interface: 'wlan0',
        ssid: `Canopy-${this.identity.model.name}`,
        active: true,
        band: '2.4 GHz',
        channel: 6,
        clients,
        macs,
        ...counted,
      },
      {
        interface: 'wlan1',
        ssid: `Canopy-${this.identity.model.name}`,
        active: true,
        band: '5 GHz',
        channel: 36,
        clients: 0,
        rx_bytes: 0,
        tx_bytes: 0,
      },
    ];
  }

  private position(): object {
    const { latitude: lat, longitude: lon, course } = this;
    const speed = this.isMoving ? 42 + this.random.between(-9, 9) : 0;
    return { lat, lon, altitude: 14, accuracy: this.random.between(2, 6), satellites: this.random.between(6, 14), speed, course, at: Math.floor(Date.now() / 1000) }; // prettier-ignore
  }

  private move(): void {
    const noise = () => (this.random.next() - 0.5) / 50_000;
    const turn = (this.course * Math.PI) / 180;
    this.latitude += noise() + (this.isMoving ? Math.cos(turn) * STEP_DEGREES : 0);
    this.longitude += noise() + (this.isMoving ? Math.sin(turn) * STEP_DEGREES : 0);
    if (this.isMoving) this.course = (this.course + this.random.between(-30, 30) + 360) % 360;
    const [din1, , current] = this.pins;
    if (din1 && this.random.next() < 0.1) din1.state = 1 - din1.state;
    if (current) current.state = Math.max(4, Math.min(20, Math.round((current.state + this.random.between(-5, 5) / 10) * 10) / 10));
  }
}
