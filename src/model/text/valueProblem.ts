import * as v from 'valibot';
import { plainText } from './plainText.ts';
import { t } from './l10n.ts';

/**
 * What is wrong with a value that does not fit its schema, as a sentence.
 * @param whole what the value is called where the mistake is in no part of it
 */
export function valueProblem(issue: v.BaseIssue<unknown>, whole: string): string {
  const name = plainText(v.getDotPath(issue) ?? whole);
  const ofKeys = issue.type === 'object' || issue.type === 'strict_object';
  if (ofKeys && issue.received === 'undefined') return t('"{0}" is missing.', name);
  if (ofKeys && issue.expected === 'never')
    return t('"{0}" is not known here. Is it spelled correctly?', name);
  switch (issue.type) {
    case 'string':
      return t('"{0}" must be text.', name);
    case 'number':
      return t('"{0}" must be a number.', name);
    case 'integer':
    case 'safe_integer':
      return t('"{0}" must be a whole number.', name);
    case 'min_value':
      return t('"{0}" must be {1} or more.', name, requirementOf(issue));
    case 'max_value':
      return t('"{0}" must be {1} or less.', name, requirementOf(issue));
    case 'boolean':
      return t('"{0}" must be true or false.', name);
    case 'array':
      return t('"{0}" must be a list.', name);
    case 'object':
    case 'strict_object':
    case 'record':
      return t('"{0}" must be an object.', name);
    case 'non_empty':
      return t('"{0}" must not be empty.', name);
    case 'picklist':
    case 'literal':
      return t('"{0}" must be one of {1}.', name, (issue.expected ?? '').replaceAll(/[()]/g, ''));
    default:
      return t('"{0}" has a value that does not fit.', name);
  }
}

function requirementOf({ requirement }: v.BaseIssue<unknown>): string {
  return String(requirement);
}
