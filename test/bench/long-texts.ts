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

/** Messages of seven rows each, by the name of who sends forty of them. */
export const pageTexts = {
  prose: (n: number): string =>
    `Message ${n} of the harbour crew\n${'the ferry leaves at nine and is back before noon\n'.repeat(5)}see you there`,
  code: (n: number): string =>
    `\`\`\`ts\nexport function tide${n}(harbour: string): number {\n  // High water, in minutes after midnight.\n` +
    "  const table = new Map([['pier', 540], ['quay', 12.5]]);\n  if (harbour === '') throw new Error(`no harbour`);\n" +
    '  return table.get(harbour) ?? -1;\n}\n```',
} as const;
