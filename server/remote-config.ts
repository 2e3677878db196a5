/** How devices and what is behind them are reached from the browser. */
export interface RemoteConfig {
  tunnelPort: number;
  tunnelHost: string;
  tunnelPublicHost: string | undefined;
  tunnelPublicPort: number | undefined;
  /** Of the web pages of devices. */
  pagesPort: number;
  /** `host` or `host:port`. */
  pagesDomain: string | undefined;
  direct: 'on' | 'off' | 'loopback';
  refused: string[];
  /** Of one process at once. */
  rdpDesktops: number;
}

const isDirect = (value: string): value is RemoteConfig['direct'] => ['on', 'off', 'loopback'].includes(value);

/** What a setting of remote access should have been; undefined for one that fits. */
export function remoteFault(
  name: string,
  value: string,
  isNetwork: (part: string) => boolean,
  parts: readonly string[],
): string | undefined {
  if (name === 'TUNNEL_PUBLIC_HOST' && !/^[\w.:-]*$/.test(value)) return 'a host name or an address';
  if (name === 'REMOTE_DOMAIN' && value !== '' && !/^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/.test(value))
    return 'a domain such as remote.example.org, in small letters';
  if (name === 'REMOTE_DIRECT' && !isDirect(value)) return 'on, off or loopback';
  if (name === 'REMOTE_REFUSED' && !parts.every(isNetwork)) return 'networks such as 10.0.0.0/8, separated by commas';
  return undefined;
}

type RemoteSetting =
  | 'HOST'
  | 'TUNNEL_PORT'
  | 'TUNNEL_HOST'
  | 'TUNNEL_PUBLIC_HOST'
  | 'TUNNEL_PUBLIC_PORT'
  | 'REMOTE_PORT'
  | 'REMOTE_DOMAIN'
  | 'REMOTE_DIRECT'
  | 'REMOTE_REFUSED'
  | 'RDP_DESKTOPS';

/** The settings of remote access, already checked. */
export function readRemote(text: (name: RemoteSetting) => string, listOf: (value: string) => string[]): RemoteConfig {
  const direct = text('REMOTE_DIRECT');
  return {
    tunnelPort: Number(text('TUNNEL_PORT')),
    tunnelHost: text('TUNNEL_HOST') || text('HOST'),
    tunnelPublicHost: text('TUNNEL_PUBLIC_HOST') || undefined,
    tunnelPublicPort: Number(text('TUNNEL_PUBLIC_PORT')) || undefined,
    pagesPort: Number(text('REMOTE_PORT')),
    pagesDomain: text('REMOTE_DOMAIN') || undefined,
    direct: isDirect(direct) ? direct : 'off',
    refused: listOf(text('REMOTE_REFUSED')),
    rdpDesktops: Number(text('RDP_DESKTOPS')),
  };
}
