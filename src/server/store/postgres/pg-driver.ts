/** The PostgreSQL driver. It is built as a file of its own, which is loaded only where a PostgreSQL database is opened. */
import pg from 'pg';

export const { Client, Pool, types } = pg;
