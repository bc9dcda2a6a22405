/** Which texts are long: those that a server may refuse, and those that may have been pasted by mistake. */

/** A text with more characters than this is sent with a warning: the API document names no limit. */
const longMessage = 4_000;

export const isLongMessage = (text: string): boolean => text.length > longMessage;

const longLines = 50;
const longLength = 8_000;

/** Whether a text is so long that it may have been pasted, and sent, by mistake. */
export function isLongPaste(text: string): boolean {
  if (text.length >= longLength) return true;
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0 && lines < longLines; at = text.indexOf('\n', at + 1)) lines++;
  return lines >= longLines;
}
