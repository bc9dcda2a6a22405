/** The other commands that write: each against our server, and what they refuse. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Deadline } from '../../../src/cli/headless/deadline.ts';
import { saveLocally } from '../../../src/cli/headless/save-locally.ts';
import { archive, mute, pin, removeConversation } from '../../../src/cli/messages/change-conversation.ts';
import { edit, react, remove } from '../../../src/cli/messages/change-message.ts';
import { clearDraft, listDrafts, setDraft, showDraft } from '../../../src/cli/messages/drafts.ts';
import { startConversation } from '../../../src/cli/messages/new.ts';
import { discardOp, editOp, listOutbox, retryOp } from '../../../src/cli/messages/outbox.ts';
import { read } from '../../../src/cli/messages/read.ts';
import { runDelete, runDraftSet, runReact } from '../../../src/cli/messages/run-writing.ts';
import { sendContent } from '../../../src/cli/messages/send.ts';
import { startEditing, updateDraft } from '../../../src/state/composer/drafts.ts';
import { setName } from '../../../src/state/local/own-names.ts';
import { openDatabase } from '../../../src/storage/sqlite/driver.ts';
import { temporaryDirectory } from '../../storage/builders.ts';
import { expectShape } from './documented-shapes.ts';
import { type Ran, type WritingWorld, worldWithOnePage, writingWorld } from './writing-world.ts';

afterEach(() => void vi.unstubAllEnvs());

const last = { conversation: 'ann', message: 'last' };
const asJson = { json: true };

/** The document that was printed, if docs/json.md describes it so. */
function documentOf(section: string, { out }: Ran) {
  const document = JSON.parse(out);
  expectShape(section, document);
  return document;
}

const hour = 3_600_000;

describe('one message', () => {
  test('can be edited, reacted to and deleted, and the same command again changes nothing', async () => {
    const { server, run } = await writingWorld();
    const edited = await run((account, output) => edit(account, last, 'I will be late', asJson, output));
    const { id, conversation_id } = await server.me.find('ann', 'I will be late');
    expect(documentOf('change of a message', edited)).toMatchObject({ state: 'sent', conversation_id, message_id: id });
    const same = await run((account, output) => edit(account, last, 'I will be late', {}, output));
    expect(same).toMatchObject({ code: 0, error: '' });

    const hearts = async () => Object.keys(await server.me.reactions('ann', 'I will be late'));
    const word = { ...last, message: id };
    expect(await run((account, output) => react(account, word, '❤️', {}, output))).toMatchObject({ code: 0 });
    expect(await hearts()).toEqual(['heart']);
    expect(await run((account, output) => react(account, word, ':heart:', {}, output))).toMatchObject({ code: 0 });
    expect(await hearts()).toEqual(['heart']);
    // What has the text or the reaction already is not changed once more.
    expect(server.asked.filter(({ method }) => method === 'PUT')).toHaveLength(2);
    const back = await run((account, output) => react(account, word, 'heart', { remove: true, ...asJson }, output));
    expect(back).toMatchObject({ code: 0, error: '' });
    expect(documentOf('reaction', back)).toMatchObject({ message_id: id, reaction: 'heart' });
    expect(await hearts()).toEqual([]);

    const removed = await run((account, output) => remove(account, word, asJson, output));
    expect(documentOf('change of a message', removed)).toMatchObject({ state: 'sent', message_id: id });
    expect(await server.me.texts('ann')).not.toContain('I will be late');
    expect(await run((account, output) => remove(account, word, {}, output))).toMatchObject({ code: 5 });
  });

  test('last is the own newest message for edit, and the newest of others for react', async () => {
    const { server, run } = await writingWorld();
    expect(await run((account, output) => react(account, last, 'heart', { yes: true }, output))).toMatchObject({
      code: 0,
    });
    expect(Object.keys(await server.me.reactions('ann', 'The ferry leaves at nine'))).toEqual(['heart']);
    expect(await run((account, output) => edit(account, last, 'I come', {}, output))).toMatchObject({ code: 0 });
    expect(await server.me.texts('ann')).toContain('I come');
  });

  test('last is the newest message also where more is unread than the chat loads at once', async () => {
    const { server, run } = await writingWorld();
    await run((account, output) => read('ann', { timeout: 60 }, output, (act) => act(account)));
    const others = Array.from({ length: 220 }, (_, index) => `line ${index}`);
    for (const text of others) await server.as('ann').send('me', text);
    await server.me.send('ann', 'mine');
    expect(await run((account, output) => react(account, last, 'heart', { yes: true }, output))).toMatchObject({
      code: 0,
    });
    expect(Object.keys(await server.me.reactions('ann', 'line 219'))).toEqual(['heart']);
    expect(await run((account, output) => edit(account, last, 'MINE', {}, output))).toMatchObject({ code: 0 });
    expect((await server.me.texts('ann')).at(-1)).toBe('MINE');
  });

  test('last is refused where the server gives no way to the newest messages, and read says that they are missing', async () => {
    const { server, run } = await worldWithOnePage('/v1/messages', (rows) => rows.toReversed());
    const refused = {
      code: 1,
      out: '',
      error: expect.stringMatching(/^"last" is not known: this server gives no way/),
    };
    const content = { text: 'yes', attachments: [] };
    expect(await run((account, output) => react(account, last, 'heart', { yes: true }, output))).toMatchObject(refused);
    expect(await run((account, output) => edit(account, last, 'MINE', {}, output))).toMatchObject(refused);
    expect(await run((account, output) => remove(account, last, { yes: true }, output))).toMatchObject(refused);
    const reply = { reply: 'last' };
    expect(await run((account, output) => sendContent(account, 'ann', content, reply, output))).toMatchObject(refused);
    expect(server.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
    const reading = await run((account, output) =>
      read('ann', { timeout: 60, json: true }, output, (act) => act(account)),
    );
    expect(JSON.parse(reading.out)).toMatchObject({ lacks_newest: true });
  });

  test('changing a message of others ends with 6, and a word that is not a reaction with 2', async () => {
    const { server, run } = await writingWorld();
    const { id } = await server.me.find('ann', 'The ferry leaves at nine');
    const word = { conversation: 'ann', message: id };
    const refused = { code: 6, out: '', error: expect.stringMatching(/^only your own messages can be /) };
    expect(await run((account, output) => edit(account, word, 'no', {}, output))).toMatchObject(refused);
    expect(await run((account, output) => remove(account, word, {}, output))).toMatchObject(refused);
    expect(await run((account, output) => react(account, word, 'a[b', {}, output))).toMatchObject({ code: 2 });
    expect(server.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test('a word that is not a reaction is a usage error also without an account', async () => {
    const home = temporaryDirectory();
    for (const name of ['CONFIG', 'DATA', 'CACHE', 'STATE']) vi.stubEnv(`XDG_${name}_HOME`, home);
    for (const name of ['SERVER', 'TOKEN', 'PROFILE', 'CONFIG']) vi.stubEnv(`MSG_TUI_${name}`, undefined);
    await expect(runReact(last, 'heart', {})).rejects.toMatchObject({ code: 3 });
    await expect(runReact(last, 'bad[name', {})).rejects.toMatchObject({ code: 2 });
  });

  test('a change that another command carries out ends as the server has answered', async () => {
    const { server, run } = await writingWorld();
    await run((account, output) => read('ann', { timeout: 10 }, output, (act) => act(account)));
    const { id } = await server.me.find('ann', 'I will be there');
    const word = { conversation: 'ann', message: id };
    const content = { text: 'on its way', attachments: [] };
    const besideAMessage = async (change: Parameters<typeof run>[0], isRefused: boolean): Promise<Ran> => {
      let begin = (): void => undefined;
      let release = (): void => undefined;
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      server.setHook(async (request, next) => {
        if (request.method === 'POST') {
          begin();
          await held;
        } else if (request.method === 'DELETE') {
          release();
          if (isRefused) return Response.json({ error: { message: 'not you' } }, { status: 403 });
        }
        return next();
      });
      const message = run((account, output) => sendContent(account, 'ann', content, {}, output));
      await begun;
      const changed = await run(change);
      expect(await message).toMatchObject({ code: 0, error: '' });
      return changed;
    };
    const deletion: Parameters<typeof run>[0] = (account, output) => remove(account, word, { yes: true }, output);
    expect(await besideAMessage(deletion, true)).toMatchObject({
      code: 6,
      error: expect.stringMatching(/403: not you \(not done, and nothing is queued\)/),
    });
    expect(await besideAMessage(deletion, false)).toMatchObject({ code: 0, error: '', remarks: [] });
  });

  test('a reaction that the server forbids ends with 6', async () => {
    const { server, run } = await writingWorld();
    server.setHook(async (request, next) =>
      request.method === 'PUT' ? Response.json({ error: { message: 'no' } }, { status: 403 }) : next(),
    );
    const ran = await run((account, output) => react(account, last, 'heart', { yes: true }, output));
    expect(ran).toMatchObject({ code: 6, error: expect.stringMatching(/It said: .*403: no/) });
  });

  test('a change that the server refuses leaves nothing in the outbox', async () => {
    const { server, run, stored } = await writingWorld();
    await run((account, output) => sendContent(account, 'ann', { text: 'mine', attachments: [] }, {}, output));
    const body = JSON.stringify({ error: { message: 'no' } });
    server.setHook(async (request, next) =>
      request.method === 'DELETE'
        ? new Response(body, { status: 403, headers: { 'content-type': 'application/json' } })
        : next(),
    );
    const ran = await run((account, output) => remove(account, last, {}, output));
    expect(ran).toMatchObject({ code: 6, error: expect.stringContaining('nothing is queued') });
    expect((await stored()).getState().local.outbox).toEqual([]);
  });
});

test('what was edited is read and edited again by the next commands while the server still answers with the old text', async () => {
  const { server, run } = await writingWorld();
  const old = await server.me.find('ann', 'I will be there');
  const texts: (string | null)[] = [];
  // The changes are made elsewhere: the messages and lists that are read stay as they are.
  server.setHook(async (request, next) => {
    if (request.method !== 'PUT') return next();
    const message = new URLSearchParams(await request.text()).get('message');
    texts.push(message);
    return Response.json({ ...old, message, updated_at: Math.floor(Date.now() / 1000) });
  });
  for (const text of ['I will be late', 'I will not come'])
    expect(await run((account, output) => edit(account, last, text, {}, output))).toMatchObject({ code: 0, error: '' });
  expect(texts).toEqual(['I will be late', 'I will not come']);
  const printed = await run((account, output) => read('ann', { timeout: 10 }, output, (act) => act(account)));
  expect(printed.out).toContain('I will not come');
  expect(printed.out).not.toContain('I will be there');
});

test('edit last and react last are queued while the server is down, and delete last is not', async () => {
  const { server, run, stored } = await writingWorld();
  await run((account, output) => sendContent(account, 'ann', { text: 'mine', attachments: [] }, {}, output));
  await server.stop();
  const queued = { code: 4, isQueued: true };
  const soon = () => new Deadline(1);
  expect(await run((account, output) => edit(account, last, 'MINE', {}, output), soon())).toMatchObject(queued);
  const reacted = await run((account, output) => react(account, last, 'heart', { yes: true }, output), soon());
  expect(reacted).toMatchObject(queued);
  const removed = await run((account, output) => remove(account, last, {}, output), soon());
  expect(removed).toMatchObject({ code: 4, isQueued: undefined });
  const { outbox } = (await stored()).getState().local;
  expect(outbox.map(({ action }) => action.kind)).toEqual(['message.edit', 'message.react']);
  await run((account, output) => mute(account, 'ann', { off: true }, output), new Deadline(0));
  await run(
    (account, output) => startConversation(account, 'dora-id', { text: 'hello', attachments: [] }, {}, output),
    new Deadline(0),
  );
  const listed = await run((account, output) => listOutbox(account, {}, output));
  const [, reaction, unmuting, creation] = listed.out.split('\n');
  expect(reaction).toMatch(/message\.react +ann +heart/);
  expect(unmuting).toMatch(/conversation\.mute off +ann/);
  expect(creation).toMatch(/conversation\.create +Contact #dora-id/);
  const rows = documentOf('outbox list', await run((account, output) => listOutbox(account, asJson, output)));
  expect(rows.data).toMatchObject([{ off: null }, { reaction: 'heart', off: false }, { off: true }, { off: null }]);
});

test('the outbox shows the names of files, also of a message without a text', async () => {
  const { run, server } = await writingWorld();
  await run((account, output) => sendContent(account, 'ann', { text: 'first', attachments: [] }, {}, output));
  await server.stop();
  const attachments = [{ url: 'https://files.example/plan.pdf' }, { url: 'https://files.example/b.png' }];
  for (const text of ['', 'see'])
    await run((account, output) => sendContent(account, 'ann', { text, attachments }, {}, output), new Deadline(0));
  const listed = await run((account, output) => listOutbox(account, {}, output));
  expect(listed.out).toMatch(/ann {2,}\[plan\.pdf\] \[b\.png\][\s\S]* ann {2,}see \[plan\.pdf\] \[b\.png\]/);
  const rows = documentOf('outbox list', await run((account, output) => listOutbox(account, asJson, output)));
  expect(rows.data).toMatchObject([{ attachments }, { attachments }]);
});

test('damaged records of the outbox are listed with what is left of their text, and discarded by name', async () => {
  const { run, server, openChat, account } = await writingWorld();
  await run((account, output) => sendContent(account, 'ann', { text: 'first', attachments: [] }, {}, output));
  await server.stop();
  for (const text of ['precious', 'torn'])
    await run((account, output) => sendContent(account, 'ann', { text, attachments: [] }, {}, output), new Deadline(0));
  await run((account) => setDraft(account, 'ann', 'a draft'));
  const raw = openDatabase(join(account.dataDirectory, 'outbox.db'));
  raw.exec(`UPDATE ops SET action = replace(action, 'precious', 'precioux');
            UPDATE ops SET action = replace(action, '"torn"', '"torn');
            UPDATE records SET json = replace(json, 'a draft', 'a draf!')`);
  raw.close();
  const chat = await openChat();
  await chat.close();

  const list = () => run((account, output) => listOutbox(account, asJson, output));
  const { data, unreadable } = documentOf('outbox list', await list());
  expect(data).toEqual([]);
  expect(unreadable).toMatchObject([
    { op: 'aside-1', kind: 'message.send', message: 'precioux' },
    { op: 'aside-2', kind: 'ops', conversation_id: null, message: expect.stringContaining('torn') },
    { op: 'aside-3', kind: 'drafts', message: 'a draf!' },
  ]);
  expect(unreadable[2].conversation_id).toBe(unreadable[0].conversation_id);
  const text = await run((account, output) => listOutbox(account, {}, output));
  expect(text.out.split('\n')[0]).toMatch(
    /^aside-1 {2}unreadable {2}message\.send {2}ann {2,}precioux {2,}It is damaged/,
  );

  const damaged = { code: 1, error: 'aside-1 is damaged and is never sent; msg-tui outbox discard removes it' };
  expect(await run((account, output) => retryOp(account, 'aside-1', {}, output))).toMatchObject(damaged);
  const refused = await run((account, output) => {
    const other = openDatabase(join(account.opened.dataDirectory, 'outbox.db'));
    other.exec('BEGIN IMMEDIATE');
    try {
      discardOp(account, 'aside-1', asJson, output);
    } finally {
      other.close();
    }
  });
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(documentOf('outbox list', await list()).unreadable).toHaveLength(3);

  for (const op of ['aside-1', 'aside-2'])
    expect(await run((account, output) => discardOp(account, op, {}, output))).toMatchObject({ code: 0 });
  const gone = await run((account, output) => discardOp(account, 'aside-3', asJson, output));
  expect(documentOf('change in the outbox', gone)).toMatchObject({ state: 'discarded', op: 'aside-3' });
  expect(await run((account, output) => discardOp(account, 'aside-3', {}, output))).toMatchObject({ code: 5 });
  expect(documentOf('outbox list', await list()).unreadable).toEqual([]);
});

test('a signal during a read ends the command: nothing is queued, and no cached copy is printed', async () => {
  const { server, run, stored } = await writingWorld();
  await run((account, output) => sendContent(account, 'ann', { text: 'mine', attachments: [] }, {}, output));
  server.setHook(() => {
    setTimeout(() => process.emit('SIGINT'));
    return new Promise(() => undefined);
  });
  const interrupted = { code: 130, error: '', out: '', remarks: [] };
  expect(await run((account, output) => edit(account, last, 'MINE', {}, output))).toMatchObject(interrupted);
  const first = { text: 'hello', attachments: [] };
  expect(await run((account, output) => startConversation(account, 'dora-id', first, {}, output))).toMatchObject(
    interrupted,
  );
  const reading = await run((account, output) => read('ann', { timeout: 60 }, output, (act) => act(account)));
  expect(reading).toMatchObject(interrupted);
  expect((await stored()).getState().local.outbox).toEqual([]);
});

test('edit last and delete last change nothing while a newer own message waits', async () => {
  const { server, run, stored } = await writingWorld();
  const send = (text: string, deadline?: Deadline) =>
    run((account, output) => sendContent(account, 'ann', { text, attachments: [] }, {}, output), deadline);
  await send('arrived');
  await server.stop();
  await send('waits', new Deadline(0));
  await server.start();
  const [op] = (await stored()).getState().local.outbox;
  const unclear = { code: 1, error: expect.stringContaining(`outbox edit ${op?.uuid.slice(0, 8)}`) };
  expect(await run((account, output) => edit(account, last, 'changed', {}, output))).toMatchObject(unclear);
  expect(await run((account, output) => remove(account, last, { yes: true }, output))).toMatchObject(unclear);
  expect(await server.me.texts('ann')).toContain('arrived');
  // One that was refused is not on its way.
  server.setHook(async (request, next) => (request.method === 'POST' ? new Response('{}', { status: 403 }) : next()));
  await run((account, output) => retryOp(account, undefined, {}, output));
  expect((await stored()).getState().local.outbox).toMatchObject([{ state: 'failed' }]);
  expect(await run((account, output) => edit(account, last, 'changed', {}, output))).toMatchObject({ code: 0 });
  expect(await server.me.texts('ann')).toContain('changed');
});

describe('one conversation', () => {
  test('can be pinned, muted and archived, also for a time, and each can be undone', async () => {
    const { server, run, stored } = await writingWorld();
    const now = () => server.me.conversation('ann');
    const { id } = await now();
    await run((account, output) => pin(account, 'ann', {}, output));
    await run((account, output) => mute(account, 'ann', { for: '8h' }, output));
    const archived = await run((account, output) => archive(account, 'ann', asJson, output));
    expect(documentOf('change of a conversation', archived)).toMatchObject({ state: 'sent', conversation_id: id });
    expect(await now()).toMatchObject({ is_pinned: true, is_muted: true, archived_at: expect.any(Number) });
    const until = (await stored()).getState().local.mutedUntil.get(id) ?? 0;
    expect(Math.abs(until - Date.now() - 8 * hour)).toBeLessThan(hour);

    for (const change of [pin, mute]) {
      const ran = await run((account, output) => change(account, 'ann', { off: true, ...asJson }, output));
      expect(documentOf('change of a conversation', ran)).toMatchObject({ state: 'sent' });
    }
    await run((account, output) => archive(account, 'ann', { off: true }, output));
    expect(await now()).toMatchObject({ is_pinned: false, is_muted: false, archived_at: null });
    expect((await stored()).getState().local.mutedUntil.size).toBe(0);

    const message = (await server.me.find('ann', 'I will be there')).id;
    await run((account, output) => pin(account, 'ann', { message: 'last' }, output));
    expect(await now()).toMatchObject({ pinned_message_id: message, is_pinned: false });
    expect(await run((account, output) => mute(account, 'ann', { for: 'soon' }, output))).toMatchObject({ code: 2 });
  });

  test('can be deleted with its messages, and delete does nothing unless it is clear what is meant', async () => {
    const { server, run, stored } = await writingWorld();
    const { conversation_id } = await server.me.find('ann', 'I will be there');
    for (const [message, options] of [
      [undefined, {}],
      ['last', { conversation: true }],
    ] as const)
      await expect(runDelete('ann', message, options)).rejects.toMatchObject({ code: 2 });
    const deleted = await run((account, output) => removeConversation(account, 'ann', asJson, output));
    expect(documentOf('change of a conversation', deleted)).toMatchObject({ state: 'sent', conversation_id });
    expect(server.asked.filter(({ method }) => method === 'DELETE')).toEqual([
      expect.objectContaining({ path: `/v1/conversations/${conversation_id}` }),
    ]);
    const { cache, local } = (await stored()).getState();
    expect([[...cache.conversations.keys()].includes(conversation_id), local.outbox]).toEqual([false, []]);
    const again = await run((account, output) => removeConversation(account, 'ann', {}, output));
    expect(again).toMatchObject({ code: 5 });
  });

  test('can be deleted while it has unsent text, which only that command and no later one reports', async () => {
    const { run } = await writingWorld();
    await run((account) => setDraft(account, 'bob', 'unfinished'));
    const deleted = await run((account, output) => removeConversation(account, 'bob', {}, output));
    expect(deleted.remarks).toEqual([
      'One unsent text is left of the conversation; msg-tui drafts and msg-tui outbox list it',
    ]);
    const content = { text: 'something else', attachments: [] };
    const sent = await run((account, output) => sendContent(account, 'ann', content, {}, output));
    expect(sent).toMatchObject({ code: 0, remarks: [] });
  });

  test('pin --off with a message unpins only that message, and says so if another one or none is pinned', async () => {
    const { server, run } = await writingWorld();
    const pinned = async () => (await server.me.conversation('ann')).pinned_message_id;
    const first = (await server.me.find('ann', 'The ferry leaves at nine')).id;
    await run((account, output) => pin(account, 'ann', { message: first }, output));
    const other = await run((account, output) => pin(account, 'ann', { off: true, message: 'last' }, output));
    expect(other).toMatchObject({ code: 0, remarks: [`nothing was changed: another message is pinned (${first})`] });
    expect(await pinned()).toBe(first);
    const unknown = await run((account, output) => pin(account, 'ann', { off: true, message: 'none' }, output));
    expect(unknown).toMatchObject({ code: 5 });
    expect(await run((account, output) => pin(account, 'ann', { off: true, message: first }, output))).toMatchObject({
      code: 0,
      remarks: [],
    });
    expect(await pinned()).toBe(null);
    const again = await run((account, output) => pin(account, 'ann', { off: true, message: first, ...asJson }, output));
    expect(documentOf('change of a conversation', again)).toMatchObject({
      op: null,
      warnings: ['nothing was changed: no message is pinned'],
    });
  });

  test('new --group says that a conversation is there already, and that another one was created', async () => {
    const { server, run } = await writingWorld({
      users: [{ username: 'me' }],
      groups: ['Crew', 'Choir'].map((name) => ({ name, members: ['me'] })),
      conversations: [{ group: 'Crew', messages: [{ from: 'me', text: 'Hello' }] }],
    });
    const { id, group_id: crew } = await server.me.conversation('Crew');
    const choir = (await server.service.admin.group('Choir')).id;
    for (const [group, state] of [
      [crew, 'existing'],
      [choir, 'created'],
      [choir, 'existing'],
    ] as const) {
      const ran = await run((account, output) =>
        startConversation(account, group ?? '', null, { group: true, ...asJson }, output),
      );
      expect(documentOf('started conversation', ran)).toMatchObject({
        state,
        ...(group === crew ? { conversation_id: id } : {}),
      });
    }
  });

  test('new does not take the beginning of the id of a conversation for a contact', async () => {
    const { server, run } = await writingWorld();
    const { conversation_id: id } = await server.me.find('ann', 'I will be there');
    const first = { text: 'hello', attachments: [] };
    const ran = await run((account, output) => startConversation(account, id.slice(0, 8), first, {}, output));
    expect(ran).toMatchObject({ code: 5, error: expect.stringContaining('takes the id of the contact') });
    expect(await server.me.texts('ann')).not.toContain('hello');
  });

  test('new finds the existing conversation, creates a missing one, and sends the first message', async () => {
    const { server, run } = await writingWorld();
    const there = await run((account, output) => startConversation(account, '@ann', null, asJson, output));
    const { id } = await server.me.conversation('ann');
    expect(documentOf('started conversation', there)).toEqual({ schema: 1, state: 'existing', conversation_id: id });
    const dora = server.as('dora').id;
    const content = { text: 'Hello Dora', attachments: [] };
    const made = await run((account, output) => startConversation(account, dora, content, asJson, output));
    expect(made).toMatchObject({ code: 0, error: '' });
    const { message_id } = documentOf('change of a message', made);
    expect((await server.me.find('dora', 'Hello Dora')).id).toBe(message_id);
    const nobody = await run((account, output) => startConversation(account, 'nobody-there', null, {}, output));
    const lost = await run((account, output) => startConversation(account, 'nobody-there', content, {}, output));
    expect(lost).toMatchObject({ code: 5, error: expect.stringContaining('the text is kept as failed') });
    const kept = await run((account, output) => listOutbox(account, asJson, output));
    expect(documentOf('outbox list', kept).data).toMatchObject([
      { kind: 'conversation.create', message: 'Hello Dora' },
    ]);
    expect(nobody).toMatchObject({
      code: 5,
      error: expect.stringMatching(
        /^(?!.*the id of.*the id of).*takes the id of the contact.*; for a group, give its id/,
      ),
    });
    const named = await run((account, output) => startConversation(account, '@nobody', null, {}, output));
    expect(named).toMatchObject({ code: 5, error: expect.stringContaining('needs the id of the contact') });
  });
});

test('what a change reset and was put back is reported on stderr and in JSON', async () => {
  const { run, server } = await writingWorld();
  await run((account, output) => mute(account, 'ann', {}, output));
  // Every change of one setting resets the other ones.
  server.setHook(async (request, next) => {
    const answer = await next();
    if (request.method !== 'PUT') return answer;
    return Response.json({ ...((await answer.json()) as object), is_muted: false });
  });
  const pinned = await run((account, output) => pin(account, 'ann', asJson, output));
  const { warnings } = documentOf('change of a conversation', pinned);
  expect(warnings).toEqual([expect.stringContaining('resets the other settings')]);
  const again = await run((account, output) => pin(account, 'ann', { off: true }, output));
  expect(again).toMatchObject({ code: 0, remarks: [] });
});

test('after commands that got no answer to a change, the next command waits until the change shows', async () => {
  const { server, run, stored } = await writingWorld();
  const { id } = await server.me.find('ann', 'I will be there');
  const path = `/v1/messages/${id}`;
  let old: Response | null = null;
  let isAnswering = false;
  let shownAt = Number.POSITIVE_INFINITY;
  server.setHook(async (request, next) => {
    if (!request.url.endsWith(path)) return next();
    if (request.method === 'PUT') {
      if (!isAnswering) return new Promise<Response>(() => undefined);
      await next();
      // Reads come from a replica that lags behind, and the answer says nothing.
      shownAt = Date.now() + 500;
      return new Response('{}', { headers: { 'content-type': 'application/json' } });
    }
    old ??= await next();
    return Date.now() < shownAt ? old.clone() : next();
  });
  const word = { conversation: 'ann', message: id };
  const first = await run((account, output) => edit(account, word, 'I will be late', {}, output), new Deadline(2));
  expect(first).toMatchObject({ code: 1, name: 'unsure', error: expect.stringContaining('no answer came in time') });
  await run((account, output) => retryOp(account, undefined, {}, output), new Deadline(2));
  isAnswering = true;
  const third = await run((account, output) => retryOp(account, undefined, {}, output), new Deadline(20));
  expect(third).toMatchObject({ code: 0, error: '' });
  expect((await stored()).getState().local.outbox).toEqual([]);
  expect(await server.me.texts('ann')).toContain('I will be late');
});

test('drafts are listed, printed, replaced and cleared', async () => {
  const { run, server } = await writingWorld();
  expect(await run((account) => setDraft(account, 'ann', 'to be\nfinished'))).toMatchObject({ code: 0 });
  const listed = await run((account, output) => listDrafts(account, asJson, output));
  const { id } = await server.me.conversation('ann');
  expect(documentOf('drafts list', listed)).toEqual({
    schema: 1,
    data: [
      {
        conversation_id: id,
        conversation_name: 'ann',
        message: 'to be\nfinished',
        attachments: [],
        edits_message_id: null,
      },
    ],
  });
  const table = await run((account, output) => listDrafts(account, {}, output));
  expect(table.out).toMatch(/^ann {2}to be.*finished\n$/);
  const shown = await run((account, output) => showDraft(account, 'ann', {}, output));
  expect(shown.out).toBe('to be\nfinished\n');
  documentOf('draft', await run((account, output) => showDraft(account, 'ann', asJson, output)));
  expect(await run((account, output) => clearDraft(account, 'ann', output))).toMatchObject({ code: 0 });
  expect(await run((account, output) => showDraft(account, 'ann', {}, output))).toMatchObject({ code: 5, out: '' });
});

test('clearing during an edit ends the edit, and leaves the text that was written before it', async () => {
  const { run, server } = await writingWorld();
  const { id } = await server.me.conversation('ann');
  await run((account) => setDraft(account, 'ann', 'half of a thought'));
  await run(async (account) => {
    saveLocally(
      account,
      updateDraft(id, (draft) => startEditing(draft, 'm1', 'I will be there')),
    );
  });
  const clear = () => run((account, output) => clearDraft(account, 'ann', output));
  expect(await clear()).toMatchObject({ code: 0, remarks: [expect.stringContaining('the edit has ended')] });
  const shown = await run((account, output) => showDraft(account, 'ann', asJson, output));
  expect(JSON.parse(shown.out)).toMatchObject({ message: 'half of a thought', edits_message_id: null });
  expect(await clear()).toMatchObject({ code: 0, remarks: [] });
});

test('a draft is refused where the disk has refused something else before', async () => {
  const { run } = await writingWorld();
  const ran = await run(async (account) => {
    rmSync(join(account.opened.dataDirectory, 'outbox.db'));
    account.store.setState(setName({ kind: 'contact', id: 'ann' }, 'Ann'));
    expect(account.store.getState().screen.notices.map(({ about }) => about)).toEqual(['local']);
    await setDraft(account, 'ann', 'to be finished');
  });
  expect(ran).toMatchObject({ code: 1, error: expect.stringMatching(/^Not saved on this machine/) });
});

test('a draft that would be lost at the end of the command is refused', async () => {
  const { run } = await writingWorld();
  const ran = await run(async (account) => {
    account.store.setState((state) => ({ ...state, view: { ...state.view, isVolatile: true } }));
    await setDraft(account, 'ann', 'to be finished');
  });
  expect(ran).toMatchObject({ code: 1, error: expect.stringMatching(/^not saved, as nothing is kept on disk here/) });
});

describe('the outbox', () => {
  const queued = async (texts: readonly string[]): Promise<WritingWorld & { readonly uuids: readonly string[] }> => {
    const world = await writingWorld();
    await world.run((account, output) => sendContent(account, 'ann', { text: 'before', attachments: [] }, {}, output));
    await world.server.stop();
    for (const text of texts)
      await world.run(
        (account, output) => sendContent(account, 'ann', { text, attachments: [] }, {}, output),
        new Deadline(0),
      );
    const { outbox } = (await world.stored()).getState().local;
    return { ...world, uuids: outbox.map(({ uuid }) => uuid) };
  };

  test('is listed; one message is rewritten, one discarded, and the rest sent in order', async () => {
    const { run, server, uuids } = await queued(['one', 'two', 'three']);
    const [one = '', two = ''] = uuids;
    const listed = await run((account, output) => listOutbox(account, asJson, output));
    const rows = (documentOf('outbox list', listed) as { data: readonly Record<string, unknown>[] }).data;
    expect(rows.map(({ op, state, kind, message }) => [op, state, kind, message])).toEqual([
      [one, 'queued', 'message.send', 'one'],
      [two, 'queued', 'message.send', 'two'],
      [uuids[2], 'queued', 'message.send', 'three'],
    ]);
    const text = await run((account, output) => listOutbox(account, {}, output));
    expect(text.out.split('\n')[0]).toMatch(new RegExp(`^${one.slice(0, 8)} {2}queued {2}message.send {2}ann {2}one`));
    const discarded = await run((account, output) => discardOp(account, two.slice(0, 8), asJson, output));
    expect(documentOf('change in the outbox', discarded)).toMatchObject({ state: 'discarded', op: two });
    expect(await run((account, output) => discardOp(account, two, {}, output))).toMatchObject({ code: 5 });
    const edited = run((account, output) => editOp(account, one, 'ONE', {}, output), new Deadline(0));
    expect(await edited).toMatchObject({ code: 4, isQueued: true });
    await server.start();
    const first = await run((account, output) => retryOp(account, one, asJson, output));
    expect(documentOf('change in the outbox', first)).toMatchObject({ state: 'sent', op: one });
    const retried = await run((account, output) => retryOp(account, undefined, asJson, output));
    // The first retry sends the others too, as far as its time allows.
    expect(documentOf('all retried', retried)).toEqual({
      schema: 1,
      sent: expect.toBeOneOf([0, 1]),
      left: 0,
      warnings: [],
    });
    expect((await server.me.texts('ann')).slice(-3)).toEqual(['before', 'ONE', 'three']);
  });

  test('edit says why where the disk refuses, and not that the message may have arrived', async () => {
    const { run, uuids } = await queued(['one']);
    const ran = await run((account, output) => {
      const database = openDatabase(join(account.opened.dataDirectory, 'outbox.db'));
      database.exec('ALTER TABLE ops RENAME TO gone');
      database.close();
      return editOp(account, uuids[0] ?? '', 'two', {}, output);
    });
    expect(ran).toMatchObject({ code: 1, error: expect.stringMatching(/^The outbox could not be written\. /) });
  });

  test('retry without a name goes on after a refusal, and reports what was sent and why the rest was not', async () => {
    const { run, server, stored } = await queued(['one', 'two', 'three', 'four']);
    let posts = 0;
    server.setHook(async (request, next) => {
      if (request.method !== 'POST') return next();
      posts += 1;
      if (posts === 1 || posts === 4) return next();
      const body = JSON.stringify({ error: { message: `no number ${posts} today` } });
      return new Response(body, { status: 403, headers: { 'content-type': 'application/json' } });
    });
    await server.start();
    const first = await run((account, output) => retryOp(account, undefined, {}, output));
    expect(first).toMatchObject({ code: 6, error: '2 sent, 2 not; see msg-tui outbox list' });
    expect(first.warnings).toEqual([
      expect.stringContaining('no number 2 today'),
      expect.stringContaining('no number 3 today'),
    ]);
    expect((await server.me.texts('ann')).slice(-3)).toEqual(['before', 'one', 'four']);
    const { outbox } = (await stored()).getState().local;
    expect(outbox.map(({ state }) => state)).toEqual(['failed', 'failed']);
  });

  test('retry without a name counts what an open chat has sent meanwhile', async () => {
    const { run, server, openChat, stored } = await queued([]);
    const chat = await openChat();
    const [conversationId = ''] = chat.store.getState().cache.conversations.keys();
    for (const kind of ['conversation.pin', 'conversation.mute'] as const)
      chat.engine.enqueue({ kind, conversationId, value: true });
    expect(chat.store.getState().local.outbox).toHaveLength(2);
    const retried = await run(async (account, output) => {
      const { engine } = account.session;
      const looks = vi.spyOn(engine, 'mergeOutbox').mockReturnValue(undefined);
      const retrying = retryOp(account, undefined, {}, output);
      await server.start();
      chat.engine.pollNow();
      await expect.poll(() => chat.store.getState().local.outbox).toEqual([]);
      // The command looks again only now, when both are gone.
      looks.mockRestore();
      await retrying;
    });
    expect(retried).toMatchObject({ code: 0, remarks: ['2 sent'] });
    expect((await stored()).getState().local.outbox).toEqual([]);
  });

  test('retry of an edit that found another text replaces that text', async () => {
    const { run, server, stored } = await queued([]);
    await run((account, output) => edit(account, last, 'mine', {}, output), new Deadline(0.5));
    await server.start();
    await server.me.edit((await server.me.find('ann', 'before')).id, 'from elsewhere');
    const refused = { code: 1, error: expect.stringMatching(/^The message was changed meanwhile/) };
    expect(await run((account, output) => retryOp(account, undefined, {}, output))).toMatchObject(refused);
    const [op] = (await stored()).getState().local.outbox;
    expect(await run((account, output) => retryOp(account, op?.uuid, {}, output))).toMatchObject({ code: 0 });
    expect((await server.me.texts('ann')).at(-1)).toBe('mine');
  });

  test('retry with nothing waiting says so; an unknown name ends with 5', async () => {
    const { run } = await writingWorld();
    const ran = await run((account, output) => retryOp(account, undefined, {}, output));
    expect(ran).toMatchObject({ code: 0, remarks: ['nothing waits to be sent'] });
    expect(await run((account, output) => retryOp(account, 'abcd', {}, output))).toMatchObject({ code: 5 });
  });
});

test('where a text is missing, the error says how to give it', async () => {
  const wrong = 'drafts set: there is no text; give it as an argument, or by - for stdin';
  await expect(runDraftSet('ann', undefined, {})).rejects.toThrow(wrong);
});
