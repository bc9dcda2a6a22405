/** `/density` chooses how many rows a conversation has in the list. */
import { densities, selectDensity, setDensity } from '../state/local/list-layout.ts';
import type { Density } from '../state/model/settings.ts';
import { type Command, withParameters } from './command.ts';
import { notify } from './notify.ts';
import type { Parameter } from './parameters.ts';

const densityWord: Parameter<Density | null> = {
  expects: 'compact, normal or comfortable',
  parse: (word) => densities.find((density) => density === word.toLowerCase()),
  otherwise: null,
};

const words: Readonly<Record<Density, string>> = {
  compact: 'Compact list: one row for each conversation',
  normal: 'Normal list: two rows for each conversation',
  comfortable: 'Comfortable list: three rows for each conversation',
};

const following = (density: Density): Density =>
  densities[(densities.indexOf(density) + 1) % densities.length] ?? 'normal';

export const densityCommands: readonly Command[] = [
  withParameters({
    id: 'list.density',
    slash: 'density',
    group: 'Anywhere',
    where: ['global'],
    title: 'Next density of the list',
    keys: ['alt+0'],
    parameters: { density: densityWord },
    run: (context, { density }) => {
      const chosen = density ?? following(selectDensity(context.get()));
      context.update(setDensity(chosen));
      notify(context, words[chosen]);
    },
  }),
];
