/** The parts of undici that the API client uses; its front door would load fetch, caches, mocks and WebSockets as well. */
const Client = require('../node_modules/undici/lib/dispatcher/client.js');
const Dispatcher = require('../node_modules/undici/lib/dispatcher/dispatcher.js');
const Pool = require('../node_modules/undici/lib/dispatcher/pool.js');
const buildConnector = require('../node_modules/undici/lib/core/connect.js');
const connect = require('../node_modules/undici/lib/api/api-connect.js');
const request = require('../node_modules/undici/lib/api/api-request.js');

// undici's index.js gives every dispatcher its methods; these are the two that src/api calls.
Object.assign(Dispatcher.prototype, { connect, request });
module.exports = { Client, Pool, buildConnector };
