/** The groups of the demo and their messages. */
import type { DemoGroup } from './scenes.ts';

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
