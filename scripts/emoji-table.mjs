/** Writes src/text/emoji/emoji-table.ts: every short name of gemoji with its emoji, and a few names that other services use. */
import { writeFileSync } from 'node:fs';
import { gemoji } from 'gemoji';

const aliases = {
  '+1': ['like', 'thumbs_up'],
  '-1': ['dislike', 'thumbs_down'],
  heart: ['love', 'red_heart'],
  joy: ['laugh', 'haha', 'lol'],
  open_mouth: ['wow'],
  cry: ['sad'],
  tada: ['party', 'celebrate'],
  white_check_mark: ['check', 'done'],
  pray: ['thanks'],
  100: ['hundred'],
};

const glyphs = new Map();
for (const { emoji, names } of gemoji) for (const name of names) glyphs.set(name, emoji);
for (const [name, others] of Object.entries(aliases)) {
  for (const other of others) if (!glyphs.has(other)) glyphs.set(other, glyphs.get(name));
}

const words = [...glyphs].map(([name, glyph]) => `${name} ${glyph}`);
const lines = [''];
for (const word of words) {
  const line = lines.at(-1);
  if (line.length + word.length > 110) lines.push(word);
  else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
}
const source = `/** Written by scripts/emoji-table.mjs from gemoji (MIT): \`name glyph name glyph …\`. */

export const emojiTable =
${lines.map((line, index) => `  '${line}${index < lines.length - 1 ? " ' +" : "';"}`).join('\n')}
`;
writeFileSync(new URL('../src/text/emoji/emoji-table.ts', import.meta.url), source);
console.log(`${glyphs.size} names`);
