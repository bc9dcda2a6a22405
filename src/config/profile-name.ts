/** Makes the name of a profile that the user has not named. */

/** Letters, digits and dashes of host and path: `chat-example-com`. */
export const profileName = (server: string): string => {
  const { host, pathname } = new URL(server);
  return (
    `${host}${pathname}`
      .replace(/[^A-Za-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 64) || 'default'
  );
};
