import assert from 'node:assert/strict';
import { HeldSecrets } from '../../../../src/listener/program/program.ts';
import { defaultSecret } from '../../../support/listener/defaultSecret.ts';

describe('the secrets of several windows', () => {
  const [a, b, old] = [defaultSecret('a'), defaultSecret('b'), defaultSecret('a', 1)];
  const [one, other] = [{}, {}];

  it('are those of all, each once, the last told first', () => {
    const held = new HeldSecrets();
    held.set(one, [a, old]);
    held.set(other, [b, a]);
    assert.deepEqual(held.all(), [b, a, old]);
    held.set(other, []);
    assert.deepEqual(held.all(), [a, old], 'one that holds none takes none away');
  });

  it('stay when the last window leaves, until another tells some', () => {
    const held = new HeldSecrets();
    held.set(one, [a]);
    held.leave(one);
    assert.deepEqual(held.all(), [a]);
    held.set(other, []);
    assert.deepEqual(held.all(), [a]);
    held.set(other, [b]);
    assert.deepEqual(held.all(), [b]);
    held.set(other, []);
    assert.deepEqual(held.all(), [], 'it has removed its own');
  });

  it('go with a window that leaves while others hold some', () => {
    const held = new HeldSecrets();
    held.set(one, [a]);
    held.set(other, [b]);
    held.leave(one);
    assert.deepEqual(held.all(), [b]);
  });
});
