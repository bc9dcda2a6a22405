/** A picture of a message: the question, the picture, and what is not sent to its host. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { png } from '../support/builders/png.ts';
import { readSixels } from '../support/builders/sixels.ts';
import { journey } from '../support/terminals/journey.ts';
import { talking } from './cast.ts';

/** A host of pictures, with what it was asked. */
async function startHost(): Promise<{ readonly url: string; readonly asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const host = createServer((request, response) => {
    asked.push(request);
    if (request.url?.startsWith('/moved') === true) response.writeHead(302, { location: '/flag.png' }).end();
    else response.end(png(40, 20, (x) => (x < 20 ? [255, 0, 0] : [0, 0, 255])));
  });
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
  onTestFinished(() => void host.close());
  return { url: `http://127.0.0.1:${(host.address() as AddressInfo).port}`, asked };
}

test('o asks, and then shows the picture in half blocks', async () => {
  const { url, asked } = await startHost();
  const attachment = (file: string) => [{ file_url: `${url}/${file}`, filename: file, file_type: 'image/png' }];
  const j = await journey({
    size: '80x24',
    env: { COLORTERM: 'truecolor' },
    seed: talking({
      between: ['me', 'ann'],
      messages: [
        { from: 'ann', text: 'This one is away', at: -60, attachments: attachment('moved.png') },
        { from: 'ann', text: 'Our flag', at: -50, attachments: attachment('flag.png') },
      ],
    }),
  });
  await j.open('ann');
  await j.see(/flag\.png \(.*\)[\s│]*· o shows it/);
  expect(asked).toEqual([]);
  j.press('focus.previous', 'message.last', 'message.openLink');
  await j.see(`Show pictures from ${new URL(url).host}?`);
  // A question takes no answer in its first moments.
  await new Promise((resolve) => setTimeout(resolve, 500));
  j.type('a');
  await j.see((screen) => screen.filter((row) => row.includes('▀'.repeat(32))).length === 8);
  await j.see('not shown: it has moved to another address');
  expect(j.rows('flag.png').join()).not.toContain('shows it');
  const flag = j.tui.screen().findIndex((row) => row.includes('▀▀'));
  expect(j.tui.cells(flag)).toContain(`▀{50331648,${0xff0000},50331648,${0xff0000},`);
  expect(asked.map((request) => request.url).sort()).toEqual(['/flag.png', '/moved.png']);
  for (const { headers } of asked) expect(headers).not.toHaveProperty('authorization');
});

test('if the setting allows it no question is asked, and a terminal with pictures draws it itself', async () => {
  const { url } = await startHost();
  const attachments = [{ file_url: `${url}/flag.png`, filename: 'flag.png', file_type: 'image/png' }];
  const messages = [{ from: 'ann', text: 'Our flag', at: -50, attachments }];
  const j = await journey({ seed: talking({ between: ['me', 'ann'], messages }), start: false });
  mkdirSync(join(j.folder, 'config/msg-tui'), { recursive: true });
  writeFileSync(join(j.folder, 'config/msg-tui/config.toml'), 'pictures = "always"\n');
  j.start({ TERM: 'xterm-kitty', COLORTERM: 'truecolor' });
  await j.open('ann');
  await j.see('\u{10eeee}');
  expect(j.tui.output()).toMatch(/\x1b_Ga=T,U=1,q=2,f=32,o=z,s=40,v=20,i=\d+,c=4,r=1,m=0;/);
  expect(j.screen()).not.toContain('▀');
});

/** A conversation with a picture in a terminal that answers as the test says. */
async function inTerminal(env: Readonly<Record<string, string>>, answers: string, config = '') {
  const { url } = await startHost();
  const attachments = [{ file_url: `${url}/flag.png`, filename: 'flag.png', file_type: 'image/png' }];
  const messages = [{ from: 'ann', text: 'Our flag', at: -50, attachments }];
  const j = await journey({ seed: talking({ between: ['me', 'ann'], messages }), start: false, answers: false });
  mkdirSync(join(j.folder, 'config/msg-tui'), { recursive: true });
  writeFileSync(join(j.folder, 'config/msg-tui/config.toml'), `pictures = "always"\n${config}`);
  j.start({ COLORTERM: 'truecolor', ...env });
  await j.tui.waitForOutput('\x1b[c');
  j.tui.send(answers);
  await j.open('ann');
  return j;
}

test('a terminal with sixels gets the pixels of the picture, and again after Ctrl-L and at another size', async () => {
  const j = await inTerminal({}, '\x1bP>|foot(1.20.2)\x1b\\\x1b[6;20;8t\x1b[?62;4;22c');
  const sixels = () => j.tui.output().match(/\x1bP7;1;0q[^\x1b]*\x1b\\/g) ?? [];
  await j.see(() => sixels().length === 1);
  const { width, height, pixels } = readSixels(sixels()[0] ?? '');
  expect([width, height]).toEqual([40, 20]);
  expect(pixels).toEqual(Array.from({ length: 800 }, (_, i) => (i % 40 < 20 ? [100, 0, 0] : [0, 0, 100])));
  // The cells below it are blank, and nothing else in them is sent.
  expect(j.screen()).not.toContain('▀');
  j.tui.press('ctrl+l');
  await j.see(() => sixels().length === 2);
  j.resize(90, 28);
  await j.see(() => sixels().length === 3);
  expect(j.screen()).not.toContain('▀');
});

test('iTerm2 gets the picture as a file', async () => {
  const j = await inTerminal({ TERM_PROGRAM: 'iTerm.app' }, '\x1b[?62;4c');
  await j.tui.waitForOutput('\x1b]1337;File=inline=1;size=');
  expect(j.tui.output()).toMatch(/width=4;height=1;preserveAspectRatio=1;doNotMoveCursor=1:iVBORw0KGgo/);
  await j.see((screen) => screen.every((row) => !row.includes('▀')));
});

test('the setting decides how pictures are drawn, also while they are on the screen', async () => {
  const answers = '\x1bP>|foot(1.20.2)\x1b\\\x1b[6;20;8t\x1b[?62;4;22c';
  const j = await inTerminal({}, answers, 'picture_protocol = "blocks"\n');
  await j.see('▀▀▀▀');
  expect(j.tui.output()).not.toContain('\x1bP7;1;0q');
  writeFileSync(join(j.folder, 'config/msg-tui/config.toml'), 'pictures = "always"\n');
  await j.tui.waitForOutput('\x1bP7;1;0q');
  await j.see((screen) => screen.every((row) => !row.includes('▀')));
  writeFileSync(join(j.folder, 'config/msg-tui/config.toml'), 'pictures = "always"\npicture_protocol = "kitty"\n');
  await j.see('\u{10eeee}');
});
