import assert from 'node:assert/strict';
import { fieldNamed, fields, validate } from '../../../../src/service/settings/appSettings.ts';

const inexact = 'Numbers above 9007199254740991 cannot be sent exactly. Enter 9007199254740991 or less.';

/** Wire values and what is said of them; undefined where nothing is wrong (service-interface.md, 2 and 8). */
const cases: [name: string, value: unknown, said: string | undefined][] = [
  ['gpuCount', -1, 'Enter 0 or more.'],
  ['gpuCount', 0, undefined],
  ['gpuCount', 8, undefined],
  ['gpuCount', 9, 'Enter 8 or less.'],
  ['gpuCount', 1.5, 'Enter a whole number, using digits only, such as 2.'],
  ['gpuCount', '2', 'Give it as a number, without quotes: 2.'],
  ['cpu', '-1', 'Enter 0 or more.'],
  ['cpu', '-0', 'Enter a number, using digits only, such as 4 or 0.5.'],
  ['cpu', '0', undefined],
  ['cpu', '0.5', undefined],
  ['cpu', '100', undefined],
  ['cpu', '100.0', undefined],
  ['cpu', '100.00000000000000000001', 'Enter 100 or less.'],
  ['cpu', '101', 'Enter 100 or less.'],
  ['cpu', 4, 'Give it as a string, in quotes: "4".'],
  ['cpu', 101, 'Enter 100 or less.'],
  ['cpu', NaN, 'Enter a number, using digits only, such as 4 or 0.5.'],
  ['memory', '192', undefined],
  ['memory', '193', 'Enter 192 or less.'],
  ['memory', '16GB', 'Enter a number, using digits only, such as 4 or 0.5.'],
  ['minReplicaCount', -1, 'Enter 0 or more.'],
  ['minReplicaCount', 0, undefined],
  ['minReplicaCount', Number.MAX_SAFE_INTEGER, undefined],
  ['minReplicaCount', 2 ** 53, inexact],
  ['minReplicaCount', Infinity, inexact],
  ['minReplicaCount', '9007199254740993', inexact],
  ['minReplicaCount', -(2 ** 53), 'Enter 0 or more.'],
  ['minReplicaCount', NaN, 'Enter a whole number, using digits only, such as 2.'],
  ['gpuCount', 2 ** 53, 'Enter 8 or less.'],
  ['maxReplicaCount', 0, 'Enter 1 or more.'],
  ['maxReplicaCount', 1, undefined],
  ['replicaConcurrency', 0, 'Enter 1 or more.'],
  ['replicaConcurrency', 1, undefined],
  ['cooldownPeriodSeconds', 0, 'Enter 1 or more.'],
  ['cooldownPeriodSeconds', 1, undefined],
  ['cooldownPeriodSeconds', 3600, undefined],
  ['cooldownPeriodSeconds', 3601, 'Enter 3600 or less.'],
  ['responseGracePeriodSeconds', 0, 'Enter 1 or more.'],
  ['responseGracePeriodSeconds', 3601, 'Enter 3600 or less.'],
  ['compute', 'TRN1', undefined],
  ['compute', 'cpu', 'Choose one of ADA_L4, ADA_L40, AMPERE_A10, CPU, INF2, TRN1, TURING_T4.'],
  ['compute', null, 'Choose one of ADA_L4, ADA_L40, AMPERE_A10, CPU, INF2, TRN1, TURING_T4.'],
  ['gpus', 1, 'There is no setting "gpus".'],
  ['toString', 1, 'There is no setting "toString".'],
];

describe('the app settings', () => {
  for (const [name, value, said] of cases) {
    it(`${name} ${JSON.stringify(value)}: ${said ?? 'fits'}`, () => {
      const checked = validate({ [name]: value });
      const found = checked.ok ? [] : checked.problems.map(({ text }) => text);
      assert.deepEqual(found, said === undefined ? [] : [said]);
    });
  }

  for (const value of [null, undefined, [], 'gpuCount', 3]) {
    it(`${JSON.stringify(value)} is no settings object`, () => {
      const text = 'Settings are a JSON object.';
      assert.deepEqual(validate(value), { ok: false, problems: [{ field: '', text }] });
    });
  }

  it('names every problem, and an own __proto__ is one', () => {
    const checked = validate(JSON.parse('{"gpuCount": 9, "cpu": "x", "__proto__": {"memory": "1"}}'));
    assert.ok(!checked.ok);
    assert.deepEqual(
      checked.problems.map(({ field }) => field),
      ['gpuCount', 'cpu', '__proto__'],
    );
  });

  it('are nine, each of its own name', () => {
    assert.equal(new Set(fields.map(({ name }) => name)).size, 9);
    assert.equal(fieldNamed('constructor'), undefined);
  });
});
