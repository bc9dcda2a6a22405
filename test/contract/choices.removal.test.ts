/** What removing and renaming people and groups means for those who remain (docs/server.md). */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Caller, call, conversationWith, sendTo } from './call.ts';
import { isForeign, type OwnTarget, openOwnTarget } from './target.ts';

describe.skipIf(isForeign)('removing and renaming', () => {
  let target: OwnTarget;
  let bob: Caller;
  beforeEach(async () => {
    target = await openOwnTarget();
    bob = { url: target.url, token: target.other.token };
  });
  afterEach(() => target.close());

  const messagesOf = async (caller: Caller, conversation: string): Promise<readonly string[]> => {
    const { json } = await call(caller, 'GET', `/v1/messages?conversation_id=${conversation}&limit=100`);
    return json.data.map((one: { message: string }) => one.message);
  };
  const conversationsOf = async (caller: Caller): Promise<readonly string[]> =>
    (await call(caller, 'GET', '/v1/conversations')).json.data.map((one: { id: string }) => one.id);
  const names = (people: readonly { readonly username: string }[]) => people.map((one) => one.username);

  test('a user who is removed cannot sign in, and what they wrote stays with the others and shows them', async () => {
    const own = await conversationWith(target, { contact_id: target.contactId });
    await sendTo(target, own, 'to bob');
    const [theirs = ''] = await conversationsOf(bob);
    const sent = await sendTo(bob, theirs, 'from bob');
    await call(bob, 'PUT', `/v1/messages/${sent.id}`, { form: 'reactions[heart][]=bob' });
    const crew = await conversationWith(bob, { group_id: target.groupId });
    await sendTo(bob, crew, 'to the crew');

    expect(await target.admin.removeUser('BOB')).toEqual({ tokens: 1, conversations: 2 });
    expect((await call(bob, 'GET', '/v1/messages')).status).toBe(401);
    expect(names(await target.admin.users())).toEqual(['ann']);
    expect(names(await target.admin.contacts())).toEqual(['bob', 'cyd']);
    expect(names(await target.admin.members('Crew'))).toEqual(['ann']);
    expect(await target.admin.tokens()).toHaveLength(1);

    expect(await messagesOf(target, own)).toEqual(['from bob', 'to bob']);
    const kept = (await call(target, 'GET', `/v1/messages/${sent.id}`)).json;
    expect(kept).toMatchObject({ contact: { id: target.contactId, username: 'bob' }, reactions: [{ heart: ['bob'] }] });
    expect(await conversationsOf(target)).toHaveLength(2);

    // Ann can write to the contact, who has nothing of it until they are a user again.
    await sendTo(target, own, 'are you there?');
    await target.admin.createUser({ username: 'bob' });
    const again = { url: target.url, token: (await target.admin.createToken('bob')).token };
    expect(await conversationsOf(again)).toEqual([]);
    await sendTo(target, own, 'welcome back');
    const [fresh = ''] = await conversationsOf(again);
    expect(await messagesOf(again, fresh)).toEqual(['welcome back']);
  });

  test('somebody who has left a group cannot write to it, also when no members are left', async () => {
    const crew = await conversationWith(target, { group_id: target.groupId });
    for (const { username } of await target.admin.members('Crew')) {
      await target.admin.removeMember('Crew', username);
    }
    const form = { conversation_id: crew, message: 'anybody there?' };
    expect((await call(target, 'POST', '/v1/messages', { form })).status).toBe(403);
    expect((await call(target, 'GET', `/v1/conversations/${crew}`)).status).toBe(200);
    const wrong = { ...form, conversation_id: 'nothing' };
    expect((await call(target, 'POST', '/v1/messages', { form: wrong })).status).toBe(404);
  });

  test('a contact who becomes a user gets the given number and picture, and keeps the other fields', async () => {
    await target.admin.createContact({ username: 'eve', phoneNumber: '111', avatarUrl: 'https://old.example/' });
    const eve = await target.admin.createUser({ username: 'eve', phoneNumber: '222' });
    expect(eve).toMatchObject({ is_user: 1, phone_number: '222', avatar_url: 'https://old.example/' });
  });

  test('what only the removed user has is deleted', async () => {
    const notes = await conversationWith(bob, { contact_id: target.silentId });
    const sent = await sendTo(bob, notes, 'to a contact who never reads');
    await target.admin.removeUser('bob');
    await target.admin.createUser({ username: 'bob' });
    const again = { url: target.url, token: (await target.admin.createToken('bob')).token };
    expect((await call(again, 'GET', `/v1/messages/${sent.id}`)).status).toBe(404);
    await target.admin.removeContact('cyd');
    expect(await target.admin.contacts()).toEqual([]);
  });

  test('a new name is shown on all messages and reactions, also in a list that was read before', async () => {
    const crew = await conversationWith(target, { group_id: target.groupId });
    const sent = await sendTo(target, crew, 'x');
    await call(bob, 'PUT', `/v1/messages/${sent.id}`, { form: 'reactions[heart][]=bob' });
    const etag = (await call(target, 'GET', '/v1/messages')).headers.get('etag') ?? '';
    await target.admin.renamePerson('user', 'bob', 'Robert');
    const read = await call(target, 'GET', '/v1/messages', { headers: { 'if-none-match': etag } });
    expect(read.status).toBe(200);
    expect(read.json.data[0].reactions).toEqual([{ heart: ['Robert'] }]);
    expect((await call(bob, 'GET', '/v1/messages')).status).toBe(200);
    await target.admin.renamePerson('user', 'robert', 'ROBERT');
    await target.admin.renameGroup('Crew', 'Team');
    expect(names(await target.admin.members('Team'))).toEqual(['ann', 'ROBERT']);

    const refused = (work: Promise<unknown>) => work.then(String, (error: Error) => error.message);
    expect(await refused(target.admin.renamePerson('user', 'robert', 'Ann'))).toMatch(/Ann is already taken/);
    expect(await refused(target.admin.renamePerson('user', 'ann', 'a b'))).toMatch(/1 to 64 letters/);
    expect(await refused(target.admin.renamePerson('user', 'cyd', 'x'))).toMatch(/cyd is a contact/);
    expect(await refused(target.admin.renamePerson('contact', 'ann', 'x'))).toMatch(/ann is a user/);
    expect(await refused(target.admin.renameGroup('Team', ' '))).toMatch(/1 to 100 characters/);
    expect(await refused(target.admin.removeUser('nobody'))).toMatch(/there is no person nobody/);
  });

  test('a contact is removed with the empty conversations, and not while there are messages', async () => {
    const conversation = await conversationWith(target, { contact_id: target.silentId });
    const sent = await sendTo(target, conversation, 'x');
    await expect(target.admin.removeContact('cyd')).rejects.toThrow(/messages or reactions of cyd \(1\)/);
    await call(target, 'DELETE', `/v1/messages/${sent.id}`);
    await target.admin.removeContact('cyd');
    expect((await call(target, 'GET', `/v1/conversations/${conversation}`)).status).toBe(404);
    expect((await call(target, 'POST', '/v1/conversations', { form: { contact_id: target.silentId } })).status).toBe(
      404,
    );
    await expect(target.admin.removeContact('ann')).rejects.toThrow(/ann is a user/);
  });

  test('a group is removed with the conversations and messages of all members', async () => {
    const crew = await conversationWith(target, { group_id: target.groupId });
    const before = await conversationWith(target, { contact_id: target.contactId });
    await sendTo(target, before, 'older');
    const sent = await sendTo(target, crew, 'x');
    expect(await conversationsOf(bob)).toHaveLength(2);
    expect(await target.admin.removeGroup('Crew')).toBe(1);
    expect(await conversationsOf(target)).toEqual([before]);
    expect(await conversationsOf(bob)).toHaveLength(1);
    expect((await call(target, 'GET', `/v1/messages/${sent.id}`)).status).toBe(404);
    expect(await target.admin.groups()).toEqual([]);
    // The ids still work as cursors, as those of other deleted items do.
    const page = await call(target, 'GET', `/v1/messages?starting_after=${sent.id}`);
    expect(page.json.data.map((one: { message: string }) => one.message)).toEqual(['older']);
    expect((await call(target, 'GET', `/v1/conversations?starting_after=${crew}`)).status).toBe(200);
    expect((await call(target, 'POST', '/v1/conversations', { form: { group_id: target.groupId } })).status).toBe(404);
  });

  test('somebody who was removed from a group keeps what they have, and can neither receive nor write more', async () => {
    const crew = await conversationWith(target, { group_id: target.groupId });
    await sendTo(target, crew, 'with bob');
    const [theirs = ''] = await conversationsOf(bob);
    await target.admin.removeMember('Crew', 'bob');
    await sendTo(target, crew, 'without bob');
    expect(await messagesOf(bob, theirs)).toEqual(['with bob']);
    const refused = await call(bob, 'POST', '/v1/messages', { form: { conversation_id: theirs, message: 'x' } });
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({ param: 'conversation_id' });
    await expect(target.admin.removeMember('Crew', 'bob')).rejects.toThrow(/bob is not in Crew/);
    await target.admin.addMember('Crew', 'bob');
    await sendTo(bob, theirs, 'back');
    expect(await messagesOf(target, crew)).toEqual(['back', 'without bob', 'with bob']);
    expect(await messagesOf(bob, theirs)).toEqual(['back', 'with bob']);
  });
});
