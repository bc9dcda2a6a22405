import { describe, expect, test } from 'vitest';
import { noteUse } from '../../../src/state/local/uses.ts';
import type { AppState, NamePrompt } from '../../../src/state/model/app-state.ts';
import { typeText } from '../../../src/state/search/edit-field.ts';
import { nameSearch, openNamePrompt } from '../../../src/state/search/name-prompt.ts';
import {
  numberedReactions,
  sameReaction,
  selectPartnerChoices,
  selectReactionChoices,
} from '../../../src/state/search/picker-choices.ts';
import { moveChoice, topOverlay } from '../../../src/state/view/overlays.ts';
import { quickReactions } from '../../../src/text/emoji/emoji.ts';
import * as eg from '../../support/builders/eg.ts';
import { scene } from '../../support/builders/scene.ts';
import { searched } from '../../support/searched.ts';

const picker = (query: string) =>
  eg.state({
    screen: { overlays: [{ kind: 'reaction-picker', conversationId: 'a', messageId: 'm', typed: query, selected: 0 }] },
  });

describe('reactions to choose from', () => {
  test('without a typed text are the nine quick ones, in the order of their digits', () => {
    const choices = selectReactionChoices(picker(''));
    expect(choices.map(({ name }) => name)).toEqual(quickReactions);
    expect(choices[0]?.glyph).toBe('👍');
  });

  test('continue after the numbered ones with those that the user gives often and lately, each once', () => {
    const given = ['rocket', '🏮', 'heart', 'thumbsup', '🏮', 'izakaya_lantern'];
    const used = given.reduce((state, name, at) => noteUse('reactionUses', name, at)(state), picker(''));
    const names = selectReactionChoices(used).map(({ name }) => name);
    expect(names).toEqual([...quickReactions, '🏮', 'rocket']);
  });

  test('begin with those that the message has, and a colon finds names that begin with a digit', () => {
    expect(numberedReactions(['🏮', '❤️']).slice(0, 4)).toEqual(['🏮', '❤️', '+1', 'joy']);
    const overlay = {
      kind: 'reaction-picker',
      conversationId: 'c-ann',
      messageId: 'a3',
      reactionsThen: ['thumbsup', 'heart'],
      typed: '',
      selected: 0,
    } as const;
    const shown = selectReactionChoices(scene({ overlays: [overlay] }));
    expect(shown.slice(0, 3).map(({ name }) => name)).toEqual(['thumbsup', 'heart', 'joy']);
    expect(selectReactionChoices(picker(':100')).map(({ name }) => name)).toContain('100');
  });

  test('include a name that no table knows, and none that could not be sent', () => {
    expect(selectReactionChoices(picker('party_ferry')).at(-1)).toEqual({ name: 'party_ferry', glyph: null });
    expect(selectReactionChoices(picker('tada')).filter(({ name }) => name === 'tada').length).toBe(1);
    expect(selectReactionChoices(picker('a[b]'))).toEqual([]);
  });

  test('include several names of one emoji once', () => {
    expect([sameReaction('+1', '👍'), sameReaction('thumbsup', '+1'), sameReaction('+1', '-1')]).toEqual([
      true,
      true,
      false,
    ]);
    expect([sameReaction('odd', 'odd'), sameReaction('odd', 'other')]).toEqual([true, false]);
  });

  test('are empty without a picker, and the same list for the same query', () => {
    expect(selectReactionChoices(eg.state())).toEqual([]);
    expect(selectReactionChoices(picker('heart'))).toBe(selectReactionChoices(picker('heart')));
  });
});

describe('people to choose from', () => {
  const prompt = (query: string) => typeText(query)(openNamePrompt('new-conversation')(known));
  const known = eg.state({
    conversations: [eg.conversation({ id: 'k', contactId: 'c2' }), eg.conversation({ id: 'l', groupId: 'g1' })],
    contacts: [
      eg.contact({ id: 'c1', username: 'Joanna' }),
      eg.contact({ id: 'c2', username: 'Ann' }),
      eg.contact({ id: 'me', username: 'Anselm' }),
    ],
    local: { me: { contactId: 'me', username: 'Anselm' }, names: new Map([['g1', 'Harbour\u001b[2Jcrew']]) },
  });
  const rows = (query: string) =>
    selectPartnerChoices(prompt(query)).map(({ kind, id, conversationId }) => [kind, id, conversationId]);

  test('are all known ones but the user, by name, with the existing conversation', () => {
    expect(rows('')).toEqual([
      ['contact', 'c2', 'k'],
      ['group', 'g1', 'l'],
      ['contact', 'c1', null],
    ]);
  });

  test('whose names begin with what was typed come first, then the typed text as an id of either kind', () => {
    expect(rows('ann')).toEqual([
      ['contact', 'c2', 'k'],
      ['contact', 'c1', null],
      ['contact', 'ann', null],
      ['group', 'ann', null],
    ]);
  });

  test('are shown without control characters', () => {
    const names = selectPartnerChoices(prompt('\u001b]0;x\u0007')).map(({ name }) => name);
    expect([...names, ...selectPartnerChoices(prompt('')).map(({ name }) => name)].join('')).not.toMatch(
      /[\u0000-\u001f]/,
    );
  });

  test('are two if a contact and a group have the same id', () => {
    const numbered = eg.state({
      conversations: [eg.conversation({ id: 'k', contactId: '1' }), eg.conversation({ id: 'l', groupId: '1' })],
      contacts: [eg.contact({ id: '1', username: 'Ann' })],
      local: { names: new Map([['1', 'Ann']]) },
    });
    const choices = selectPartnerChoices(openNamePrompt('new-conversation')(numbered));
    expect(choices.map(({ kind, id, conversationId }) => [kind, id, conversationId]).sort()).toEqual([
      ['contact', '1', 'k'],
      ['group', '1', 'l'],
    ]);
  });

  test('stay chosen by id when more people are found', async () => {
    const moved = moveChoice(3, 4)(prompt('n'));
    const chosen = (state: AppState) => selectPartnerChoices(state)[(topOverlay(state) as NamePrompt).selected];
    expect(chosen(moved)).toMatchObject({ kind: 'group', id: 'n', conversationId: null });
    const contacts = new Map([...moved.cache.contacts, ['c3', eg.contact({ id: 'c3', username: 'Nan' })]]);
    const more = { ...moved, cache: { ...moved.cache, contacts } };
    const found = await searched(nameSearch, more);
    expect(selectPartnerChoices(found)).toHaveLength(5);
    expect(chosen(found)).toEqual(chosen(moved));
  });
});
