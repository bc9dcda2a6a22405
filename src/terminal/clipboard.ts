/**
 * Copies through the terminal, which works over ssh too: OSC 52 of xterm's control sequences. `copyLimit` in
 * `state/select/message-texts.ts` says how long a text may be.
 */
import type { SafeText } from '../text/safe-text.ts';

/** The most characters of one string for GNU screen, which draws what is beyond the length that it can hold. */
const mostInScreen = 240;

/**
 * @param isScreen whether GNU screen has to hand the sequence on, which it does with a DCS alone
 * @returns the bytes for `Screen.writeControl`; the text cannot end the sequence, as base64 has neither ESC nor BEL
 */
export function clipboardSequence(text: SafeText, isScreen: boolean): string {
  const sequence = `\x1b]52;c;${Buffer.from(text).toString('base64')}`;
  if (!isScreen) return `${sequence}\x1b\\`;
  const whole = `${sequence}\x07`;
  const parts = Array.from({ length: Math.ceil(whole.length / mostInScreen) }, (_, i) =>
    whole.slice(i * mostInScreen, (i + 1) * mostInScreen),
  );
  return parts.map((part) => `\x1bP${part}\x1b\\`).join('');
}
