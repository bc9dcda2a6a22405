/** Messages as long and as awkward as they come, by the name of who sends them. */
export const longTexts: Readonly<Record<string, string>> = {
  megabyte: 'hello brave new world '.repeat(47_000),
  emoji: '👩‍👩‍👧'.repeat(80_000),
  lines: 'one line of very many\n'.repeat(10_000),
  feeds: '\n'.repeat(1_000_000),
  word: 'x'.repeat(80_000),
  arabic: 'مرحبا'.repeat(16_000),
  devanagari: 'क्षि'.repeat(20_000),
  jamo: '\u1112\u1161\u11ab'.repeat(26_667),
  overrides: '\u202e'.repeat(80_000),
};

/** The three that the report has a column for. */
export const longKinds = ['megabyte', 'emoji', 'lines'] as const;
