// Colours and cursor moves of a terminal (ECMA-48): CSI `\e[1;31m`, OSC `\e]0;title\a`, and short ones such as `\eM`.
const ESCAPES =
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[PX^_][^\u001B]*(?:\u001B\\)?|[ -/]*[0-~])|\u009B[0-?]*[ -/]*[@-~]/g;
// Other control characters but tab and line feed, and the marks that turn the direction of text around.
const UNSEEN = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/** What a device printed, as text that cannot draw over anything: escape sequences and unseen characters are taken out, line ends made one kind. */
export function plainOutput(output: string): string {
  return output.replace(ESCAPES, '').replace(/\r\n?/g, '\n').replace(UNSEEN, '');
}

const LINE_LENGTH = 160;

/** The first line of what a device printed that is not empty, cut where it is long; empty where there is none. */
export function firstLine(output: string | null): string {
  const line = plainOutput(output ?? '')
    .split('\n')
    .find((one) => one.trim() !== '');
  const characters = [...(line ?? '').trim()];
  return characters.length > LINE_LENGTH ? `${characters.slice(0, LINE_LENGTH).join('')}…` : characters.join('');
}
