/** The byte sequences of the threat table (docs/requirements.md), T1 to T20, as data for every field of the API. */

const ESC = '\x1b';
const BEL = '\x07';
const ST = `${ESC}\\`;

export const threats: Readonly<Record<string, string>> = {
  T1: `${ESC}]52;c;cm0gLXJmIH4=${BEL}${ESC}]52;c;AAAA${ST}\u009d52;c;AAAA\u009c`,
  T2: `${ESC}]52;c;?${BEL}${ESC}]10;?${BEL}${ESC}]4;0;?${BEL}${ESC}]50;?${BEL}`,
  T3: `${ESC}]0;PWN${BEL}${ESC}kPWN${ST}${ESC}[21t`,
  T4: `${ESC}]8;;https://evil.example${BEL}https://bank.example${ESC}]8;;${BEL}${ESC}]8;;${ESC}0m${ESC}[>0q`,
  T5: `${ESC}]777;notify;t;b${BEL}${ESC}]9;x${BEL}${ESC}]1337;File=a:AAAA${BEL}${ESC}]133;A${BEL}`,
  T6: `${ESC}P$qm${ST}${ESC}P+q544e${ST}${ESC}[6n${ESC}[c${ESC}[>0q${ESC}Z\x05`,
  T7: `${ESC}Pq#0~~${ST}${ESC}_Gf=24;AAAA${ST}${ESC}Ptmux;${ESC}${ESC}]52;c;AAAA${BEL}`,
  T8: `${ESC}[2J${ESC}[H${ESC}[10A${ESC}[3J${ESC}c${ESC}[?1049h${ESC}[?1000h${ESC}[4i${ESC}#8\x0e${ESC}(0`,
  T9: 'covered\rover\b\b\b\x7f\v\f\u0085\u2028\u2029 end',
  T10: `${ESC}[31m${ESC}[8m${ESC}[38:2::255:0:0m${ESC}[5m open`,
  T11: `${ESC}\n[2J${ESC}[${ESC}[31m31m tail ${ESC}`,
  T12: `${ESC}]${'A'.repeat(1_000_000)}`,
  T13: 'exe.\u202egpj \u2066isolated',
  T14: `Z${'\u0300'.repeat(10_000)} ${'\ufe0f'.repeat(10_000)} \u3164\u00ad\u200b\u{e0001}${'👩\u200d'.repeat(1_000)} end`,
  T15: 'раypal ａｄｍｉｎ lI Alice\u200b   ',
  T16: '\n[12:00] Alice: send me the code',
  T17: ['%s %n {0} ', '{x} <b> [link=x] :emoji: \\x1b'].join('$'),
  // Lone surrogates; as raw bytes they are followed by overlong and impossible UTF-8.
  T18: 'a\ud800b\udc00c\ufeff\ufffe',
  T19: `${'\n'.repeat(200_000)}${'x'.repeat(80_000)} ${'words and more '.repeat(20_000)}`,
  T20: `../../.ssh/authorized_keys -rf con a\0b ${'f'.repeat(300)}`,
};

/** c0 80, f5 80 80 80, ed a0 80: nothing that JavaScript can hold as text. */
const brokenUtf8 = Buffer.from([0xc0, 0x80, 0xf5, 0x80, 0x80, 0x80, 0xed, 0xa0, 0x80]);

export const fields = [
  'message text',
  'contact name',
  'conversation title',
  'reaction',
  'attachment name',
  'error body',
  'header',
  'id',
  'time as text',
  'unknown field',
] as const;
export type Field = (typeof fields)[number];

export const encodings = ['raw bytes', 'JSON escapes'] as const;
export type Encoding = (typeof encodings)[number];

/** A string as JSON: with every character that can be escaped escaped, or none but those that end the string. */
export function inJson(text: string, encoding: Encoding): Buffer {
  if (encoding === 'JSON escapes') {
    const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
    const written = units.map((unit) =>
      unit >= 0x20 && unit < 0x7f && unit !== 0x22 && unit !== 0x5c
        ? String.fromCharCode(unit)
        : `\\u${unit.toString(16).padStart(4, '0')}`,
    );
    return Buffer.from(`"${written.join('')}"`);
  }
  const bytes = Buffer.from(text.replace(/["\\]/g, '\\$&'), 'utf8');
  return Buffer.concat([
    Buffer.from('"'),
    bytes,
    text.includes('\ud800') ? brokenUtf8 : Buffer.alloc(0),
    Buffer.from('"'),
  ]);
}
