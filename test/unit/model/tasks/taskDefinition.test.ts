import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readTask, taskSchemas } from '../../../../src/model/tasks/taskDefinition.ts';

interface Contributes {
  taskDefinitions: { type: string; properties: Record<string, { enum?: string[] }> }[];
  problemMatchers: { name: string; background: { beginsPattern: string; endsPattern: string } }[];
}

const manifest = new URL('../../../../package.json', import.meta.url);
const { contributes } = JSON.parse(readFileSync(manifest, 'utf8')) as { contributes: Contributes };

describe('the definition of a task', () => {
  const refused = (written: object, message: RegExp) =>
    assert.throws(() => readTask({ type: 'runhook', ...written }), { name: 'UserError', message });

  it('is read, by what the task does', () => {
    assert.deepEqual(readTask({ type: 'runhook', task: 'listen' }), { task: 'listen' });
    assert.deepEqual(readTask({ type: 'runhook', task: 'run', payload: ' a.json ', webhook: true }), {
      ...{ task: 'run', payload: 'a.json', webhook: true },
      ...{ waitForDelivery: false, timeoutSeconds: 60 },
    });
  });

  it('that does not fit is refused by the name of what is wrong', () => {
    refused({}, /"task" is missing/);
    refused({ task: 'dance' }, /"task" must be one of "listen"/);
    refused({ task: 'apply' }, /"file" is missing/);
    refused({ task: 'send', fixture: ' ' }, /"fixture" must not be empty/);
    refused({ task: 'run', payload: 'a', timeoutSeconds: 0 }, /"timeoutSeconds" must be 1 or more/);
    refused({ task: 'run', payload: 'a', webhook: false, waitForDelivery: true }, /needs "webhook"/);
  });

  it('is in the manifest as it is read', () => {
    const [{ type, properties } = { type: '', properties: {} }, ...others] = contributes.taskDefinitions;
    assert.deepEqual([type, others], ['runhook', []]);
    assert.deepEqual(properties.task?.enum, Object.keys(taskSchemas));
    const read = Object.values(taskSchemas).flatMap(({ entries }) => Object.keys(entries));
    assert.deepEqual(Object.keys(properties).sort(), [...new Set(read)].sort());
  });
});
