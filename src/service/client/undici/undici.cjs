'use strict';
// Only the part of undici that is used: the whole is twice as large, and takes three times as long to load.
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');

// As undici's own index does, with more methods. Its proxy agent calls the second.
Object.assign(Dispatcher.prototype, {
  request: require('undici/lib/api/api-request.js'),
  connect: require('undici/lib/api/api-connect.js'),
});

exports.Agent = require('undici/lib/dispatcher/agent.js');
exports.EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent.js');
