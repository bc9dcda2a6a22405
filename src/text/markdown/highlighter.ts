/** Colours code. Loads highlight.js and its languages, so it runs in a thread of its own (`highlighter-thread.ts`). */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { type CodeKind, type CodeStretch, type Highlight, hasColours } from './blocks.ts';

const languages = {
  ...{ bash, c, cpp, csharp, css, diff, dockerfile, go, ini, java, javascript, json, kotlin, markdown, php, python },
  ...{ ruby, rust, sql, swift, typescript, xml, yaml },
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** The classes of highlight.js by their first word; others keep the colour of the text. */
const kinds: Readonly<Record<string, CodeKind>> = {
  ...{ keyword: 'keyword', literal: 'keyword', operator: 'keyword', type: 'keyword', built_in: 'keyword' },
  ...{ string: 'string', regexp: 'string', char: 'string', symbol: 'string', link: 'string', quote: 'comment' },
  ...{ number: 'number', bullet: 'number', comment: 'comment', doctag: 'comment' },
  ...{ title: 'title', section: 'title', name: 'title', tag: 'title', 'selector-tag': 'title', attr: 'title' },
  ...{ 'selector-class': 'title', 'selector-id': 'title', property: 'title', attribute: 'title' },
  ...{ meta: 'meta', 'template-tag': 'meta', 'template-variable': 'meta', variable: 'meta' },
  ...{ addition: 'addition', deletion: 'deletion' },
};

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" };

/** Whether code in it can have colours; the names that people use for a language are known too. */
export const hasLanguage = (name: string): boolean => hljs.getLanguage(name) !== undefined;

/** Code in an unknown language has no colours. */
export const highlight: Highlight = (code, language) => {
  if (!hasColours(code) || !hasLanguage(language)) return [];
  return stretchesOf(hljs.highlight(code, { language, ignoreIllegals: true }).value, code);
};

const piece = /<span class="([^"]*)">|<\/span>|&(amp|lt|gt|quot|#x27);|[^<&]+/y;

/** Reads the answer of highlight.js; one that is not the code with spans around parts of it gives no colours. */
function stretchesOf(html: string, code: string): readonly CodeStretch[] {
  const stretches: CodeStretch[] = [];
  const open: (CodeKind | null)[] = [];
  let at = 0;
  piece.lastIndex = 0;
  for (let found = piece.exec(html); found !== null; found = piece.exec(html)) {
    const [all, names, entity] = found;
    if (names !== undefined) open.push(names === 'hljs-subst' ? null : (kindOf(names) ?? open.at(-1) ?? null));
    else if (all === '</span>') open.pop();
    else {
      const text = entity === undefined ? all : (entities[entity] ?? '');
      if (!code.startsWith(text, at)) return [];
      const kind = open.at(-1) ?? null;
      if (kind !== null) addTo(stretches, at, at + text.length, kind);
      at += text.length;
    }
    if (piece.lastIndex === html.length) break;
  }
  return at === code.length ? stretches : [];
}

const kindOf = (names: string): CodeKind | undefined => kinds[/^hljs-([\w-]+)/.exec(names)?.[1] ?? ''];

function addTo(stretches: CodeStretch[], start: number, end: number, kind: CodeKind): void {
  const last = stretches.at(-1);
  if (last?.end === start && last.kind === kind) stretches[stretches.length - 1] = { ...last, end };
  else stretches.push({ start, end, kind });
}
