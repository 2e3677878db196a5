/** `jobs.214` → 214; `undefined` for a channel of something else. */
export function jobOfChannel(channel: string | undefined): number | undefined {
  const id = /^jobs\.(\d+)$/.exec(channel ?? '')?.[1];
  return id === undefined ? undefined : Number(id);
}
