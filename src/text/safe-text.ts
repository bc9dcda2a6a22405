/** The brand of text that may reach a terminal; made by `sanitize.ts`, `literal` and `safe` alone. */

declare const brand: unique symbol;

/** Holds no control, bidi or zero-width character that could control a terminal or deceive its user. */
export type SafeText = string & { readonly [brand]: true };

/** For text written in this program's own source: the type admits only string literals. */
export function literal<T extends string>(text: string extends T ? never : T): SafeText {
  return text as unknown as SafeText;
}

/** Joins safe pieces and numbers with literal text between them. */
export function safe(strings: TemplateStringsArray, ...values: readonly (SafeText | number)[]): SafeText {
  let out = strings[0] ?? '';
  for (let i = 0; i < values.length; i++) out += String(values[i]) + (strings[i + 1] ?? '');
  return out as SafeText;
}
