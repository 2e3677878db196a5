import type { DetailsReport } from './details-report.ts';

export interface SeenHost {
  mac: string;
  ip: string | null;
  name: string | null;
  /** A port, or the interface of a Wi-Fi network; null when the device only gave it an address. */
  port: string | null;
  isWireless: boolean;
}

/** Who is in the network of a device as it reports, by MAC: behind its ports, on its Wi-Fi, or with an address from it. */
export function hostsOf({ ports, leases, wireless }: Pick<DetailsReport, 'ports' | 'leases' | 'wireless'>): Map<string, SeenHost> {
  const hosts = new Map<string, SeenHost>();
  for (const { mac, ip, name } of leases ?? []) hosts.set(mac, { mac, ip, name, port: null, isWireless: false });
  for (const { name: port, hosts: behind } of ports ?? [])
    for (const { mac, ip, name } of behind) {
      const known = hosts.get(mac);
      hosts.set(mac, { mac, ip: ip ?? known?.ip ?? null, name: name ?? known?.name ?? null, port, isWireless: false });
    }
  for (const { interface: port, macs } of wireless ?? [])
    for (const mac of macs ?? []) {
      const known = hosts.get(mac);
      hosts.set(mac, { mac, ip: known?.ip ?? null, name: known?.name ?? null, port, isWireless: true });
    }
  return hosts;
}
