/**
 * The emoji of which people make joined ones, as a class for patterns. All of them can be joined and are as wide as an emoji
 * whatever stands around, so that text of them needs none of the patterns with Unicode properties, whose making takes
 * longer than a frame may.
 */
export const commonEmoji =
  '\\u{1f300}-\\u{1f320}\\u{1f337}-\\u{1f37c}\\u{1f3a0}-\\u{1f3ca}\\u{1f3e0}-\\u{1f3f0}\\u{1f400}-\\u{1f43e}\\u{1f442}-\\u{1f4fc}\\u{1f600}-\\u{1f64f}\\u{1f680}-\\u{1f6c5}\\u{1f910}-\\u{1f93a}\\u{1f940}-\\u{1f945}\\u{1f947}-\\u{1f9ff}';

/** Some of them joined to one, as a pattern; what may stand around it is the caller's. */
export const joinedCommonEmoji = `[${commonEmoji}](?:\\u200d[${commonEmoji}])+`;
