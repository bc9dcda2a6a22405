/** The real client, engine, panes and screen on a terminal emulator, behind a server that puts one string in one field. */
import { createServer, type Socket } from 'node:net';
import { createClient } from '../../../src/api/client.ts';
import { createHintSelector } from '../../../src/commands/footer.ts';
import { createKeymap } from '../../../src/commands/keymap.ts';
import { keyLabel } from '../../../src/commands/label.ts';
import { commands } from '../../../src/commands/table.ts';
import { createAppStore, initialState } from '../../../src/state/store.ts';
import { setSize } from '../../../src/state/view/view.ts';
import { Screen } from '../../../src/terminal/screen.ts';
import { Painter } from '../../../src/ui/painter.ts';
import { createPanes } from '../../../src/view/panes.ts';
import { themes } from '../../../src/view/theme.ts';
import { fakeClock } from '../clocks/fake-clock.ts';
import { watchedClient } from '../clocks/watched-client.ts';
import { type Encoding, type Field, inJson } from '../corpora/threats.ts';
import { createHeadless } from '../terminals/headless.ts';
import { expectOwnOutput } from '../terminals/own-output.ts';
import { engineInMemory } from '../worlds/engine-in-memory.ts';

export interface Shown {
  /** What a terminal would have done but draw: answers, titles, bells, modes; and what else is wrong. */
  readonly wrong: readonly string[];
  readonly screen: readonly string[];
}

export interface ThreatStage {
  show(field: Field, encoding: Encoding, text: string): Promise<Shown>;
  close(): Promise<void>;
}

const columns = 100;
const rows = 30;
const groupId = 'g1';
const b = (text: string): Buffer => Buffer.from(text);

/** What the server answers with one field replaced. */
interface Answers {
  readonly conversations: Buffer;
  readonly messages: Buffer;
  readonly refusal: { readonly body: Buffer; readonly header: Buffer };
}

function answersWith(field: Field, encoding: Encoding, text: string): Answers {
  const at = (which: Field, otherwise: string): Buffer => (which === field ? inJson(text, encoding) : b(otherwise));
  const message = Buffer.concat([
    ...[b('{"id":'), at('id', '"m1"'), b(',"conversation_id":"c1","contact":{"id":"k1","username":')],
    ...[at('contact name', '"ann"'), b(',"created_at":1750000000},"message":'), at('message text', '"hello there"')],
    ...[b(',"reactions":[{'), at('reaction', '"thumbsup"'), b(':["ann"]}],"attachments":[{"id":"f1","filename":')],
    ...[at('attachment name', '"a.txt"'), b(',"file_url":"https://a.example/f"}],"read_at":null,"created_at":')],
    ...[at('time as text', '1795180000'), b(',"updated_at":null,"extra":'), at('unknown field', '1'), b('}')],
  ]);
  const quiet = `{"id":"m2","conversation_id":"c1","contact":{"id":"k2","username":"bob"},"message":"untouched","reactions":[],"attachments":[],"read_at":null,"created_at":1795180001,"updated_at":null}`;
  const conversation = `{"id":"c1","contact_id":null,"group_id":"${groupId}","pinned_message_id":null,"is_pinned":false,"is_muted":false,"last_active_at":1795180001,"last_opened_at":null,"created_at":1750000000,"archived_at":null}`;
  // Characters that would end a header line cannot be in one.
  const header = text.replace(/[\r\n\0]/g, '').slice(0, 4_000);
  return {
    conversations: b(`{"has_more":false,"data":[${conversation}]}`),
    messages: Buffer.concat([b(`{"has_more":false,"data":[${quiet},`), message, b(']}')]),
    refusal: {
      body: Buffer.concat([b('{"message":'), at('error body', '"no"'), b(',"code":'), at('error body', '"x"'), b('}')]),
      header: field === 'header' ? Buffer.from(header, encoding === 'raw bytes' ? 'utf8' : 'latin1') : b('plain'),
    },
  };
}

export async function threatStage(): Promise<ThreatStage> {
  let answers = answersWith('message text', 'JSON escapes', 'hello');
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    let asked = '';
    socket.on('data', (data: Buffer) => {
      asked += data.toString('latin1');
      if (!asked.includes('\r\n\r\n')) return;
      const [method = '', url = ''] = asked.split(' ');
      asked = '';
      socket.write(reply(answers, method, url));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: 'token-of-a-test' });
  return {
    show: async (field, encoding, text) => {
      answers = answersWith(field, encoding, text);
      return look(client, field === 'conversation title' ? text : 'crew');
    },
    close: async () => {
      await client.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

function reply({ conversations, messages, refusal }: Answers, method: string, url: string): Buffer {
  const well = (body: Buffer): Buffer =>
    Buffer.concat([
      b(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`),
      body,
    ]);
  if (method === 'GET') return well(url.startsWith('/v1/conversations') ? conversations : messages);
  const { body, header } = refusal;
  const lines = ['server', 'request-id', 'x-request-id', 'location', 'retry-after', 'deprecation', 'sunset'];
  const headers = lines.flatMap((name) => [b(`${name}: `), header, b('\r\n')]);
  return Buffer.concat([
    b('HTTP/1.1 422 No\r\n'),
    ...headers,
    b(`connection: close\r\ncontent-length: ${body.length}\r\n\r\n`),
    body,
  ]);
}

async function look(client: ReturnType<typeof createClient>, title: string): Promise<Shown> {
  const watched = watchedClient(client);
  const clock = fakeClock(watched.isBusy);
  const bugs: string[] = [];
  const start = initialState();
  const store = createAppStore({ ...start, local: { ...start.local, names: new Map([[groupId, title]]) } });
  const engine = engineInMemory(watched.client, store, clock, bugs);
  const tty = createHeadless(columns, rows);
  const events = listen(tty.terminal);
  const screen = new Screen({ tty, schedule: () => {} });
  const keymap = createKeymap(commands);
  const made = createPanes({
    theme: themes.dark,
    ascii: false,
    now: clock.now,
    keyOf: (id) => keyLabel(keymap.keysOf(id)[0] ?? ''),
  });
  const hintsOf = createHintSelector(keymap);
  const painter = new Painter({ ...store, screen, panes: () => made, hintsOf, isCovered: () => false });
  screen.enter();
  store.setState(setSize({ columns, rows }));
  store.setState((state) => ({ ...state, view: { ...state.view, openId: 'c1' } }));
  engine.start();
  engine.openConversation('c1');
  await clock.advance(3_000);
  engine.enqueue({ kind: 'message.send', conversationId: 'c1', text: 'is refused' });
  await clock.advance(3_000);
  painter.paint();
  await tty.settled();
  painter.stop();
  await engine.stop();
  const shown = tty.text();
  const modes = JSON.stringify(tty.terminal.modes);
  const wrong = [...bugs, ...events, ...frameOf(shown)];
  try {
    expectOwnOutput(tty.chunks.join(''));
  } catch (error) {
    wrong.push(String(error).slice(0, 500));
  }
  if (tty.terminal.buffer.active.type !== 'alternate') wrong.push('the screen was left');
  if (!modes.includes('"bracketedPasteMode":true')) wrong.push(`modes: ${modes}`);
  tty.terminal.dispose();
  return { wrong, screen: shown };
}

/** Everything a terminal does but draw. Our own questions have no business here: the emulator's answers are left out. */
function listen(terminal: ReturnType<typeof createHeadless>['terminal']): readonly string[] {
  const events: string[] = [];
  terminal.onTitleChange((title) => events.push(`title ${title}`));
  terminal.onBell(() => events.push('bell'));
  terminal.onData((data) => events.push(`answers ${JSON.stringify(data)}`));
  for (let code = 0; code < 2_000; code += 1)
    terminal.parser.registerOscHandler(code, () => events.push(`OSC ${code}`) > 0);
  return events;
}

/** No row was moved, widened or erased: the frame is where it was drawn. */
function frameOf(shown: readonly string[]): readonly string[] {
  const wrong: string[] = [];
  if (!/^┌ Conversations .*┬ .*┐$/.test(shown[1] ?? '')) wrong.push(`the frame begins with ${shown[1]}`);
  const body = shown.slice(2, rows - 3);
  for (const row of body) if (!/^│.*│.*│$|^│.*├.*┤$/.test(row)) wrong.push(`a row of the frame is ${row}`);
  return wrong;
}
