/** The conversations of the demo: who is in it, and what was said. A table. */

/**
 * A line is `<text` from the other side, `>text` from the user; in a group `1text` … `4text` from its members in order.
 * At the end may stand ` | 👍` (a reaction from the other side), ` ~` (edited) and ` @address` (an attachment), in this order.
 */
export type Scene = readonly string[];

export interface DemoContact {
  readonly username: string;
  readonly phone: string;
  readonly state?: 'pinned' | 'muted' | 'archived';
  /** Messages still unread at the end. */
  readonly unread?: number;
  readonly scenes: readonly Scene[];
}

export interface DemoGroup {
  readonly name: string;
  readonly members: readonly string[];
  readonly state?: 'pinned' | 'muted' | 'archived';
  readonly unread?: number;
  readonly pinnedLine?: string;
  readonly scenes: readonly Scene[];
}

export const demoContacts: readonly DemoContact[] = [
  {
    username: 'ann.wells',
    phone: '+44 20 7946 0101',
    state: 'pinned',
    unread: 2,
    scenes: [
      [
        '<Are you still up for the island on Saturday?',
        '>Yes! Which ferry?',
        '<The nine o’clock one. The later one is always full of school classes.',
        '>Nine it is. I bring coffee, you bring the map.',
        '<Deal | ☕',
        '>Tickets at the pier or online?',
        '<Online, they are cheaper until Thursday @https://ferry.example/tickets/saturday.pdf',
        '>Bought two. Window seats 🙂 | 🎉',
      ],
      [
        '<Did you ever finish that book about lighthouses?',
        '>Half of it. The keeper’s diary in the middle is wonderful.',
        '<“Wind from the west. Nothing to report. Again.”',
        '>That’s the one 😄 | 😂',
        '<My favourite entry is the day the goat arrives.',
        '>No spoilers, I am on page 140.',
      ],
      [
        '<Small thing: I moved the picnic blanket to your cellar last week.',
        '>So that is what it was. I thought somebody had left a tent.',
        '<It is a very good blanket.',
        '>It is a tent-sized blanket. | 😂',
      ],
      [
        '>Weather looks fine until four, then showers.',
        '<Then we take the three o’clock back and have soup at mine.',
        '>You had me at soup. | ❤️',
        '<Pumpkin or leek?',
        '>Leek.',
        '<The ferry leaves at nine, so let us meet at 8:40 by the ticket hall.',
        '<And bring a jacket, it is windy out there 🌬️',
      ],
    ],
  },
  {
    username: 'bob.quist',
    phone: '+46 8 5550 1234',
    unread: 1,
    state: 'muted',
    scenes: [
      [
        '<I sent you the draft of the workshop programme.',
        '>Got it, reading tonight.',
        '<No hurry. Well, a little hurry.',
        '>Ha. By noon tomorrow?',
        '<Perfect | 🙏',
      ],
      [
        '>Read it. Two remarks:\n\n1. The morning is too full; drop the panel.\n2. `make demo` fails on a clean checkout.',
        '<Thanks! About 2: which version?',
        '>The tag from Friday:\n\n```sh\ngit clone https://code.example/workshop\ncd workshop && make demo\n# cannot find module "slides"\n```',
        '<Found it. The slides were never committed. Embarrassing. | 😅',
        '>Happens to all of us.',
        '<Fixed and pushed. Panel is gone too. ~',
        '>**Much** better.',
      ],
      [
        '<Could you print forty name tags?',
        '>Our printer says no. I mean it really says “no”.',
        '<What did you do to it?',
        '>Asked it nicely, in A5.',
        '<I’ll go to the copy shop 😂',
      ],
      ['<Did you read the new draft? Section 3 is yours if you want it.'],
    ],
  },
  {
    username: 'cyd',
    phone: '+1 555 0142',
    scenes: [
      [
        '<noon?',
        '>Noon. The usual place?',
        '<closed mondays. the noodle bar',
        '>Even better | 🍜',
        '<table by the window, my name',
      ],
      [
        '>Running ten minutes late, tram is stuck.',
        '<no worries, ordering dumplings for two',
        '>You are a good person.',
        '<i am a hungry person',
      ],
      [
        '<heard your talk is accepted!!',
        '>Yes! Now I only have to write it. | 🎉',
        '<classic',
        '>30 minutes, in English, about caches.',
        '<there are only two hard things…',
        '>…and off-by-one errors. | 😂',
      ],
      ['<are we still running on thursday', '>Yes, seven at the bridge. 5 km, slowly.', '<slowly is my middle name 🐌'],
    ],
  },
  {
    username: 'dagny',
    phone: '+47 22 55 01 77',
    scenes: [
      [
        '>Happy birthday, Dagny! 🎂',
        '<Thank you!! It is a big one this year.',
        '>They are all big ones. How do you celebrate?',
        '<Cabin, no signal from tomorrow on, cardamom buns.',
        '>Send a picture when you are back.',
        '<Will do @https://photos.example/cabin/IMG_2041.jpg',
        '>Oh, that light. | ❤️',
      ],
      [
        '<Do you have the recipe of the rye bread?',
        '>300 g rye, 200 g wheat, 10 g salt, 380 g water, a spoon of the starter. Overnight, then 50 min at 230 °C.',
        '<No sugar?',
        '>No sugar! | 😄',
        '<It worked. The crust sings when it cools.',
      ],
    ],
  },
  {
    username: 'emeka',
    phone: '+234 1 555 0166',
    unread: 3,
    scenes: [
      [
        '<The choir needs two more basses before December.',
        '>I am more of a shower baritone.',
        '<That is a bass with good acoustics. Tuesday at seven?',
        '>I will come and listen. Listen!',
        '<That is how it starts 😏',
      ],
      [
        '>That was fun. My ears still ring.',
        '<You sang the second half, I saw it.',
        '>I moved my lips. | 😂',
        '<Sheet music for next week @https://choir.example/winter/bass.pdf',
        '<Bars 20 to 44 are the tricky ones.',
        '<And could you bring the folding chairs?',
      ],
    ],
  },
  {
    username: 'f.okafor',
    phone: '+44 161 496 0133',
    state: 'archived',
    scenes: [
      [
        '<The flat is free from the first of the month. Would you like to see it?',
        '>Yes, any evening this week.',
        '<Wednesday at six, 14 Mill Lane, top floor.',
        '>I will be there.',
        '>Thank you for showing me around. It is lovely, but too far from work for me.',
        '<Understood. All the best with the search.',
      ],
    ],
  },
  {
    username: 'haruka',
    phone: '+81 3 5550 0187',
    scenes: [
      [
        '<こんにちは！来週、東京に着くのはいつ？',
        '>火曜日の朝です。空港から電車で行きます。',
        '<Great, then I practise my English and you your Japanese 😄',
        '>約束！ | 🤝',
        '<夜ごはんは寿司？ラーメン？',
        '>ラーメン、もちろん 🍜 | 💯',
      ],
      [
        '>How do I get from the station to your office?',
        '<Exit B3 (出口B3), then 徒歩５分. There is a big wooden door.',
        '>Wooden door, got it.',
        '<If you see a cat café you went too far. Or exactly far enough 🐈',
      ],
      ['<写真ありがとう！', '>It was a wonderful evening. Thank you for everything.', '<また来てね 🌸 | ❤️'],
    ],
  },
  {
    username: 'ines',
    phone: '+351 21 555 0119',
    scenes: [
      [
        '<Did the parcel arrive?',
        '>Yes, this morning. The tiles are all in one piece.',
        '<Finally! The third attempt 😮‍💨',
        '>The blue ones are even nicer than on the picture. | 💙',
        '<My aunt painted them herself.',
        '>Please tell her: they are going above the sink, where I see them every day.',
        '<She will cry. In a good way.',
      ],
      [
        '>What do I owe you for the postage?',
        '<A visit.',
        '>Spring?',
        '<Spring! 👩‍👩‍👧‍👦 everybody is looking forward to it',
      ],
    ],
  },
  {
    username: 'jonas.lindqvist',
    phone: '+49 30 5550 0155',
    scenes: [
      [
        '<The heating people come on Monday between 8 and 12.',
        '>I can let them in.',
        '<You are a hero. The boiler is in the cupboard that looks like a wardrobe.',
        '>They were here. It was the pump; they replaced it.',
        '<Costs?',
        '>Invoice goes to the house management @https://docs.example/invoice-2217.pdf',
        '<Great, thank you | 🙏',
      ],
      ['<Is it warm now?', '>Too warm. I am in a T-shirt, in November.', '<I turn it down, sorry 😅'],
    ],
  },
  {
    username: 'kit',
    phone: '+1 555 0198',
    scenes: [
      [
        '<guess who got the climbing hall to open at six',
        '>In the MORNING?',
        '<in the morning',
        '>Who are you and what have you done with Kit?',
        '<new year new kit. november edition',
        '>Fine. Tomorrow. But you carry the rope. | 🧗',
      ],
      [
        '>I cannot lift my arms.',
        '<that means it worked 💪',
        '>How am I typing this?',
        '<with determination | 😂',
        '>With my nose.',
      ],
    ],
  },
];

export const demoGroups: readonly DemoGroup[] = [
  {
    name: 'Harbour crew',
    members: ['ann.wells', 'cyd', 'kit', 'emeka'],
    state: 'pinned',
    unread: 3,
    pinnedLine: '1Plan for the clean-up: Sunday 10:00, pier 4. Gloves and bags are there, bring boots.',
    scenes: [
      [
        '1Plan for the clean-up: Sunday 10:00, pier 4. Gloves and bags are there, bring boots. | 👍',
        '2do we get the boat this time',
        '1Yes, but only with somebody who has a licence.',
        '>I have one. Somewhere.',
        '3“somewhere”',
        '>Found it! It expired in spring.',
        '4I have a valid one. You are all welcome on my ship. | 🎉',
        '2captain emeka ⚓',
      ],
      [
        '3how many bags did we fill',
        '1Twenty-three. And one bicycle. @https://photos.example/harbour/bicycle.jpg',
        '>And a very angry crab.',
        '2the crab was the boss',
        '4The city wants to write about us. Any objections?',
        '>None, if they mention the crab. | 🦀',
      ],
      [
        '1Who can store the nets over winter?',
        '>I have room in the cellar, next to a tent-sized blanket.',
        '1Ha. Thank you. | 😂',
        '3i bring them on saturday',
        '4Lantern evening on the 12th, hot punch at the boathouse. Who comes? | 🏮',
        '2me',
        '3me + 1',
        '2who makes the punch',
      ],
    ],
  },
  {
    name: 'Workshop 2026',
    members: ['bob.quist', 'haruka', 'jonas.lindqvist'],
    state: 'muted',
    scenes: [
      [
        '1Room is booked: 14 and 15 March, the old library.',
        '2Wonderful! How many seats?',
        '1Sixty, and the balcony.',
        '>Do we stream it?',
        '3I can bring two cameras. Sound is the problem.',
        '>I ask at the theatre, they owe me something.',
        '1Dare I ask what?',
        '>Eleven folding chairs. Long story. | 😂',
      ],
      [
        '1Draft of the schedule:\n\n- 09:00 doors and coffee\n- 09:30 opening\n- 10:00 talks\n- 12:30 lunch\n- 14:00 workshops\n- 17:30 walk to the harbour',
        '2Can we have a quiet room as well?',
        '>Good idea. The reading room on the first floor?',
        '1Yes. Added. ~',
        '3Wi-Fi: the library’s dies with forty people. I bring an access point.',
        '>You think of everything. | 🙏',
      ],
      [
        '2ポスターの案ができました！ @https://design.example/workshop/poster-v2.png',
        '>Beautiful. The wave is perfect. | 👏',
        '1Can the date be a bit larger?',
        '2Of course. New version tomorrow.',
      ],
    ],
  },
  {
    name: 'House 14',
    members: ['jonas.lindqvist', 'dagny', 'ines'],
    scenes: [
      [
        '1Whoever took the ladder: please bring it back before Friday.',
        '3It was me, sorry! Back in the yard tonight.',
        '1No problem at all.',
        '2While we are at it: whose is the orange cat?',
        '>It has no owner. It has staff.',
        '2I feed it too 😳 | 😂',
        '3So do I',
        '1…it eats at mine at six.',
      ],
      [
        '2Summer party: the 20th or the 27th?',
        '>27th is better for me.',
        '3Both fine',
        '1Then the 27th. I bring the grill.',
        '>I bring salad for twelve. | 🥗',
        '2And I the playlist. No requests. OK, some requests.',
      ],
      ['3Water will be off tomorrow from 9 to 11.', '>Thanks for the warning! | 👍', '1Noted, showering early.'],
    ],
  },
];

/** What the cast says, by what was said to it; the first row that fits wins. */
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

/** What happens by itself in the first minutes: seconds after the start, where, who, what. */
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
