/**
 * Copies through the terminal, which works over ssh too: OSC 52 of xterm's control sequences. `copyLimit` in
 * `state/select/message-texts.ts` says how long a text may be.
 */
import type { SafeText } from '../text/safe-text.ts';

/** @returns the bytes for `Screen.writeControl`; the text cannot end the sequence, as base64 has neither ESC nor BEL */
export const clipboardSequence = (text: SafeText): string => `\x1b]52;c;${Buffer.from(text).toString('base64')}\x1b\\`;
