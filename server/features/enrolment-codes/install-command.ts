// `https://fleet.example.org:8443/canopy` needs no quotes; anything else gets them.
const PLAIN = /^[A-Za-z0-9:/._~%\-[\]]+$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The one line that joins a device, for a shell with curl and for one with wget. */
export function installCommands(publicUrl: string, code: string): { curl: string; wget: string } {
  const script = quoted(`${publicUrl}/agent/canopy-agent`);
  const install = `sh -s -- install --url ${quoted(publicUrl)} --code ${code}`;
  return { curl: `curl -fsS ${script} | ${install}`, wget: `wget -qO- ${script} | ${install}` };
}
