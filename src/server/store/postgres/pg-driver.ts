/** The PostgreSQL driver. It is built as a separate file, which is loaded only where a PostgreSQL database is opened. */
import pg from 'pg';

// The driver warns that its next major version will not read `~/.pgpass` by itself. An operator can do nothing about that.
Object.assign(process, { noDeprecation: true });

export const { Client, Pool, types } = pg;
