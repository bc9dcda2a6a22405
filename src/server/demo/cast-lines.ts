/** The texts that the people of the demo write by themselves and as answers. */

/** Answers by the text of the message; the first row that fits is used. */
export const demoReplies: readonly {
  readonly fits: RegExp;
  readonly say: readonly string[];
  readonly react?: string;
}[] = [
  {
    fits: /\b(thanks|thank you|thx|merci|danke)\b/i,
    say: ['Any time!', 'You’re welcome 🙂', 'Of course.'],
    react: '❤️',
  },
  {
    fits: /\b(hi|hello|hey|good morning|good evening)\b/i,
    say: ['Hello! How are things?', 'Hey 👋', 'Hi! I was just thinking of you.'],
  },
  {
    fits: /\b(lunch|dinner|noodles|coffee|tea|eat)\b/i,
    say: ['Now I am hungry.', 'Count me in. When?', 'Yes please ☕'],
    react: '😋',
  },
  {
    fits: /\b(ferry|island|boat|harbour)\b/i,
    say: ['The nine o’clock one, as always.', 'If the wind allows it.', 'I already packed.'],
  },
  {
    fits: /\b(sorry|late|delayed)\b/i,
    say: ['No worries at all.', 'Take your time.', 'I am late as well, so we are even.'],
  },
  { fits: /https?:\/\//i, say: ['Opening it now.', 'Ooh, thank you for the link.'], react: '👀' },
  { fits: /```|`[^`]+`/, say: ['Let me try that here.', 'Works on my machine. Which version have you got?'] },
  {
    fits: /\b(when|what time)\b.*\?/i,
    say: ['Around seven?', 'Saturday works best for me.', 'Any evening but Tuesday.'],
  },
  {
    fits: /\b(where)\b.*\?/i,
    say: ['By the pier, as usual.', 'At mine, third floor.', 'Good question. I look it up.'],
  },
  {
    fits: /\?\s*$/,
    say: ['Yes, I think so.', 'Let me check and come back to you.', 'Honestly? No idea.', 'I would say yes.'],
  },
  { fits: /!\s*$/, say: ['Wonderful!', 'That is great news 🎉', 'Ha, I like that.'], react: '🎉' },
  {
    fits: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
    say: ['いいね！', 'わかりました。', '楽しみ！'],
    react: '🌸',
  },
  {
    fits: /./su,
    say: [
      'Sounds good.',
      'I see what you mean.',
      'OK 👍',
      'Tell me more?',
      'That makes sense.',
      'Let us talk about it tomorrow.',
    ],
    react: '👍',
  },
];

/** What people write by themselves in the first minutes: seconds after the start, conversation, person, text. */
export const demoChatter: readonly {
  readonly after: number;
  readonly who: string;
  readonly group?: string;
  readonly say: string;
}[] = [
  { after: 8, who: 'cyd', group: 'Harbour crew', say: 'i can make the punch. family recipe' },
  { after: 20, who: 'ann.wells', say: 'Also: do you have room for a thermos in your bag?' },
  { after: 34, who: 'kit', group: 'Harbour crew', say: 'the recipe is “add more oranges”' },
  { after: 50, who: 'haruka', say: '写真、今夜送ります 📷' },
  {
    after: 75,
    who: 'emeka',
    group: 'Harbour crew',
    say: 'I bring the big pot, then. And the folding chairs, before anybody asks.',
  },
  { after: 110, who: 'dagny', say: 'Back from the cabin. The buns did not survive.' },
];
