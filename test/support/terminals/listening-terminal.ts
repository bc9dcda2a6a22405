/** A terminal emulator that notes everything but drawing. */
import headless from '@xterm/headless';

/** `events` stays empty as long as what is written only draws. */
export function listeningTerminal(): {
  readonly write: (text: string) => Promise<void>;
  readonly events: string[];
  readonly terminal: headless.Terminal;
} {
  const terminal = new headless.Terminal({ cols: 200, rows: 20, allowProposedApi: true });
  const events: string[] = [];
  terminal.onData((data) => events.push(`reply ${JSON.stringify(data)}`));
  terminal.onTitleChange((title) => events.push(`title ${title}`));
  terminal.onBell(() => events.push('bell'));
  for (let code = 0; code < 2000; code++) {
    terminal.parser.registerOscHandler(code, () => events.push(`OSC ${code}`) > 0);
  }
  for (const final of '@ABCDEFGHIJKLMPSTXZ`abcdefghilmnpqrstuvwxyz'.split('')) {
    for (const prefix of ['', '?', '>']) {
      const id = prefix === '' ? { final } : { prefix, final };
      terminal.parser.registerCsiHandler(id, () => events.push(`CSI ${prefix}${final}`) > 0);
      if (prefix === '') terminal.parser.registerDcsHandler(id, () => events.push(`DCS ${final}`) > 0);
    }
  }
  for (const final of 'cDEHMNOZ78=>klmno|}~'.split(''))
    terminal.parser.registerEscHandler({ final }, () => events.push(`ESC ${final}`) > 0);
  return { terminal, events, write: (text) => new Promise((resolve) => terminal.write(text, resolve)) };
}
