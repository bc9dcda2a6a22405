/** Stands in for what Ink loads only in development. */
export default {};
