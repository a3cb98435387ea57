import * as v from 'valibot';
import { plainText } from './plainText.ts';
import { t } from './l10n.ts';

type Sentence = (name: string, issue: v.BaseIssue<unknown>) => string;

/** The sentence for a value that does not fit, by the type of the issue. */
const sentences: readonly (readonly [types: readonly string[], text: Sentence])[] = [
  [['string'], (name) => t('"{0}" must be text.', name)],
  [['number'], (name) => t('"{0}" must be a number.', name)],
  [['integer', 'safe_integer'], (name) => t('"{0}" must be a whole number.', name)],
  [['min_value'], (name, issue) => t('"{0}" must be {1} or more.', name, requirementOf(issue))],
  [['max_value'], (name, issue) => t('"{0}" must be {1} or less.', name, requirementOf(issue))],
  [['boolean'], (name) => t('"{0}" must be true or false.', name)],
  [['array'], (name) => t('"{0}" must be a list.', name)],
  [['object', 'strict_object', 'record'], (name) => t('"{0}" must be an object.', name)],
  [['non_empty'], (name) => t('"{0}" must not be empty.', name)],
  [
    ['picklist', 'literal', 'variant'],
    (name, issue) => t('"{0}" must be one of {1}.', name, choicesOf(issue)),
  ],
];

/**
 * What is wrong with a value that does not fit its schema, as a sentence.
 * @param whole the name of the value as a whole, used if the issue is not in a part of it
 */
export function valueProblem(issue: v.BaseIssue<unknown>, whole: string): string {
  const { type, received, expected } = issue;
  const name = plainText(v.getDotPath(issue) ?? whole);
  const ofKeys = type === 'object' || type === 'strict_object';
  if (ofKeys && received === 'undefined') return t('"{0}" is missing.', name);
  if (ofKeys && expected === 'never') return t('"{0}" is unknown. Is it spelled correctly?', name);
  const [, text] = sentences.find(([types]) => types.includes(type)) ?? [];
  return text?.(name, issue) ?? t('"{0}" has a value that is not valid.', name);
}

function requirementOf({ requirement }: v.BaseIssue<unknown>): string {
  return String(requirement);
}

function choicesOf({ expected }: v.BaseIssue<unknown>): string {
  return (expected ?? '').replaceAll(/[()]/g, '');
}
