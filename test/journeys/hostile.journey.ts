/** Nothing that names, messages, reactions, attachments or errors say drives the terminal (docs/requirements.md). */
import { expect, test } from 'vitest';
import { journey } from '../support/terminals/journey.ts';
import { seed, talking } from './cast.ts';

const ESC = '\x1b';
const BEL = '\x07';
const ST = `${ESC}\\`;

const attacks: Readonly<Record<string, string>> = {
  'T1 clipboard': `${ESC}]52;c;cm0gLXJmIH4=${BEL}${ESC}]52;c;AAAA${ST}\u009d52;c;AAAA\u009c`,
  'T2 questions': `${ESC}]52;c;?${BEL}${ESC}]10;?${BEL}${ESC}]4;0;?${BEL}${ESC}]50;?${BEL}`,
  'T3 title': `${ESC}]0;PWN${BEL}${ESC}kPWN${ST}${ESC}[21t`,
  'T4 link': `${ESC}]8;;https://evil.example${BEL}https://bank.example${ESC}]8;;${BEL}${ESC}]8;;${ESC}0m${ESC}[>0q`,
  'T5 notice': `${ESC}]777;notify;t;b${BEL}${ESC}]9;x${BEL}${ESC}]1337;File=a:AAAA${BEL}${ESC}]133;A${BEL}`,
  'T6 status': `${ESC}P$qm${ST}${ESC}P+q544e${ST}${ESC}[6n${ESC}[c${ESC}[>0q${ESC}Z\x05`,
  'T7 image': `${ESC}Pq#0~~${ST}${ESC}_Gf=24;AAAA${ST}${ESC}Ptmux;${ESC}${ESC}]52;c;AAAA${BEL}`,
  'T8 erase': `${ESC}[2J${ESC}[H${ESC}[10A${ESC}[3J${ESC}c${ESC}[?1049h${ESC}[?1000h${ESC}[4i${ESC}#8\x0e${ESC}(0`,
  'T9 back': `covered\rover\b\b\b\x7f\v\f\u0085\u2028\u2029 end`,
  'T10 style': `${ESC}[31m${ESC}[8m${ESC}[38:2::255:0:0m${ESC}[5m open`,
  'T11 joined': `${ESC}\n[2J${ESC}[${ESC}[31m31m tail ${ESC}`,
  'T12 unending': `${ESC}]${'A'.repeat(5_000)}`,
  'T13 order': `exe.\u202egpj \u2066isolated`,
  'T14 marks': `Z${'\u0300'.repeat(2_000)} ${'\ufe0f'.repeat(500)} \u3164\u00ad\u200b${'👩\u200d'.repeat(200)} end`,
  'T15 alike': 'code from раypal',
  'T16 forged': 'yes\n[12:00] cyd: send me the code',
};

test('the attacks T1 to T16 in messages, attachments and reactions do not reach the terminal', async () => {
  const messages = Object.entries(attacks).map(([name, text], index) => ({
    from: 'ann',
    text: `${name}: ${text}`,
    at: -1_000 + index,
    attachments: [{ file_url: 'https://example.org/f', filename: text.slice(0, 200) }],
    reactions: { thumbsup: ['ann'] },
  }));
  const j = await journey({ seed: talking({ between: ['me', 'ann'], messages }), size: '100x40' });
  await j.open('ann');
  await j.see('T16 forged: yes');
  // Behind the gutter of a body, and never in the place of an author.
  await j.see(/│ {3}\[12:00\] cyd: send me the code/);

  const seen: string[] = [];
  for (let pages = 0; pages < 12 && !j.screen().includes('T1 clipboard'); pages++) {
    seen.push(j.screen());
    const before = messagesOn(j.screen().split('\n'));
    j.press('thread.pageUp');
    await j.see((screen) => messagesOn(screen) !== before);
  }
  seen.push(j.screen());
  const all = seen.join('\n');
  for (const name of Object.keys(attacks)) expect(all).toContain(`${name}:`);
  expect(all).toContain('␛]52;c;cm0gLXJmIH4=␇');
  expect(all).toContain('⟦RLO⟧');
  expectQuiet(j.tui.output());
  // The frame is whole: no row was moved, widened or erased.
  const rows = j.screen().split('\n');
  expect(rows[1]).toMatch(/^┌ Conversations .*┬ ann .*┐$/);
  for (const row of rows.slice(2, 37)) expect(row).toMatch(/^│.*│.*│$|^│.*├.*┤$/);
  expect(j.tui.modes()).toEqual({ mouse: 'drag', paste: true, focus: true, wrap: false });
  expect((await j.quit()).code).toBe(0);
  expect(j.tui.modes()).toEqual({ mouse: 'none', paste: false, focus: false, wrap: true });
});

test('attacks in names, errors and headers do not reach the terminal', async () => {
  const evil = `${attacks['T1 clipboard']}${attacks['T3 title']}${attacks['T8 erase']}\u202egpj`;
  const j = await journey({
    seed,
    hook: async (request, next) => {
      const answer = await next();
      const url = new URL(request.url);
      if (request.method === 'POST')
        return Response.json({ message: evil, error: evil, code: evil }, { status: 422, headers: { server: 'x' } });
      if (!url.pathname.startsWith('/v1/messages') || !answer.ok || answer.status === 304) return answer;
      const body = (await answer.text()).replaceAll('"username":"ann"', `"username":${JSON.stringify(`ann${evil}`)}`);
      return new Response(body, { status: 200, headers: { 'content-type': 'application/json' } });
    },
  });
  await j.see(/ann␛\]52/);
  j.press('list.first', 'list.open');
  await j.see(/To ann␛\]52/);
  j.type('hello');
  j.press('message.send');
  await j.see('1 failed');
  await j.see(/! .*␛\]52;c;cm0/);
  expectQuiet(j.tui.output());
  expect(j.screen().split('\n')[1]).toMatch(/^┌ Conversations .*┬ ann.*┐$/);
  expect((await j.quit()).code).toBe(0);
});

/** Without the two headers, whose times change every minute. */
function messagesOn(screen: readonly string[]): string {
  return screen.slice(2).join('\n');
}

const ownLinks = /\x1b\]8;(?:id=[0-9a-z]{1,7};https?:\/\/[\x21-\x7e]{1,700}|;)\x1b\\/g;

/** Nothing that a terminal would answer, show elsewhere or keep. Questions of our own come at the very start. */
function expectQuiet(written: string): void {
  const output = written
    .replace(`${ESC}]11;?${ESC}\\`, '')
    .replace(`${ESC}]99;i=msg-tui:p=?;${ESC}\\`, '')
    // The window's title, which ends where its sequence does.
    .replace(/\x1b\]2;[^\x00-\x1f\x7f-\x9f]*\x1b\\/g, '')
    // Links, which lead where their own text or the attachment says.
    .replace(ownLinks, '');
  for (const introducer of [
    `${ESC}]`,
    `${ESC}P`,
    `${ESC}_`,
    `${ESC}^`,
    `${ESC}X`,
    `${ESC}k`,
    '\x90',
    '\x9d',
    '\x05',
    '\x0e',
  ])
    expect(output.includes(introducer), JSON.stringify(introducer)).toBe(false);
  expect(output.split(`${ESC}[c`)).toHaveLength(2);
  expect(output).not.toContain(BEL);
}
