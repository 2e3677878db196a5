import { ConfigError } from '../config.ts';

/** Where something was to listen, and the settings that say so. */
export interface ListenPlace {
  host: string;
  port: number;
  hostSetting: string;
  portSetting: string;
}

/** Why nothing can listen there, by the system's error code, naming the setting to change; undefined for faults that are none of a setting. */
export function listenFault({ host, port, hostSetting, portSetting }: ListenPlace, code: unknown): ConfigError | undefined {
  const ofPort = `${portSetting}="${port}":`;
  switch (code) {
    case 'EADDRINUSE':
      return new ConfigError(`${ofPort} another program listens there already. Set ${portSetting} to a free one.`);
    case 'EACCES':
      return new ConfigError(`${ofPort} this user may not listen there. Ports below 1024 need a right of their own.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ConfigError(`${hostSetting}="${host}": this machine has no such address. Use 127.0.0.1, or 0.0.0.0 for all interfaces.`);
    default:
      return undefined;
  }
}
