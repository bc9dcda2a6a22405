/** The style of an archive in HTML, for screens in light and dark and for paper. */
export const htmlStyle = `
:root { color-scheme: light dark; --line: #8884; --dim: #667; --link: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --dim: #9aa; --link: #8ab4f8; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.4rem; margin: 2rem 0 0; }
h2 { font-size: .9rem; color: var(--dim); text-align: center; border-bottom: 1px solid var(--line); margin: 2rem 0 1rem; }
h3 { font-size: 1rem; margin: 0; }
article { margin: 0 0 1rem; break-inside: avoid; }
time, small, .note, .reactions, summary { color: var(--dim); font-size: .85rem; font-weight: normal; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
ul { list-style: none; margin: .25rem 0 0; padding: 0; }
.reactions li { display: inline-block; border: 1px solid var(--line); border-radius: 1rem; padding: 0 .6rem; margin: 0 .4rem .25rem 0; }
a { color: var(--link); overflow-wrap: anywhere; }
`;
