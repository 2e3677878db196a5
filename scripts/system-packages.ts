import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findBrowser } from './find-browser.ts';
import { findOnPath, findPostgres } from './find-program.ts';

/** What the tests need beside npm's packages: real counterparts of server and agent. */
const SYSTEM_PACKAGES: { debian: string; isThere: () => boolean }[] = [
  { debian: 'chromium', isThere: () => findBrowser() !== undefined },
  { debian: 'postgresql', isThere: () => findPostgres() !== undefined },
  { debian: 'mosquitto', isThere: () => hasAll('mosquitto', 'mosquitto_ctrl', 'mosquitto_passwd') },
  { debian: 'mosquitto-clients', isThere: () => hasAll('mosquitto_pub', 'mosquitto_sub') },
  { debian: 'dash', isThere: () => hasAll('dash') },
  { debian: 'busybox', isThere: () => hasAll('busybox') },
  { debian: 'curl', isThere: () => hasAll('curl') },
  { debian: 'wget', isThere: () => hasAll('wget') },
  { debian: 'openssl', isThere: () => hasAll('openssl') },
  // Devices without od have hexdump.
  { debian: 'bsdextrautils', isThere: () => hasAll('hexdump') },
  { debian: 'coreutils', isThere: () => hasAll('timeout', 'od') },
  // The other ends of remote access: shells, files, desktops.
  { debian: 'openssh-server', isThere: () => hasAll('sshd') },
  { debian: 'openssh-client', isThere: () => hasAll('ssh', 'ssh-keygen') },
  { debian: 'dropbear-bin', isThere: () => hasAll('dropbear', 'dropbearkey') },
  { debian: 'inetutils-telnetd', isThere: () => hasAll('telnetd') },
  { debian: 'tigervnc-standalone-server', isThere: () => hasAll('Xtigervnc') },
  { debian: 'tigervnc-tools', isThere: () => hasAll('vncpasswd') },
  { debian: 'xsel', isThere: () => hasAll('xsel') },
  { debian: 'xfonts-base', isThere: () => existsSync('/usr/share/fonts/X11/misc') },
  { debian: 'freerdp2-x11', isThere: () => hasAll('xfreerdp') },
  { debian: 'freerdp2-shadow-x11', isThere: () => hasAll('freerdp-shadow-cli') },
  { debian: 'xrdp', isThere: () => hasAll('xrdp') },
  { debian: 'x11-xkb-utils', isThere: () => hasAll('setxkbmap', 'xkbcomp') },
  { debian: 'xterm', isThere: () => hasAll('xterm') },
  // Proxies in front of the server.
  { debian: 'haproxy', isThere: () => hasAll('haproxy') },
  { debian: 'nginx-light', isThere: () => hasAll('nginx') },
  // Tunnels and hubs, in network namespaces.
  { debian: 'openvpn', isThere: () => hasAll('openvpn') },
  { debian: 'wireguard-tools', isThere: () => hasAll('wg') },
  { debian: 'wireguard-go', isThere: () => hasAll('wireguard-go') },
  { debian: 'nftables', isThere: () => hasAll('nft') },
  { debian: 'iproute2', isThere: () => hasAll('ip') },
  { debian: 'iputils-ping', isThere: () => hasAll('ping') },
];

/**
 * @NOTE Debian starts the services of what it installs, and at every start of the machine again; a broker would take the port of ours. Services
 * that were there before are left alone.
 */
const INSTALL = `
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
  trap 'rm -f $policy' EXIT
  printf '#!/bin/sh\\nexit 101\\n' >$policy && chmod 755 $policy
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null || exit 1
command -v systemctl >/dev/null || exit 0
for name in "$@"; do case $name in mosquitto|postgresql|ssh|openvpn|haproxy|nginx) systemctl disable --quiet $name 2>/dev/null ;; xrdp) systemctl disable --quiet xrdp xrdp-sesman 2>/dev/null ;; esac; done
exit 0`;

function hasAll(...names: string[]): boolean {
  return names.every((name) => findOnPath([name]) !== undefined);
}

function findMissing(): string[] {
  return SYSTEM_PACKAGES.filter(({ isThere }) => !isThere()).map(({ debian }) => debian);
}

/** The words before a command that make it run as root without a question; undefined when there are none. */
function asRoot(): string[] | undefined {
  if (process.getuid?.() === 0) return [];
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? ['sudo', '-n'] : undefined;
}

function install(packages: readonly string[]): void {
  const prefix = findOnPath(['apt-get']) === undefined ? undefined : asRoot();
  if (!prefix) return;
  console.log(`Installing what the tests need (apt-get): ${packages.join(', ')} …`);
  const [command = 'sh', ...args] = [...prefix, 'sh', '-c', INSTALL, 'sh', ...packages];
  spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

const wanted = findMissing();
if (wanted.length > 0) install(wanted);
const missing = wanted.length > 0 ? findMissing() : [];
if (missing.length > 0) {
  console.error(
    `The tests need programs that this machine does not have. Install them, then run npm test again (package names of Debian):\n\n` +
      `  sudo apt-get install --no-install-recommends ${missing.join(' ')}\n` +
      (missing.includes('chromium') ? '\nAnother Chromium or Chrome serves as well: set CHROMIUM_PATH to it.\n' : ''),
  );
  process.exitCode = 1;
}
