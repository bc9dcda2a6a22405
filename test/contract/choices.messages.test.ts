/** What our own server does with messages where the API document is silent (docs/server.md). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, conversationWith, sendTo } from './call.ts';
import { isForeign, type OwnTarget, openOwnTarget } from './target.ts';

describe.skipIf(isForeign)('messages', () => {
  let target: OwnTarget;
  let other: { url: string; token: string };
  let conversationId: string;

  beforeAll(async () => {
    target = await openOwnTarget();
    other = { url: target.url, token: target.other.token };
    conversationId = await conversationWith(target, { contact_id: target.contactId });
  });
  afterAll(() => target.close());

  const update = (id: string, form: string, who: { url: string; token: string } = target) =>
    call(who, 'PUT', `/v1/messages/${id}`, { form });
  const fresh = (text = 'x') => sendTo(target, conversationId, text);
  const expectError = (
    reply: { status: number; json: { param: string | null } },
    status: number,
    param: string | null,
  ) => expect({ status: reply.status, param: reply.json.param }).toEqual({ status, param });

  test('a message appears for the other user in a conversation of their own', async () => {
    const sent = await fresh('hello bob');
    const seen = (await call(other, 'GET', `/v1/messages/${sent.id}`)).json;
    expect(seen).toMatchObject({ message: 'hello bob', contact: { username: 'ann' } });
    expect(seen.conversation_id).not.toBe(conversationId);
    const theirs = (await call(other, 'GET', `/v1/conversations/${seen.conversation_id}`)).json;
    expect(theirs.contact_id).toBe(sent.contact.id);
  });

  test('ids are 16 base62 characters and times integer seconds', async () => {
    const sent = await fresh();
    expect(sent.id).toMatch(/^[0-9A-Za-z]{16}$/);
    expect(Math.abs(sent.created_at - Date.now() / 1000)).toBeLessThan(10);
    expect(Number.isInteger(sent.created_at)).toBe(true);
  });

  describe('text', () => {
    const send = (message: string) =>
      call(target, 'POST', '/v1/messages', { form: { conversation_id: conversationId, message } });

    test.each([
      ['empty', ''],
      ['blank', ' \n\t　'],
      ['too long', 'é'.repeat(10_001)],
      ['with NUL', 'a\0b'],
    ])('%s is refused', async (_, message) => {
      expect((await send(message)).status).toBe(400);
    });

    test('10,000 characters are counted as characters and not as bytes', async () => {
      expect((await send('👍'.repeat(10_000))).status).toBe(201);
      expect((await send('👍'.repeat(10_001))).status).toBe(400);
    });

    test('the limit applies to blank texts too, beside attachments and in an edit', async () => {
      const attached = { 'attachments[0][file_url]': 'https://a.example/x.png' };
      const post = (message: string) =>
        call(target, 'POST', '/v1/messages', { form: { conversation_id: conversationId, message, ...attached } });
      const { status, json } = await post(' '.repeat(10_000));
      expect([status, (await post(' '.repeat(10_001))).json.code]).toEqual([201, 'message_too_long']);
      const edited = await call(target, 'PUT', `/v1/messages/${json.id}`, { form: { message: ' '.repeat(200_000) } });
      expect([edited.status, edited.json.code]).toEqual([400, 'message_too_long']);
    });

    test('control characters and spaces at the ends are returned unchanged', async () => {
      const text = '  \u001b]0;x\u0007\r\n\u202e end ';
      expect((await send(text)).json.message).toBe(text);
    });

    test.each([
      ['that look like a part of an answer', '"contact":1,\\"contact":2,{"contact":[3]}'],
      ['with quotation marks and backslashes', 'say "C:\\dir\\"\\'],
      ['with separators of lines', 'a\nb\r\nc\td\u2028e\u2029f\u0085'],
      ['with a place for a value', '%s %d %% $1 $& ? :a @b'],
      ['of several planes', 'é 漢 👩🏽‍🚀 \u{10ffff} \u0001\u001f\u007f'],
    ])('texts %s are the same in the answer to a send, alone and in a list', async (_, text) => {
      const sent = await send(text);
      expect(sent.json.message).toBe(text);
      const alone = await call(target, 'GET', `/v1/messages/${sent.json.id}`);
      expect(alone.text).toBe(sent.text);
      for (const scope of ['', `&conversation_id=${conversationId}`]) {
        const list = await call(target, 'GET', `/v1/messages?limit=1${scope}`);
        expect(list.text).toBe(`{"has_more":true,"data":[${alone.text}]}`);
      }
    });

    test('a message with all fields is the same alone and in a list', async () => {
      const { id } = await fresh('first');
      await fresh('second');
      await update(id, 'reactions[👍][]=bob', other);
      const one = 'attachments[0][file_url]=https://a.example/x?a="b"%26c&attachments[0][filename]="contact":1,';
      const two =
        'attachments[1][file_url]=https://b.example/&attachments[1][file_type]=a/b&attachments[1][file_size]=7';
      const changed = await update(id, `message=changed&reactions[contact][]=ann&reactions[👍][]=ann&${one}&${two}`);
      const { reactions, attachments } = changed.json;
      expect(reactions).toEqual([{ '👍': ['bob', 'ann'] }, { contact: ['ann'] }]);
      expect(attachments).toMatchObject([
        {
          message_id: id,
          filename: '"contact":1,',
          file_url: 'https://a.example/x?a="b"&c',
          file_type: null,
          file_size: null,
        },
        { message_id: id, filename: 'b.example', file_type: 'a/b', file_size: 7 },
      ]);
      expect((await call(target, 'GET', `/v1/messages/${id}`)).text).toBe(changed.text);
      const list = await call(target, 'GET', `/v1/messages?limit=2&conversation_id=${conversationId}`);
      expect(JSON.stringify(list.json.data[1])).toBe(changed.text);
    });
  });

  describe('who may change what', () => {
    test('only the author can edit a message, add attachments to it or delete it', async () => {
      const { id } = await fresh('mine');
      expectError(await update(id, 'message=yours', other), 403, 'message');
      expectError(await update(id, 'attachments=', other), 403, 'attachments');
      expect((await call(other, 'DELETE', `/v1/messages/${id}`)).status).toBe(403);
      expect((await call(target, 'GET', `/v1/messages/${id}`)).json.message).toBe('mine');
    });

    test('a message in no conversation of the user is not found', async () => {
      const silent = await conversationWith(target, { contact_id: target.silentId });
      const { id } = await sendTo(target, silent, 'private');
      for (const method of ['GET', 'DELETE']) {
        expect((await call(other, method, `/v1/messages/${id}`)).status).toBe(404);
      }
      expectError(await update(id, 'reactions[x][]=bob', other), 404, null);
      const reply = await call(other, 'POST', '/v1/messages', { form: { conversation_id: silent, message: 'x' } });
      expectError(reply, 404, 'conversation_id');
    });

    test('a second deletion gets 404', async () => {
      const { id } = await fresh();
      const reply = await call(target, 'DELETE', `/v1/messages/${id}`);
      expect({ status: reply.status, text: reply.text, type: reply.headers.get('content-type') }).toEqual({
        status: 204,
        text: '',
        type: null,
      });
      expect((await call(target, 'DELETE', `/v1/messages/${id}`)).status).toBe(404);
    });
  });

  describe('reactions', () => {
    test('are added; one already there is ignored; others stay', async () => {
      const { id } = await fresh();
      await update(id, 'reactions[heart][]=ann');
      await update(id, 'reactions[heart][]=bob', other);
      const { json } = await update(id, 'reactions[heart][]=ann&reactions[heart][]=bob&reactions[👍][]=ann');
      expect(json.reactions).toEqual([{ heart: ['ann', 'bob'] }, { '👍': ['ann'] }]);
    });

    test('for another user are refused, together with the rest of the request', async () => {
      const { id } = await fresh();
      const reply = await update(id, 'message=changed&reactions[a][]=ann&reactions[heart][]=bob');
      expectError(reply, 403, 'reactions[heart][]');
      expect((await call(target, 'GET', `/v1/messages/${id}`)).json).toMatchObject({ message: 'x', reactions: [] });
    });

    test("with an empty value remove the user's own one of that name; reactions= removes all own ones", async () => {
      const { id } = await fresh();
      await update(id, 'reactions[a][]=ann&reactions[b][]=ann&reactions[c][]=ann');
      await update(id, 'reactions[a][]=bob&reactions[b][]=bob', other);
      expect((await update(id, 'reactions[a][]=')).json.reactions).toEqual([
        { b: ['ann', 'bob'] },
        { c: ['ann'] },
        { a: ['bob'] },
      ]);
      expect((await update(id, 'reactions=')).json.reactions).toEqual([{ a: ['bob'] }, { b: ['bob'] }]);
    });

    test.each(['', 'a b', 'two👍👍', '👍👍', 'x'.repeat(65), 'é', '%1b'])('the name %j is refused', async (name) => {
      const { id } = await fresh();
      expect((await update(id, `reactions[${name}][]=ann`)).status).toBe(400);
    });

    test.each(['+1', 'thumbs_up-2', '__proto__', '👨‍👩‍👧‍👦', '❤️', '🇸🇪', '5️⃣'])(
      'the name %j is accepted',
      async (name) => {
        const { id } = await fresh();
        const { json } = await update(id, `reactions[${encodeURIComponent(name)}][]=ann`);
        expect(json.reactions.map((reaction: object) => Object.keys(reaction))).toEqual([[name]]);
      },
    );

    test.each([
      'reactions[]=ann',
      'reactions[0]=ann',
      'reactions[0][a]=ann',
      'reactions[a][b]=ann',
      'reactions[a][]=ann&reactions[a][]=',
      'reactions[a][0]=ann&reactions[a][1]=',
    ])('%s is not the notation', async (form) => {
      const { id } = await fresh();
      expect((await update(id, form)).status).toBe(400);
    });

    test.each([
      'reactions[a][]=ann&reactions[b][]=ann',
      'reactions[a][0]=ann&reactions[b][0]=ann',
      'reactions[a]=ann&reactions[b]=ann',
      'reactions[][a][]=ann&reactions[][b][]=ann',
      'reactions[0][a][]=ann&reactions[1][b][]=ann',
      'reactions[0][a][0]=ann&reactions[0][b][0]=ann',
    ])('%s is accepted too, as form libraries write lists of objects this way', async (form) => {
      const { id } = await fresh();
      await update(id, 'reactions[b][]=bob', other);
      const { json } = await update(id, form);
      expect(json.reactions).toEqual([{ b: ['bob', 'ann'] }, { a: ['ann'] }]);
      const { json: without } = await update(id, form.replaceAll('=ann', '='));
      expect(without.reactions).toEqual([{ b: ['bob'] }]);
    });

    test('a reaction named with a digit is not taken for an index of a list', async () => {
      const { id } = await fresh();
      const { json } = await update(id, 'reactions[0][]=ann&reactions[1][0]=ann&reactions[2][3][]=ann');
      expect(json.reactions).toEqual([{ 0: ['ann'] }, { 1: ['ann'] }, { 3: ['ann'] }]);
    });
  });

  describe('attachments', () => {
    const link = 'attachments[0][file_url]=https://files.example/a/plan.pdf';

    test('come with the message, with the fields of ours', async () => {
      const form = `conversation_id=${conversationId}&message=see&${link}&attachments[0][file_size]=12&attachments[1][file_url]=http://b.example&attachments[1][filename]=b&attachments[1][file_type]=text/plain`;
      const { json } = await call(target, 'POST', '/v1/messages', { form });
      expect(json.attachments).toEqual([
        {
          id: expect.stringMatching(/^[0-9A-Za-z]{16}$/),
          message_id: json.id,
          filename: 'plan.pdf',
          file_url: 'https://files.example/a/plan.pdf',
          file_type: null,
          file_size: 12,
          created_at: json.created_at,
        },
        expect.objectContaining({ filename: 'b', file_type: 'text/plain', file_size: null }),
      ]);
    });

    test('can replace a text; the last one of a message without a text is not removed', async () => {
      const form = `conversation_id=${conversationId}&message=&${link}`;
      const { json } = await call(target, 'POST', '/v1/messages', { form });
      expect(json).toMatchObject({ message: '', attachments: [{ filename: 'plan.pdf' }] });
      expectError(await update(json.id, 'attachments='), 400, 'attachments');
      expect((await update(json.id, 'message=see')).json).toMatchObject({ message: 'see', attachments: [{}] });
      expect((await update(json.id, 'message=')).json).toMatchObject({ message: '', attachments: [{}] });
      const bare = { form: `conversation_id=${conversationId}&message=&attachments=` };
      expectError(await call(target, 'POST', '/v1/messages', bare), 400, 'message');
      const { id } = await fresh();
      expectError(await update(id, 'message='), 400, 'message');
    });

    test('are also read with empty brackets, as form libraries write lists of objects', async () => {
      const { id } = await fresh();
      const form = ['file_url]=https://a.example/a', 'filename]=first', 'file_url]=https://a.example/b'];
      const { json } = await update(id, form.map((field) => `attachments[][${field}`).join('&'));
      expect(json.attachments).toMatchObject([
        { file_url: 'https://a.example/a', filename: 'first' },
        { file_url: 'https://a.example/b', filename: 'b' },
      ]);
    });

    test('that are sent back unchanged change nothing, one without a known id is appended, an empty value clears', async () => {
      const { id } = await fresh();
      const [first] = (await update(id, link)).json.attachments;
      const echo = Object.entries(first).map(([name, value]) => `attachments[0][${name}]=${value ?? ''}`);
      const next = await update(id, `${echo.join('&')}&attachments[1][file_url]=https://b.example/c`);
      expect(next.json.attachments).toEqual([first, expect.objectContaining({ filename: 'c' })]);
      expect((await update(id, 'attachments=')).json.attachments).toEqual([]);
    });

    test.each([
      ['attachments[0][file_url]=javascript:alert(1)', 'attachments[0][file_url]'],
      ['attachments[0][file_url]=nothing', 'attachments[0][file_url]'],
      ['attachments[0][filename]=x', 'attachments[0][file_url]'],
      [`attachments[5][filename]=x&${link}`, 'attachments[5][file_url]'],
      ['attachments[0][colour]=red', 'attachments[0][colour]'],
      ['attachments[x][file_url]=https://a.example', 'attachments[x]'],
      [`${link}&attachments[0][file_size]=-1`, 'attachments[0][file_size]'],
    ])('%s is refused', async (form, param) => {
      const { id } = await fresh();
      expectError(await update(id, form), 400, param);
    });

    test('are limited to ten, and an eleventh changes nothing', async () => {
      const { id } = await fresh();
      const many = (count: number) =>
        Array.from({ length: count }, (_, n) => `attachments[${n}][file_url]=https://a.example/${n}`).join('&');
      expect((await update(id, many(10))).json.attachments).toHaveLength(10);
      expectError(await update(id, link), 400, 'attachments');
      expect((await call(target, 'GET', `/v1/messages/${id}`)).json.attachments).toHaveLength(10);
    });
  });

  test('updated_at changes with an edit, a reaction and an attachment, and not with a request that changes nothing', async () => {
    for (const form of ['message=y', 'reactions[a][]=ann', 'attachments[0][file_url]=https://a.example']) {
      const { id } = await fresh();
      expect((await update(id, 'message=x')).json.updated_at).toBeNull();
      expect((await update(id, 'reactions=')).json.updated_at).toBeNull();
      expect((await update(id, form)).json.updated_at).not.toBeNull();
    }
  });
});
