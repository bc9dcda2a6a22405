import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entriesOf } from '../../../src/cli/archive/entries.ts';
import { htmlOf } from '../../../src/cli/archive/html.ts';
import { markdownOf } from '../../../src/cli/archive/markdown.ts';
import { namesOf } from '../../../src/cli/archive/readable.ts';
import { messageText } from '../../../src/cli/output/message-text.ts';
import { parseAttachments } from '../../../src/protocol/parse.ts';
import { parseReactions } from '../../../src/protocol/reactions.ts';
import { reactionChips } from '../../../src/state/select/reactions.ts';
import { initialState } from '../../../src/state/store.ts';
import { createArchive } from '../../../src/storage/cache/archive-file.ts';
import { aContact, aConversation, aMessage } from '../../storage/builders.ts';
import { everything, sources } from './builders.ts';

const at = Date.UTC(2026, 10, 19, 13, 55);
const hostile = '```\n# Not a heading\n<script>alert(1)</script> \u001b[2J \u202e &amp; [x](javascript:y)\n````';

function written(text: string, author = 'Ann'): { readonly markdown: string; readonly html: string } {
  const { cache } = createArchive(null, () => at + 60_000);
  const { attachments } = parseAttachments([
    { filename: '<b>a</b>.png', file_url: 'https://files.example/a.png?x=1&y="2"' },
    { filename: 'odd', file_url: 'javascript:alert(1)' },
  ]);
  const contact = aContact({ username: author });
  cache.saveContacts([contact]);
  cache.saveConversations([aConversation()]);
  const reactions = [{ name: '👍', by: ['ann', '<i>'] }];
  cache.saveMessages('c1', [aMessage({ createdAt: at, contact, text: 'Before' })]);
  cache.saveMessages('c1', [aMessage({ createdAt: at, contact, text, attachments, reactions })]);
  cache.saveReach('c1', 'server', []);
  const state = initialState({ cache: { contacts: new Map([['ann', contact]]) } });
  const entries = [...entriesOf({ server: 'https://chat.example', me: null, names: new Map(), cache }, everything)];
  const names = namesOf(state);
  return { markdown: [...markdownOf(entries, names)].join(''), html: [...htmlOf(entries, names, [author])].join('') };
}

test('Markdown puts the text in a block that it cannot end', () => {
  const { markdown } = written(hostile, '# [Eve](https://evil.example) <b>');
  expect(markdown).toMatchInlineSnapshot(`
    "# \\# \\[Eve\\]\\(https\\://evil.example\\) \\<b\\>

    From \`https://chat.example\`. Times are in UTC.

    ## 2026-11-19

    ### \\# \\[Eve\\]\\(https\\://evil.example\\) \\<b\\>, 13:55

    \`\`\`\`\`text
    \`\`\`
    # Not a heading
    <script>alert(1)</script> ␛[2J ⟦RLO⟧ &amp; [x](javascript:y)
    \`\`\`\`
    \`\`\`\`\`

    - 👍 2: \\# \\[Eve\\]\\(https\\://evil.example\\) \\<b\\>, \\<i\\>
    - Attachment \\<b\\>a\\</b\\>.png: https\\://files.example/a.png?x\\=1\\&y\\="2"
    - Attachment odd: javascript:alert\\(1\\)

    Until 2026-11-19 13:56 the text was:

    \`\`\`text
    Before
    \`\`\`

    ---

    1 message. Incomplete: older messages were not fetched.
    "
  `);
});

test('HTML has no script, nothing to fetch from other addresses, and all text escaped', () => {
  const { html } = written(hostile, '<img src=x onerror=1>');
  expect(html).not.toMatch(/<script|<img|<b>|<i>|onerror=1>|href="javascript/);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(html).toContain(`href="https://files.example/a.png?x=1&amp;y=%222%22"`);
  expect(html).toContain("default-src 'none'; style-src 'sha256-");
  expect(html).toContain('Incomplete: older messages were not fetched.');
  expect(html).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('the same conversations give the same files, and no tag or heading that is not ours', () => {
  fc.assert(
    fc.property(sources, (source) => {
      const entries = [...entriesOf(source, everything)];
      const names = namesOf(initialState());
      const html = [...htmlOf(entries, names, [])].join('');
      expect([...htmlOf(entries, names, [])].join('')).toBe(html);
      const tags = new Set([...html.matchAll(/<\/?([^\s>]+)/g)].map(([, tag]) => tag));
      for (const tag of tags) expect(ours).toContain(tag);
      const markdown = [...markdownOf(entries, names)].join('');
      const messages = entries.filter(({ type }) => type === 'message').length;
      expect(withoutBlocks(markdown).match(/^### /gm)?.length ?? 0).toBe(messages);
    }),
    { numRuns: 30 },
  );
});

const ours = [
  ...[
    '!doctype',
    'html',
    'head',
    'meta',
    'title',
    'style',
    'body',
    'nav',
    'h1',
    'h2',
    'h3',
    'ol',
    'ul',
    'li',
    'a',
    'bdi',
  ],
  ...['section', 'p', 'article', 'time', 'small', 'div', 'details', 'summary'],
];

/** As a reader of Markdown sees it: a fence ends at the first line that is as long. */
function withoutBlocks(markdown: string): string {
  let fence: string | null = null;
  const outside: string[] = [];
  for (const line of markdown.split('\n')) {
    const [run = ''] = /^`{3,}/.exec(line) ?? [];
    if (fence === null && run !== '') fence = run;
    else if (fence !== null && run.length >= fence.length && line.trim() === run) fence = null;
    else if (fence === null) outside.push(line);
  }
  expect(fence).toBe(null);
  return outside.join('\n');
}

test('a person whom the server lists twice under a reaction is counted once, in the archive as on the screen', () => {
  const { reactions } = parseReactions({ heart: ['ann', 'ann', 'bob'] });
  const message = aMessage({ createdAt: at, reactions });
  const state = initialState();
  expect(reactions).toEqual([{ name: 'heart', by: ['ann', 'bob'], repeats: 1 }]);
  expect(reactionChips(message, [])).toMatchObject([{ count: 2 }]);
  expect(messageText(state, message, null)).toContain('(heart 2)');
  const entry = { type: 'message', conversationId: 'c1', message, versions: [] } as const;
  expect([...markdownOf([entry], namesOf(state))].join('')).toContain('- heart 2: ann, bob\n');
  expect([...htmlOf([entry], namesOf(state), [])].join('')).toContain(' 2 <bdi>ann, bob</bdi>');
});
