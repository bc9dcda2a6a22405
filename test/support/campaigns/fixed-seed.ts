/** Runs the properties of fast-check from `MSG_TUI_SEED`, so that a run of the default suite can be repeated. */
import fc from 'fast-check';
import { countFrom } from './partition.ts';

fc.configureGlobal({ seed: countFrom('MSG_TUI_SEED', 1) });
