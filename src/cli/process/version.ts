/** The version, which the build inserts. */
declare const __MSG_TUI_VERSION__: string | undefined;

export const version: string = typeof __MSG_TUI_VERSION__ === 'string' ? __MSG_TUI_VERSION__ : '0.0.0-source';
