'use strict';
// The part of undici that is used: all of it is twice as large, and takes twice as long to load.
const Dispatcher = require('undici/lib/dispatcher/dispatcher.js');

// As undici's own index does.
Dispatcher.prototype.request = require('undici/lib/api/api-request.js');

exports.Agent = require('undici/lib/dispatcher/agent.js');
exports.EnvHttpProxyAgent = require('undici/lib/dispatcher/env-http-proxy-agent.js');
