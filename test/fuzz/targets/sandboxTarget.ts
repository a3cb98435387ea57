import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Refusal } from '../../../src/service/sandbox/refusal.ts';
import { isPublic, operationOf } from '../../../src/service/sandbox/operation.ts';
import {
  hasWebhook,
  queryForApp,
  webhookParametersOf,
} from '../../../src/service/sandbox/webhook/webhookParameters.ts';
import { seedsOf, type Target } from '../target.ts';

/** A request without headers. */
const request = new IncomingMessage(new Socket());

/** The sandbox's routing of a request target: all its functions must read the target in the same way. */
export const routesTarget: Target = {
  name: 'routes',
  seeds: seedsOf(
    '/v2/p-1/service-accounts/sa-1/keys',
    '/v2/projects/p-1/apps/hello',
    '/v4/p-1/hello/run?webhookEndpoint=http%3A%2F%2F127.0.0.1%2F%3Fa%3D1&x=1',
    '/v4/p-1/hello/any/path?x',
    '/openapi.json',
  ),
  tokens: ['/v2/', '/v4/', '%2F', '%', '..', '?', '&webhookEndpoint=', 'file:', '//', '/keys', '#', '\\'],
  check: (input) => {
    const target = input.toString('latin1');
    try {
      const route = operationOf(target);
      assert.equal(route.kind === 'openApi', isPublic(target));
      if (route.kind !== 'run') return;
      assert.ok(route.path.startsWith('/'));
      const webhook = webhookParametersOf(request, route.query);
      assert.equal(webhook !== undefined, hasWebhook(route.query));
      assert.match(webhook?.endpoint.protocol ?? 'http:', /^https?:$/);
      assert.ok(!hasWebhook(queryForApp(route.query)), 'the app is told of the webhook');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  },
};
