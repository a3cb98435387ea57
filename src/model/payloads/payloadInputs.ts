import * as v from 'valibot';
import { t } from '../text/l10n.ts';
import { UserError } from '../text/userError.ts';

const text = v.string();

/** The inputs that `${input:ID}` in a payload refers to, in the format of VS Code's files. None runs a command. */
const inputSchemas = {
  promptString: v.strictObject({
    id: text,
    type: v.literal('promptString'),
    description: v.exactOptional(text),
    default: v.exactOptional(text),
    password: v.exactOptional(v.boolean()),
  }),
  pickString: v.strictObject({
    id: text,
    type: v.literal('pickString'),
    description: v.exactOptional(text),
    default: v.exactOptional(text),
    options: v.pipe(
      v.array(v.union([text, v.strictObject({ label: text, value: text })])),
      v.nonEmpty(),
      v.maxLength(1000),
    ),
  }),
};

export const inputsSchema = v.pipe(
  v.array(v.variant('type', [inputSchemas.promptString, inputSchemas.pickString])),
  v.maxLength(100),
);

export type PayloadInput = v.InferOutput<typeof inputsSchema>[number];

/** One option of a pick input. */
export interface InputOption {
  label: string;
  value: string;
}

export function optionsOf({ options }: PayloadInput & { type: 'pickString' }): InputOption[] {
  return options.map((one) => (typeof one === 'string' ? { label: one, value: one } : one));
}

/** @throws UserError if none of the payload's inputs has that id */
export function inputOf(id: string, inputs: readonly PayloadInput[] = []): PayloadInput {
  const found = inputs.find((one) => one.id === id);
  if (found !== undefined) return found;
  throw new UserError(
    t('The payload has {0}, and no input "{1}" in "{2}".', `\${input:${id}}`, id, '$runhook.inputs'),
  );
}
