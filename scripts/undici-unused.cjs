/**
 * In place of what undici loads and src/api never uses: HTTP/2, which it does not offer to servers, and bodies made of
 * forms. Of `node:http` undici takes the largest size of headers in bytes, as it is in Node, and a class of streams.
 */
module.exports = { maxHeaderSize: 16_384, IncomingMessage: class {} };
