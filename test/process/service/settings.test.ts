import assert from 'node:assert/strict';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { checkedSettings, type Field, fields, validate } from '../../../src/service/settings/appSettings.ts';
import { settingsSchema } from '../../../scripts/build/settingsSchema.ts';
import { readTyped } from '../../../src/pages/form/formModel.ts';
import { useSandbox } from '../../support/service/useSandbox.ts';

const ajv = new Ajv({ allErrors: true, strict: false });
const fitsSchema = ajv.compile(settingsSchema());

/** Numbers around the limits of a field, and numbers that are none. */
function numbersNear(field: Field): fc.Arbitrary<number> {
  const ends = field.kind === 'choice' ? [] : [field.minimum, field.maximum ?? Number.MAX_SAFE_INTEGER];
  const near = ends.flatMap((end) => [end - 1, end, end + 1, end + 0.5]);
  return fc.oneof(
    fc.constantFrom(...near, -0, 1.5),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  );
}

/** What people paste into a number field. */
const textOfNumber = fc.oneof(
  fc.stringMatching(/^ ?[-+]?[0-9]{1,4}([.,][0-9]{0,3})?(e[0-9])? ?$/),
  fc.constantFrom('007', '0x10', '１２', '٣', '-0', '1e3', 'NaN', 'Infinity', '1_000', '00', '0.', '.5'),
  fc.constantFrom('100.0', '100.00000000000000000000001', '192.000', '99.999', '9'.repeat(320)),
  fc.string(),
);

/** A value that fits. */
function goodValueFor(field: Field): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case 'choice':
      return fc.constantFrom(...field.choices);
    case 'integer':
      return fc.integer({ min: field.minimum, max: field.maximum ?? 1000 });
    case 'decimal':
      return fc.integer({ min: 0, max: field.maximum * 10 }).map((tenths) => (tenths / 10).toString());
  }
}

/** Any value for a field: good, nearly good, or anything at all. */
function valueFor(field: Field): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 10, arbitrary: goodValueFor(field) },
    { weight: 3, arbitrary: numbersNear(field) },
    { weight: 3, arbitrary: textOfNumber },
    fc.jsonValue(),
  );
}

const oneField = fc.constantFrom(...fields);
const entry = oneField.chain((field) => fc.tuple(fc.constant<string>(field.name), valueFor(field)));
const oddEntry = fc.tuple(
  fc.constantFrom('gpus', 'toString', '__proto__', 'constructor', 'GPUCOUNT', 'gpu_count', ''),
  fc.jsonValue(),
);
const settings = fc
  .array(fc.oneof({ weight: 12, arbitrary: entry }, oddEntry), { minLength: 1, maxLength: 4 })
  .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries))) as unknown);
const anySettings = fc.oneof({ weight: 12, arbitrary: settings }, fc.jsonValue());

describe('one verdict everywhere', () => {
  const sandbox = useSandbox();

  it('the fields, the host, the JSON schema and the sandbox agree on any settings', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(anySettings, async (given) => {
        const { ok } = validate(given);
        const isEmpty = ok && Object.keys(given as object).length === 0;
        accepted += ok ? 1 : 0;
        assert.equal(hostAccepts(given), ok && !isEmpty, 'host');
        assert.equal(fitsSchema(given), ok, `schema: ${ajv.errorsText(fitsSchema.errors)}`);
        const { status } = await sandbox.modify(JSON.stringify(given));
        assert.equal(status, ok ? 200 : 422, 'sandbox');
      }),
      { numRuns: 600 },
    );
    assert.ok(accepted > 60, `${accepted} of the inputs were good: too few to say something.`);
  });

  it('what the form reads from a text, the others accept; what it refuses, they refuse as it stands', async () => {
    await fc.assert(
      fc.asyncProperty(
        oneField,
        fc.oneof(textOfNumber, fc.constantFrom('CPU', 'cpu')),
        async (field, text) => {
          const typed = readTyped(field, text);
          if (typed.kind === 'unchanged') return;
          const sent = { [field.name]: typed.kind === 'value' ? typed.value : asItStands(field, text) };
          const ok = typed.kind === 'value';
          assert.equal(hostAccepts(sent), ok, 'host');
          assert.equal(fitsSchema(sent), ok, 'schema');
          const { status } = await sandbox.modify(JSON.stringify(sent));
          assert.equal(status, ok ? 200 : 422, 'sandbox');
        },
      ),
      { numRuns: 400 },
    );
  });
});

function hostAccepts(given: unknown): boolean {
  try {
    checkedSettings(given);
    return true;
  } catch {
    return false;
  }
}

/** The nearest to the text that JSON can carry in this field. */
function asItStands(field: Field, text: string): unknown {
  const trimmed = text.trim();
  return field.kind === 'integer' && /^(0|-?[1-9][0-9]*)$/.test(trimmed) ? Number(trimmed) : trimmed;
}
