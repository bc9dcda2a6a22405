/** What the user has set for the program. It is read from the state where it matters, so that a change counts at once. */

export interface Settings {
  /** Null: the theme follows the terminal. */
  readonly theme: ThemeName | null;
  /** A message waits this long before it leaves, and can be taken back so long. */
  readonly undoSendSeconds: number;
  /** Opening a conversation may retrieve it, which lets some servers mark its messages as read. */
  readonly revealReading: boolean;
  /** What becomes of a message after a 500 or 503 that the history does not show (R-SEND-1). */
  readonly resend: ResendRule;
  /** New tokens may be kept in the keyring of the system. */
  readonly keyring: boolean;
}

export type ThemeName = 'dark' | 'light' | 'high-contrast' | 'none';
export type ResendRule = 'ask' | 'auto-after-check';

export const defaultSettings: Settings = {
  theme: null,
  undoSendSeconds: 0,
  revealReading: true,
  resend: 'ask',
  keyring: true,
};
