/** Where the samples of a room are made: in a company, by a person of it, on a device; `marker` is part of every text that people could read. */
export interface SamplePlace {
  company: { id: number; path: string };
  user: { id: number; username: string };
  device: { id: number; name: string };
  marker: string;
}
