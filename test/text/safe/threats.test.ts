/** Each sequence of the threat table in each field of the API, as raw bytes and as JSON escapes (suite TP6): the terminal only draws. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultSites } from '../../support/campaigns/fault-sites.ts';
import { campaignPart } from '../../support/campaigns/partition.ts';
import { type ThreatStage, threatStage } from '../../support/campaigns/threat-stage.ts';
import { encodings, fields, threats } from '../../support/corpora/threats.ts';

let stage: ThreatStage;
beforeAll(async () => {
  stage = await threatStage();
});
afterAll(() => stage.close());

/** Where the text in front of an attack can be read on the screen. */
const shownFields: readonly string[] = [
  'message text',
  'contact name',
  'conversation title',
  'attachment name',
  'error body',
];

const sites = faultSites(fields);
let cases = 0;

test('the text beside an attack is shown', async () => {
  for (const field of fields) {
    const { screen } = await stage.show(field, 'JSON escapes', 'mark');
    const text = screen.join('\n');
    expect(text, field).toContain('untouched');
    if (shownFields.includes(field)) expect(text, field).toContain('mark');
  }
});

const places = fields.flatMap((field) => encodings.map((encoding) => ({ field, encoding })));
const each = Object.entries(threats).map(([name, attack], index) => [name, attack, index % 11] as const);

test.each(each)('%s', async (name, attack, from) => {
  // An eleventh of the places in `npm test`, others for each attack; all of them in the full run.
  for (const { field, encoding } of campaignPart([...places.slice(from), ...places.slice(0, from)], 11)) {
    sites.hit(field);
    cases += 1;
    const { wrong } = await stage.show(field, encoding, `mark ${attack}`);
    expect(wrong, `${name} in ${field} as ${encoding}`).toEqual([]);
  }
});

test('every field was tested with a sequence', () => {
  sites.print('TP6 threat table', `${cases} cases`);
  expect(sites.neverHit()).toEqual([]);
});
