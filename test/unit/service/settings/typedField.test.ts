import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fieldNamed, fields } from '../../../../src/service/settings/appSettings.ts';
import { readTyped } from '../../../../src/pages/form/formModel.ts';

const whole = 'Enter a whole number, using digits only, such as 2.';
const inexact = 'Numbers above 9007199254740991 cannot be sent exactly. Enter 9007199254740991 or less.';
const number = 'Enter a number, using digits only, such as 4 or 0.5.';

/** What was typed, and the value that goes out or what is said; `unchanged` where nothing goes out. */
const cases: [name: 'gpuCount' | 'minReplicaCount' | 'cpu' | 'compute', text: string, result: unknown][] = [
  ['gpuCount', '', 'unchanged'],
  ['gpuCount', '  ', 'unchanged'],
  ['gpuCount', ' 2\t', { value: 2 }],
  ['gpuCount', '0', { value: 0 }],
  ['gpuCount', '9', 'Enter 8 or less.'],
  ['gpuCount', '-1', 'Enter 0 or more.'],
  ['gpuCount', '-0', 'Write "0".'],
  ['gpuCount', '007', 'Write "7".'],
  ['gpuCount', '0x5', 'Write "5".'],
  ['gpuCount', '1 ', { value: 1 }],
  ['gpuCount', '+3', 'Write "3".'],
  ['gpuCount', '２', 'Write "2".'],
  ['gpuCount', '٣', 'Write "3".'],
  ['gpuCount', '2.0', 'Write "2".'],
  ['gpuCount', '1.5', whole],
  ['gpuCount', '1e3', whole],
  ['gpuCount', 'NaN', whole],
  ['gpuCount', 'Infinity', whole],
  ['gpuCount', 'two', whole],
  ['gpuCount', '2n', whole],
  ['minReplicaCount', '1e3', 'Write "1000".'],
  ['minReplicaCount', '2,000', whole],
  ['minReplicaCount', '1.200', whole],
  ['minReplicaCount', '0x10', 'Write "16".'],
  ['minReplicaCount', '１２', 'Write "12".'],
  ['minReplicaCount', '1 000', 'Write "1000".'],
  ['minReplicaCount', '9007199254740991', { value: 9007199254740991 }],
  ['minReplicaCount', '9007199254740992', inexact],
  ['minReplicaCount', '9007199254740993', inexact],
  ['minReplicaCount', '-9007199254740993', 'Enter 0 or more.'],
  ['minReplicaCount', '1e20', inexact],
  ['minReplicaCount', '1e999', inexact],
  ['minReplicaCount', '9,007,199,254,740,993', whole],
  ['minReplicaCount', '９００７１９９２５４７４０９９１', 'Write "9007199254740991".'],
  ['minReplicaCount', '９００７１９９２５４７４０９９３', inexact],
  ['minReplicaCount', `${'0'.repeat(30)}7`, 'Write "7".'],
  ['minReplicaCount', '0x20000000000001', inexact],
  ['minReplicaCount', '00x1', whole],
  ['minReplicaCount', `2.${'0'.repeat(30)}1`, whole],
  ['minReplicaCount', '9'.repeat(400), inexact],
  ['gpuCount', '9'.repeat(400), 'Enter 8 or less.'],
  ['gpuCount', '1e20', 'Enter 8 or less.'],
  ['gpuCount', '-1e20', 'Enter 0 or more.'],
  ['cpu', '0.5', { value: '0.5' }],
  ['cpu', ' 4 ', { value: '4' }],
  ['cpu', '4.', 'Write "4".'],
  ['cpu', '.5', 'Write "0.5".'],
  ['cpu', '0,5', 'Write "0.5".'],
  ['cpu', '1e-9', 'Write "0.000000001".'],
  ['cpu', '1e1', 'Write "10".'],
  ['cpu', '1,000.5', number],
  ['cpu', '-0', 'Write "0".'],
  ['cpu', '-1', 'Enter 0 or more.'],
  ['cpu', '100.5', 'Enter 100 or less.'],
  ['cpu', '1'.repeat(400), 'Enter 100 or less.'],
  ['cpu', '4 cores', number],
  ['cpu', '4.00000000000000000000000001', { value: '4.00000000000000000000000001' }],
  ['cpu', '1e20', number],
  ['compute', 'CPU', { value: 'CPU' }],
  ['compute', 'cpu', 'Choose one of ADA_L4, ADA_L40, AMPERE_A10, CPU, INF2, TRN1, TURING_T4.'],
];

describe('what is typed into a field', () => {
  it('goes out digit for digit, or not at all', () => {
    const wholes = fields.filter(({ kind }) => kind === 'integer');
    const digits = fc.oneof(fc.bigInt().map(String), fc.stringMatching(/^-?[0-9.eE+]{1,30}$/));
    fc.assert(
      fc.property(fc.constantFrom(...wholes), digits, (field, text) => {
        const typed = readTyped(field, text);
        if (typed.kind === 'value') assert.equal(JSON.stringify(typed.value), text);
        else if (typed.kind === 'problem') assert.notEqual(typed.text, '');
      }),
    );
  });

  for (const [name, text, result] of cases) {
    const shown =
      text.length > 20 ? `${text.slice(0, 10)}… (${text.length} characters)` : JSON.stringify(text);
    it(`${name} ${shown} → ${JSON.stringify(result)}`, () => {
      const typed = readTyped(fieldNamed(name)!, text);
      const read =
        typed.kind === 'problem' ? typed.text : typed.kind === 'value' ? { value: typed.value } : typed.kind;
      assert.deepEqual(read, result);
    });
  }
});
