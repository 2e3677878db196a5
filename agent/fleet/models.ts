import type { Random } from './random.ts';

export interface Model {
  name: string;
  /** Firmware names start with this, as on the real families. */
  family: string;
  modem: '5G' | 'LTE' | undefined;
  wifi: boolean;
  /** Interfaces beside the modem and Wi-Fi. */
  ports: readonly string[];
  /** The line `uname -a` shows between kernel and machine. */
  machine: string;
  memoryKb: number;
  /** Has a chip for eSIM profiles. */
  esim?: boolean;
}

const LAN = ['br-lan', 'eth0', 'eth1'] as const;

const MODELS: readonly [Model, ...Model[]] = [
  { name: 'RUTX50', family: 'RUTX_R_', modem: '5G', wifi: true, ports: LAN, machine: 'armv7l', memoryKb: 249_856 },
  { name: 'RUTX11', family: 'RUTX_R_', modem: 'LTE', wifi: true, ports: LAN, machine: 'armv7l', memoryKb: 249_856 },
  { name: 'RUTX12', family: 'RUTX_R_', modem: 'LTE', wifi: true, ports: LAN, machine: 'armv7l', memoryKb: 249_856 },
  { name: 'RUTX09', family: 'RUTX_R_', modem: 'LTE', wifi: false, ports: LAN, machine: 'armv7l', memoryKb: 249_856 },
  { name: 'RUTM50', family: 'RUTM_R_', modem: '5G', wifi: true, ports: LAN, machine: 'mips', memoryKb: 249_600, esim: true },
  { name: 'RUT956', family: 'RUT9M_R_', modem: 'LTE', wifi: true, ports: LAN, machine: 'mips', memoryKb: 122_340 },
  { name: 'RUT241', family: 'RUT2M_R_', modem: 'LTE', wifi: true, ports: ['br-lan', 'eth0'], machine: 'mips', memoryKb: 122_340 },
  { name: 'RUT300', family: 'RUT30X_R_', modem: undefined, wifi: false, ports: LAN, machine: 'mips', memoryKb: 122_340 },
  { name: 'TRB140', family: 'TRB1_R_', modem: 'LTE', wifi: false, ports: ['br-lan', 'eth0'], machine: 'armv7l', memoryKb: 119_200 },
  { name: 'TRB255', family: 'TRB2_R_', modem: 'LTE', wifi: false, ports: ['br-lan', 'eth0'], machine: 'mips', memoryKb: 60_210 },
  { name: 'TRB500', family: 'TRB500_R_', modem: '5G', wifi: false, ports: ['br-lan', 'eth0'], machine: 'armv7l', memoryKb: 119_200 },
  { name: 'TCR100', family: 'TCR1_R_', modem: 'LTE', wifi: true, ports: ['br-lan', 'eth0'], machine: 'mips', memoryKb: 122_340 },
  { name: 'OTD140', family: 'OTD140_R_', modem: 'LTE', wifi: false, ports: LAN, machine: 'mips', memoryKb: 122_340 },
  { name: 'TAP200', family: 'TAP2XX_R_', modem: undefined, wifi: true, ports: ['br-lan', 'eth0'], machine: 'mips', memoryKb: 249_600 },
  { name: 'TSW202', family: 'TSW2_R_', modem: undefined, wifi: false, ports: ['br0', 'eth0'], machine: 'mips', memoryKb: 249_600 },
];

const CURRENT = ['00.07.14.2', '00.07.14.2', '00.07.14', '00.07.13.4'] as const;
const OLD = ['00.07.02.7', '00.07.04.5', '00.07.06.3', '00.06.09.4'] as const;

const PLACES = [
  ['Bergen', 'NO'], ['Tromsø', 'NO'], ['Ålesund', 'NO'], ['Bodø', 'NO'], ['Svolvær', 'NO'], ['Kristiansund', 'NO'], ['Hammerfest', 'NO'],
  ['横浜', 'JP'], ['札幌', 'JP'], ['神戸', 'JP'], ['長崎', 'JP'], ['函館', 'JP'], ['仙台', 'JP'],
  ['Київ', 'UA'], ['Львів', 'UA'], ['Одеса', 'UA'], ['Чернівці', 'UA'], ['Полтава', 'UA'],
  ['Leeds', 'GB'], ['Aberdeen', 'GB'], ['Cardiff', 'GB'], ['Whitby', 'GB'], ['Falmouth', 'GB'],
] as const; // prettier-ignore

type Country = (typeof PLACES)[number][1];

const COUNTRIES: Record<Country, { spots: readonly [string, ...string[]]; networks: readonly [Network, ...Network[]] }> = {
  NO: { spots: ['kai', 'fergeleie', 'fiskemottak', 'pumpestasjon', 'lager'], networks: [{ operator: 'Telenor NO', plmn: '24201' }, { operator: 'Telia N', plmn: '24202' }] }, // prettier-ignore
  JP: {
    spots: ['港', '倉庫', '駅前', '工場', '店舗'],
    networks: [
      { operator: 'NTT DOCOMO', plmn: '44010' },
      { operator: 'KDDI', plmn: '44050' },
    ],
  },
  UA: { spots: ['склад', 'елеватор', 'вокзал', 'підстанція', 'магазин'], networks: [{ operator: 'Kyivstar', plmn: '25503' }, { operator: 'Vodafone UA', plmn: '25501' }] }, // prettier-ignore
  GB: { spots: ['depot', 'harbour', 'kiosk', 'pumping station', 'bus stop'], networks: [{ operator: 'EE', plmn: '23430' }, { operator: 'vodafone UK', plmn: '23415' }] }, // prettier-ignore
};

export interface Network {
  operator: string;
  plmn: string;
}

/** Another network of the same country, for the SIM in a second modem. */
export function otherNetwork(network: Network): Network {
  const all = Object.values(COUNTRIES).find(({ networks }) => networks.some(({ plmn }) => plmn === network.plmn))?.networks ?? [];
  return all.find(({ plmn }) => plmn !== network.plmn) ?? network;
}

/** What does not change over a device's life. */
export interface Identity {
  serial: string;
  mac: string;
  imei: string | undefined;
  model: Model;
  firmware: string;
  name: string;
  network: Network;
  roaming: boolean;
}

/** Who a device says it is, in the words of `up/hello`. */
export function identityOf({ serial, mac, imei, model, firmware }: Identity) {
  return {
    v: 1,
    serial,
    mac,
    imei,
    model: model.name,
    firmware,
    os: 'Canopy simulated device',
    hostname: `Simulated-${model.name}`,
    timezone: 'Europe/Oslo',
  };
}

/** Makes up the device at a place in the fleet; the index is in its name and serial number, so that both are unique. */
export function makeIdentity(index: number, random: Random, { old, namePrefix }: { old: boolean; namePrefix: string }): Identity {
  const model = random.pick(MODELS);
  const place = PLACES[random.between(0, PLACES.length - 1)] ?? PLACES[0];
  const country = COUNTRIES[place[1]];
  return {
    serial: `${random.digits(5)}${String(index).padStart(5, '0')}`,
    mac: `00:1E:42:${random.hex(6).replace(/(..)(?=.)/g, '$1:')}`,
    imei: model.modem === undefined ? undefined : makeImei(random),
    model,
    firmware: `${model.family}${random.pick(old ? OLD : CURRENT)}`,
    name: `${namePrefix}${place[0]} ${random.pick(country.spots)} ${String(index + 1).padStart(2, '0')}`,
    network: random.pick(country.networks),
    roaming: random.next() < 0.05,
  };
}

function makeImei(random: Random): string {
  const digits = `35${random.digits(12)}`;
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[i]) * (i % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
