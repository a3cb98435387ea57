import assert from 'node:assert/strict';
import { readEnvironment } from '../../../../src/model/payloads/payloadEnvironment.ts';

const parts = {
  environment: {
    REGION: 'eu',
    EMPTY: '',
    RUNHOOK_TOKEN: 'x',
    WEBHOOK_SECRET: 'y',
    MINE: 'Bearer the-token',
    toString: () => 'an object',
  },
  handedOut: ['WEBHOOK_SECRET'],
  held: ['the-token', 'eu'],
};

describe('a variable of the environment, for a payload', () => {
  it('is its value, which may be empty', () => {
    assert.equal(readEnvironment('REGION', parts), 'eu');
    assert.equal(readEnvironment('EMPTY', parts), '');
  });

  it('is named where it is not set', () => {
    for (const name of ['MISSING', 'toString', '__proto__', 'constructor']) {
      assert.throws(() => readEnvironment(name, parts), new RegExp(`\\$\\{env:${name}\\} is not set`));
    }
  });

  it('is no token and no secret of Runhook, under whatever name', () => {
    for (const name of ['RUNHOOK_TOKEN', 'runhook_anything', 'WEBHOOK_SECRET', 'webhook_secret', 'MINE']) {
      assert.throws(() => readEnvironment(name, parts), /gets no token and no secret of Runhook/, name);
    }
  });
});
