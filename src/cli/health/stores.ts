/** Checks outbox and cache: whether they are damaged, what waits in them, and which process sends. */
import type { ProfileDirectories } from '../../config/paths.ts';
import type { ServerCapabilities } from '../../protocol/capabilities.ts';
import {
  type CacheContent,
  type DatabaseFacts,
  inspectCache,
  inspectOutbox,
  type OutboxContent,
} from '../../storage/inspect.ts';
import { isStopped, senderOf } from '../../storage/outbox/sender-lock.ts';
import { bytes, type Check, counted, type Section, sectionOf } from '../output/check.ts';
import { messageOf } from '../process/exit.ts';

export interface StoreReport {
  readonly outbox: readonly Check[];
  readonly cache: readonly Check[];
  readonly capabilities: ServerCapabilities;
  /** outbox.db is of an earlier version, and nothing sends from it: the next start brings it to this version. */
  readonly awaitsStart: boolean;
}

const outboxSection = sectionOf('Outbox');
const cacheSection = sectionOf('Cache');

/** Never throws, and changes nothing. */
export function inspectStores(directories: ProfileDirectories | null): StoreReport {
  if (directories === null) return { outbox: [], cache: [], capabilities: {}, awaitsStart: false };
  const sender = findSender(directories.data);
  const outbox = inspectOutbox(directories.data, sender.isHeld);
  const cache = inspectCache(directories.cache, sender.isHeld);
  return {
    outbox: [storeCheck(outboxSection, 'outbox.db', outbox, onDamagedOutbox), ...waiting(outbox), sender.check],
    cache: [storeCheck(cacheSection, 'cache.db', cache, onDamagedCache), ...cached(cache)],
    capabilities: outbox.content?.capabilities ?? {},
    awaitsStart: outbox.version !== null && outbox.version < outbox.knownVersion && !sender.isHeld,
  };
}

const onDamagedOutbox = 'start msg-tui: it puts the file aside, keeps it, and saves what can be read';
const onSetAside = 'msg-tui outbox list shows what can be read of it, and msg-tui outbox discard removes it';
const onDamagedCache = 'start msg-tui: it puts the file aside and loads everything again';

function storeCheck<T>(section: Section, name: string, facts: DatabaseFacts<T>, onDamage: string): Check {
  const { condition, problem, version, knownVersion, path } = facts;
  const size = bytes(facts.bytes);
  if (condition === 'missing') return section.note(name, 'not there yet', 'the first start makes it');
  if (condition === 'damaged') return section.wrong(name, `damaged: ${problem ?? path}`, onDamage);
  if (condition === 'unreadable') return section.wrong(name, `${path}: ${problem ?? 'it cannot be read'}`);
  if (condition === 'newer')
    return section.wrong(name, `of version ${version}; this msg-tui knows up to ${knownVersion}`, 'update msg-tui');
  const older = version === knownVersion ? '' : `; the next start brings it to ${knownVersion}`;
  return section.ok(name, `whole, version ${version}${older}, ${size}`);
}

function waiting({ content }: DatabaseFacts<OutboxContent>): readonly Check[] {
  if (content === null) return [];
  const { queued, sending, unsure, failed, drafts, setAside, me } = content;
  const under = sending === 0 ? '' : `, ${sending} being sent`;
  const text = `${queued} queued${under}, ${unsure} unsure, ${failed} failed, ${counted(drafts, 'draft')}`;
  const needsYou = unsure + failed > 0;
  return [
    needsYou
      ? outboxSection.note('waiting', text, 'open the chat: it asks what to do')
      : outboxSection.ok('waiting', text),
    ...(setAside === 0 ? [] : [outboxSection.wrong('set aside', unreadable(setAside), onSetAside)]),
    ...(me === null ? [] : [outboxSection.ok('you are', me.username ?? me.contactId)]),
  ];
}

const unreadable = (count: number): string =>
  `${counted(count, 'record')} could not be understood and ${count === 1 ? 'is' : 'are'} kept in the file`;

function cached({ content }: DatabaseFacts<CacheContent>): readonly Check[] {
  if (content === null) return [];
  const { conversations, messages } = content;
  return [cacheSection.ok('holds', `${counted(conversations, 'conversation')}, ${counted(messages, 'message')}`)];
}

/** The text for two cases that only an attempt to write could tell apart. */
const unknownSender = 'another msg-tui sends for this profile, or files cannot be locked there';

function findSender(directory: string): { readonly isHeld: boolean; readonly check: Check } {
  try {
    const sender = senderOf(directory);
    if (sender === null) return { isHeld: false, check: outboxSection.ok('sender', 'no msg-tui sends now') };
    if (sender.pid === null) return { isHeld: true, check: outboxSection.note('sender', unknownSender) };
    const text = `process ${sender.pid} sends for this profile`;
    if (!isStopped(sender.pid)) return { isHeld: true, check: outboxSection.ok('sender', text) };
    const remedy = `continue it (fg in its terminal, or kill -CONT ${sender.pid}), or end it and another one sends`;
    return { isHeld: true, check: outboxSection.note('sender', `${text} and is stopped: nothing leaves`, remedy) };
  } catch (error) {
    return { isHeld: false, check: outboxSection.note('sender', messageOf(error)) };
  }
}
