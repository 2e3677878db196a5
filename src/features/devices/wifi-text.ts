/** `\`, `;`, `,`, `:` and `"` part the members, so those of names and passwords are escaped. */
const escaped = (text: string): string => text.replace(/([\\;,:"])/g, '\\$1');

/** What phones read from a QR code to join a Wi-Fi network: `WIFI:T:WPA;S:name;P:password;;`, without a password `T:nopass`. */
export function wifiText(ssid: string, password: string): string {
  return password === '' ? `WIFI:T:nopass;S:${escaped(ssid)};;` : `WIFI:T:WPA;S:${escaped(ssid)};P:${escaped(password)};;`;
}
