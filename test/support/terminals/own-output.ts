/** What the program may say to a terminal: its own few sequences and text, whatever the server and its users say. */
import { expect } from 'vitest';

/** Screen and modes, the window's title, questions at the start, pictures, links to web addresses, cursor (a short way by CR and BS) and its shape, erasing to the end of a row, and the screen on the way out, colours. */
const own =
  /\x1b\[\?(?:1049|2004|1004|2031|1000|1002|1003|1006|1015|2026|25|7|1|6)[hl]|\x1b\[\?u|\x1b\]11;\?\x1b\\|\x1b\]99;i=msg-tui:p=\?;\x1b\\|\x1b\[2[23];2t|\x1b\]2;[^\x00-\x1f\x7f-\x9f]*\x1b\\|\x1b\[(?:c|5n)|\x1b\[[<>][0-9]*u|\x1b\[[0-9]*(?:;[0-9]*)?H|\x1b\[[0-9]*[GCKX]|\x1b\[2J|\x1b\[J(?=\x1b\[\?7h)|\x1b\[[026] q|\x1b\[r|\x1b\[[0-9;:]*m|\x1b_G[A-Za-z0-9=,]*(?:;[A-Za-z0-9+/=]*)?\x1b\\|\x1b\]1337;File=[A-Za-z0-9=;]*:[A-Za-z0-9+/=]*\x07|\x1bP7;1;0q[0-9;!\x22#$\-?-~]*\x1b\\|\x1b\[>0q|\x1b\[1[46]t|\x1b\]8;(?:id=[0-9a-z]{1,7};https?:\/\/[\x21-\x7e]{1,700}|;)\x1b\\|\x1b>|\x1b\(B|[\b\r\x0f]/g;

/** Texts handed to the clipboard, which only a key of the user does. */
const copies = /\x1b\]52;c;([A-Za-z0-9+/]+=*)\x1b\\/g;

export const copiedIn = (output: string): readonly string[] =>
  [...output.matchAll(copies)].map(([, payload = '']) => Buffer.from(payload, 'base64').toString());

/**
 * @param copied how many texts the user copied
 * @throws when the output holds anything else, clears the scrollback, or clears the screen but on entering it
 */
export function expectOwnOutput(output: string, copied = 0): void {
  expect(copiedIn(output), 'texts handed to the clipboard').toHaveLength(copied);
  // After the way out come lines for the shell; a program that is killed may leave half a sequence.
  const rest = output
    .replaceAll('\r\n', '')
    .replace(copies, '')
    .replace(own, '')
    .replace(/\x1b(?:\[[0-9;?]*)?$/, '');
  expect([...rest.matchAll(/[\x00-\x1f\x7f-\x9f][\s\S]{0,20}/g)].map(([bytes]) => JSON.stringify(bytes))).toEqual([]);
  expect(output).not.toContain('\x1b[3J');
  expect(output.split('\x1b[2J').length, 'clears the screen as often as it enters it').toBeLessThanOrEqual(
    output.split('\x1b[?1049h').length,
  );
}
