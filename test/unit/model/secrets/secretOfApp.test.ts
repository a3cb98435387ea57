import assert from 'node:assert/strict';
import { secretOfApp } from '../../../../src/model/secrets/secretOfApp.ts';
import type { HeldSecret } from '../../../../src/model/secrets/webhookSecret.ts';

const ofApp = (projectId: string, secret: string, until?: number): HeldSecret => ({
  secret,
  owner: { kind: 'app', projectId, name: 'hello' },
  ...(until !== undefined && { until }),
});
const ofProject = (projectId: string, secret: string): HeldSecret => ({
  secret,
  owner: { kind: 'project', projectId, name: projectId },
});
const standard: HeldSecret = { secret: 'default', owner: { kind: 'default' } };

describe('the secret that deliveries of an app are signed with', () => {
  const projects = new Set(['p-1', 'p-2']);
  const cases: [what: string, held: HeldSecret[], secret: string | undefined][] = [
    [
      'its own, before that of its project',
      [ofProject('p-1', 'project'), ofApp('p-1', 'own'), standard],
      'own',
    ],
    ['that which it has now', [ofApp('p-1', 'old', 1), ofApp('p-1', 'new')], 'new'],
    ['that of its project', [ofProject('p-3', 'other'), ofProject('p-1', 'project')], 'project'],
    ['none where neither has one', [ofProject('p-3', 'other'), standard], undefined],
    ['none where two of that name have', [ofApp('p-1', 'a'), ofApp('p-2', 'b')], undefined],
    ['none where the projects of two have', [ofProject('p-1', 'a'), ofProject('p-2', 'b')], undefined],
  ];
  for (const [what, held, secret] of cases) {
    it(`is ${what}`, () => assert.equal(secretOfApp('hello', projects, held), secret));
  }
});
