// Colours and cursor moves of a terminal (ECMA-48): CSI `\e[1;31m`, OSC `\e]0;title\a`, and short ones such as `\eM`.
const ESCAPES =
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[PX^_][^\u001B]*(?:\u001B\\)?|[ -/]*[0-~])|\u009B[0-?]*[ -/]*[@-~]/g;
// Other control characters but tab and line feed, and the marks that turn the direction of text around.
const UNSEEN = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/** What a device printed, as text that cannot draw over anything: escape sequences and unseen characters are taken out, line ends made one kind. */
export function plainOutput(output: string): string {
  return output.replace(ESCAPES, '').replace(/\r\n?/g, '\n').replace(UNSEEN, '');
}
