/** Replaces the signs in the program's texts and key labels for terminals that have ASCII alone. */
const spelled: Readonly<Record<string, string>> = {
  '·': '-',
  '–': '-',
  '…': '...',
  '↑': 'Up',
  '↓': 'Down',
  '←': 'Left',
  '→': 'Right',
};

/** Only for the program's own words; what people wrote is never changed. */
export const inAscii = <T extends string>(text: T): T =>
  text.replace(/[·–…↑↓←→]/g, (sign) => spelled[sign] ?? sign) as T;
