/** The signs of our own words and key labels for terminals that have ASCII alone. */
const spelled: Readonly<Record<string, string>> = {
  '·': '-',
  '–': '-',
  '…': '...',
  '↑': 'Up',
  '↓': 'Down',
  '←': 'Left',
  '→': 'Right',
};

/** For one's own words: what people wrote is shown as they wrote it. */
export const inAscii = <T extends string>(text: T): T =>
  text.replace(/[·–…↑↓←→]/g, (sign) => spelled[sign] ?? sign) as T;
