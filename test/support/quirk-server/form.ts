/** Form bodies in bracket notation as the quirk server reads them; written for itself, so that client and server err apart. */

export interface Form {
  readonly plain: ReadonlyMap<string, string>;
  /** null: no `reactions` at all; an empty list: `reactions=`. A name with no values was sent as `[name][]=`. */
  readonly reactions: readonly { readonly name: string; readonly by: readonly string[] }[] | null;
  readonly attachments: readonly Readonly<Record<string, string>>[] | null;
}

/** `keepsEmpty`: an empty value under a reaction name is a string like any other. */
export function readForm(body: string, keepsEmpty = false): Form {
  const plain = new Map<string, string>();
  let reactions: Map<string, string[]> | null = null;
  let attachments: Map<string, Record<string, string>> | null = null;
  for (const [name, value] of new URLSearchParams(body)) {
    const [, head = name, first, second] = /^([^[\]]+)(?:\[([^[\]]*)\])?(?:\[([^[\]]*)\])?$/.exec(name) ?? [];
    if (head === 'reactions') {
      reactions ??= new Map();
      if (first === undefined) continue;
      const held = reactions.get(first) ?? [];
      if (value !== '' || keepsEmpty) held.push(value);
      reactions.set(first, held);
    } else if (head === 'attachments') {
      attachments ??= new Map();
      if (first === undefined) continue;
      attachments.set(first, { ...attachments.get(first), [second ?? '']: value });
    } else plain.set(name, value);
  }
  return {
    plain,
    reactions: reactions === null ? null : [...reactions].map(([name, by]) => ({ name, by })),
    attachments: attachments === null ? null : [...attachments.values()],
  };
}
